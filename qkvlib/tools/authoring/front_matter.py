"""The facts of a chapter: they stand at the head of `solutions/NN_name.py`, and nowhere else.

    # ---
    # title: Soft lookup
    # question: Why softmax, and why a square root?
    # settles: The sum and the matrix form are the same. Softmax, because a hard choice cannot
    #   learn; the square root, because wide dot products are too sure.
    # goal: turn scores into weights and look a query up softly
    # minutes: 75
    # builds on: chapter 1
    # here: comparing and blending
    # heart: 65 minutes: Shares; The sum; Why a square root?
    # ---

A fact that is long goes on in lines that are indented. The first cell names the facts in braces,
and the builder puts them in, line ends and all:

    # # {number}. {title}: from one best match to a blend
    #
    # {here}
    #
    # *You will be able to* {goal}.
    #
    # *It takes* about {minutes} minutes. *It builds on* {builds on}: dot products.

`number` is that of the file. `here` becomes a picture: a whole model, with the chapter's part of it
lit (`figures/frame.py` knows the places). `heart`, which a chapter need not have, names the
sections that belong to the eight-hour route, and says how long they take. Chapter 00 is the door:
its heading has no number, and it neither a goal nor a place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from qkvlib.course.chapters import DOOR, Chapter
from qkvlib.figures.frame import PLACES
from qkvlib.tools.authoring import pictures

FACTS = ("title", "question", "settles", "goal", "minutes", "builds on", "here", "heart")
OPTIONAL = ("heart",)

_RULE = "# ---"
_HEART = r"^([1-9]\d*) minutes: "
_SENTENCES = {
    "goal": "*You will be able to* {goal}.",
    "minutes": "*It takes* about {minutes} minutes.",
    "builds on": "*It builds on* {builds on}.",
    "here": "{here}",
}


class SourceError(Exception):
    """An error in a source file that an author has to fix, with its file and line."""

    def __init__(self, file: Path, line: int, what: str) -> None:
        super().__init__(f"{file}:{line}: {what}")


@dataclass(frozen=True)
class Source:
    """A source file: its chapter's facts, its cells with the facts inserted, and the line of each cell."""

    chapter: Chapter
    cells: str
    lines: tuple[int, ...]


def read(source: Path) -> Source:
    """Read a source file and its facts, or raise SourceError."""
    if not re.fullmatch(r"\d\d_\w+", source.stem):
        raise SourceError(source, 1, "a source is called NN_name.py, its number in two digits")
    lines = source.read_text(encoding="utf-8").splitlines()
    if lines[:1] != [_RULE] or _RULE not in lines[1:]:
        what = f"a source begins with its front matter: `{_RULE}`, a line for each of"
        raise SourceError(source, 1, f"{what} {', '.join(FACTS)}, and `{_RULE}` again")
    end = lines.index(_RULE, 1)
    facts = _facts(lines[:end], source)
    _find_each_section(_heart(facts)[1], lines[end:], source)
    cells = [i for i, line in enumerate(lines) if line == "# %%" or line.startswith("# %% ")]
    if not cells or any(lines[end + 1 : cells[0]]):
        raise SourceError(source, end + 2, "every cell must start with a line `# %%`")
    first, rest = lines[cells[0] : (*cells, len(lines))[1]], lines[(*cells, len(lines))[1] :]
    _say_each_fact(first, facts, source, cells[0] + 1)
    said = {**facts, "number": str(int(source.stem[:2]))}
    if "here" in facts:
        said["here"] = pictures.here(source.stem[:2], facts["here"])
    opening = re.sub(
        r"\{(" + "|".join(said) + r")\}",
        lambda found: said[found[1]].replace("\n", "\n# "),
        "\n".join(first),
    )
    return Source(
        _chapter(source.stem, facts, "\n".join(lines[cells[0] :])),
        "\n".join([opening, *rest]) + "\n",
        tuple(i + 1 for i in cells),
    )


