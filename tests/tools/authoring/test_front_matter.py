"""Test that a chapter's facts are at the start of its source, and that each error there is named."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from qkvlib.course.chapters import Chapter
from qkvlib.figures.frame import words
from qkvlib.tools.authoring.front_matter import SourceError, read

SOURCE = r"""# ---
# title: A chapter
# question: What for: this?
# settles: It settles {title},
#   and more.
# goal: build it with $\sqrt{d_k}$,
#   and look
# minutes: 75
# builds on: chapter 1
# here: one head
# ---

# %% [markdown]
# # {number}. {title}: its subtitle
#
# {here}
#
# *You will be able to* {goal}.
#
# *It takes* about {minutes} minutes. *It builds on* {builds on}: much.

# %%
print("{title}")
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "07_example.py"
    path.write_text(SOURCE, encoding="utf-8")
    return path


def edit(source: Path, old: str, new: str) -> None:
    text = source.read_text("utf-8")
    assert old in text
    source.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_the_facts_are_read_each_on_one_line(source: Path) -> None:
    assert read(source).chapter == Chapter(
        name="07_example",
        title="A chapter",
        question="What for: this?",
        settles="It settles {title}, and more.",
        goal=r"build it with $\sqrt{d_k}$, and look",
        minutes=75,
        builds_on="chapter 1",
        here="one head",
        heart_minutes=0,
        heart=(),
        questions=0,
        goals=0,
    )


def test_what_is_asked_and_to_be_reached_is_counted(source: Path) -> None:
    edit(
        source,
        'print("{title}")\n',
        'first = predict(\n    "07-first", "Which?", ["a", "b"]\n)\n'
        'ask(\n    "07-second", "And which?", ["a", "b"]\n)\n'
        'AttentionLab(\n    x,\n    goal=Goal(\n        "07-goal", "Move it."\n    ),\n)\n',
    )
    chapter = read(source).chapter
    assert (chapter.questions, chapter.goals) == (2, 1)


def test_the_first_cell_says_the_facts_with_their_line_ends_and_no_other_cell_does(source: Path) -> None:
    found = read(source)
    picture = f"![{words('one head')}](pictures/here-07.svg)"
    assert (
        found.cells
        == rf"""# %% [markdown]
# # 7. A chapter: its subtitle
#
# {picture}
#
# *You will be able to* build it with $\sqrt{{d_k}}$,
# and look.
#
# *It takes* about 75 minutes. *It builds on* chapter 1: much.

# %%
print("{{title}}")
"""
    )
    assert found.lines == (13, 22)


def test_the_door_has_neither_number_nor_goal_nor_place(source: Path) -> None:
    door = source.rename(source.with_name("00_door.py"))
    edit(door, "# goal: build it with $\\sqrt{d_k}$,\n#   and look\n", "")
    edit(door, "# here: one head\n", "")
    edit(door, "# {here}\n", "")
    edit(door, "# minutes: 75", "# minutes: 10")
    edit(door, "{number}. ", "")
    edit(door, "*You will be able to* {goal}.", "Come in.")
    found = read(door)
    assert "# # A chapter: its subtitle\n" in found.cells
    assert "*It takes* about 10 minutes." in found.cells
    assert (found.chapter.goal, found.chapter.here, found.chapter.minutes) == ("", "", 10)


@pytest.mark.parametrize(
    ("old", "new", "line", "what"),
    [
        ("# ---\n# title", "# title", 1, "begins with its front matter: `# ---`, a line for each"),
        ("# here: one head\n# ---\n", "# here: one head\n", 1, "and `# ---` again"),
        ("# minutes: 75\n", "", 10, "does not say 'minutes': write `# minutes: ...`"),
        ("# minutes: 75", "# minutes:", 8, "does not say 'minutes': write `# minutes: ...`"),
        ("# minutes:", "# minuts:", 8, "no fact is called 'minuts'; the facts are title,"),
        ("# minutes: 75", "# minutes: about 75", 8, "'about 75', which is no whole number: write"),
        ("#   and look", "# and look", 7, "'# and look' is no fact: write `# fact: words`, and in"),
        ("# minutes: 75", "# title: Two", 8, "'title' stands in line 2 already"),
        ("# here: one head", "# here: heaven", 10, "'heaven', which is no place: write one of 'att"),
        ("# ---\n\n# %%", "# ---\n\nx = 1\n\n# %%", 12, "every cell must start with a line `# %%`"),
        ("# # {number}. {title}", "# # 7. Another", 14, "the heading is '# # 7. Another: its sub"),
        ("# # {number}. {title}", "# # {title}", 14, "begin it with `# # {number}. {title}`, and"),
        ("{minutes}", "80", 13, "says `{minutes}` 0 times, and should once: write `# *It takes*"),
        ("# {here}\n", "", 13, "says `{here}` 0 times, and should once: write `# {here}`"),
        ("{builds on}: much", "{builds on}, {builds on}", 13, "says `{builds on}` 2 times, and sh"),
    ],
)
def test_a_slip_is_named_with_its_line_what_was_expected_and_what_to_try(
    source: Path, old: str, new: str, line: int, what: str
) -> None:
    edit(source, old, new)
    with pytest.raises(SourceError, match=rf"07_example.py:{line}: .*{re.escape(what)}"):
        read(source)


def test_the_heart_is_minutes_and_sections_that_there_are(source: Path) -> None:
    edit(source, "# ---\n\n", "# heart: 30 minutes: First;\n#   Why: this?\n# ---\n\n")
    edit(source, ": much.\n", ": much.\n#\n# ## First\n#\n# ## Why: this?\n")
    chapter = read(source).chapter
    assert (chapter.heart_minutes, chapter.heart) == (30, ("First", "Why: this?"))
    edit(source, "# ## First", "# ## Firsts")
    with pytest.raises(SourceError, match=r"the section 'First', which is not there; there is .*'Firsts"):
        read(source)
    edit(source, "30 minutes", "half an hour")
    with pytest.raises(SourceError, match="write `# heart: 45 minutes: One section; Another`"):
        read(source)


def test_a_title_that_differs_hears_which_one_counts(source: Path) -> None:
    edit(source, "{number}. {title}", "7. Another chapter")
    with pytest.raises(SourceError, match="puts in the title of the front matter, 'A chapter'"):
        read(source)


def test_a_file_without_its_number_is_refused(source: Path) -> None:
    with pytest.raises(SourceError, match=r"7_example.py:1: a source is called NN_name.py"):
        read(source.rename(source.with_name("7_example.py")))