def _chapter(name: str, facts: dict[str, str], cells: str) -> Chapter:
    words = {fact: " ".join(text.split()) for fact, text in facts.items()}
    heart_minutes, heart = _heart(words)
    return Chapter(
        name=name,
        title=words["title"],
        question=words["question"],
        settles=words["settles"],
        goal=words.get("goal", ""),
        minutes=int(words["minutes"]),
        builds_on=words["builds on"],
        here=words.get("here", ""),
        heart_minutes=heart_minutes,
        heart=heart,
        questions=len(re.findall(r"^(?:\w+ = )?(?:predict|ask)\($", cells, re.MULTILINE)),
        goals=len(re.findall(r"^ +goal=\w+\($", cells, re.MULTILINE)),
    )


def _facts(lines: list[str], source: Path) -> dict[str, str]:
    """Return each fact with the words and line ends of the front matter."""
    lacking = ("goal", "here") if source.stem.startswith(DOOR) else ()
    wanted = [fact for fact in FACTS if fact not in lacking]
    found, stands = dict[str, str](), dict[str, int]()
    for number, line in enumerate(lines[1:], 2):
        if found and line.startswith("#  "):
            last = next(reversed(found))
            found[last] = f"{found[last]}\n{line[1:].strip()}".strip()
            continue
        fact, colon, words = line.removeprefix("# ").partition(":")
        if not line.startswith("# ") or not colon:
            what = f"{line!r} is no fact: write `# fact: words`, and indent a line that goes on"
            raise SourceError(source, number, what)
        if fact not in wanted:
            what = f"no fact is called {fact!r}; the facts are {', '.join(wanted)}"
            raise SourceError(source, number, what)
        if fact in found:
            raise SourceError(source, number, f"{fact!r} stands in line {stands[fact]} already")
        found[fact], stands[fact] = words.strip(), number
    for fact in wanted:
        if not found.get(fact) and (fact in found or fact not in OPTIONAL):
            line_of = stands.get(fact, len(lines) + 1)
            what = f"the front matter does not say {fact!r}: write `# {fact}: ...`, as the other"
            raise SourceError(source, line_of, f"{what} chapters do")
    if not re.fullmatch(r"[1-9]\d*", found["minutes"]):
        what = f"'minutes' is {found['minutes']!r}, which is no whole number: write `# minutes: 75`"
        raise SourceError(source, stands["minutes"], what)
    if "here" in found and found["here"] not in PLACES:
        what = f"'here' is {found['here']!r}, which is no place: write one of"
        raise SourceError(source, stands["here"], f"{what} {', '.join(map(repr, PLACES))}")
    if "heart" in found and not re.match(_HEART, found["heart"]):
        what = f"'heart' is {found['heart']!r}: write `# heart: 45 minutes: One section; Another`"
        raise SourceError(source, stands["heart"], what)
    return found


def _heart(facts: dict[str, str]) -> tuple[int, tuple[str, ...]]:
    """Return how long the heart of a chapter takes, and the headings of its sections."""
    if "heart" not in facts:
        return 0, ()
    minutes, sections = re.split(_HEART, " ".join(facts["heart"].split()))[1:]
    return int(minutes), tuple(sections.split("; "))


def _find_each_section(sections: tuple[str, ...], lines: list[str], source: Path) -> None:
    headings = [line.removeprefix("# ## ") for line in lines if line.startswith("# ## ")]
    for section in sections:
        if section not in headings:
            what = f"'heart' names the section {section!r}, which is not there; there is {headings!r}"
            raise SourceError(source, 1, what)


def _say_each_fact(first: list[str], facts: dict[str, str], source: Path, line: int) -> None:
    """Refuse a first cell that states a fact in its own words, or not at all."""
    heading = "# # {number}. {title}" if "goal" in facts else "# # {title}"
    if not "".join(first[1:2]).startswith(heading):
        what = f"the heading is {''.join(first[1:2])!r}: begin it with `{heading}`, and the builder"
        title = f"puts in the title of the front matter, {facts['title']!r}"
        raise SourceError(source, line + 1, f"{what} {title}")
    for fact, sentence in _SENTENCES.items():
        times = "\n".join(first).count(f"{{{fact}}}")
        if fact in facts and times != 1:
            what = f"the first cell says `{{{fact}}}` {times} times, and should once: write"
            raise SourceError(source, line, f"{what} `# {sentence}`, and the builder puts it in")
