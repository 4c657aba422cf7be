"""Test that one source makes two notebooks, always with the same bytes, and that errors name the line."""

from __future__ import annotations

import re
import time
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode

from qkvlib.learner import progress
from qkvlib.tools import cli
from qkvlib.tools.authoring import build as authoring
from qkvlib.tools.authoring import pages
from qkvlib.tools.authoring.front_matter import SourceError
from tests.tools.authoring.test_front_matter import edit

pytestmark = pytest.mark.whole

SOURCE = '''\
# ---
# title: A chapter
# question: What for?
# settles: Everything.
# goal: build it,
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
# *You will be able to* {goal}. *It takes* about {minutes} minutes. *It builds on* {builds on}.

# %%
from qkvlib import check
from qkvlib.learner import progress
print("predicted:", progress.recall("predictions", "rain"))

# %%
def dot(a, b):
    """The dot product."""
    ### BEGIN SOLUTION
    return (a * b).sum()
    ### END SOLUTION

# %%
dot = check(dot)

# %% tags=["nbval-ignore-output"]
print(object())

# %%
import ipywidgets
ipywidgets.IntSlider()

# %%
print({"a", "b", "c", "d"})

# %%
print({"a", "b", "c", "d"})
'''


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "solutions" / "99_example.py"
    path.parent.mkdir()
    (tmp_path / "lessons").mkdir()
    path.write_text(SOURCE)
    for page, parts in pages.generated_parts(tmp_path).items():
        markers = [f"<!-- {name}: generated -->\n<!-- end of {name} -->\n" for name in parts]
        (tmp_path / page).write_text("".join(markers))
    pages.write(tmp_path)
    return path


def outputs(notebook: NotebookNode) -> str:
    return "\n".join(str(output) for cell in notebook.cells for output in cell.get("outputs", []))


def test_building_twice_gives_the_same_bytes(source: Path) -> None:
    progress.record("predictions", "rain", "the author's own")
    built = authoring.build(source)
    assert [path.parent.name for path in built] == ["solutions", "lessons"]
    before = [path.read_bytes() for path in built]
    for path in built:
        path.unlink()
    assert [path.read_bytes() for path in authoring.build(source)] == before
    assert authoring.build(source) == []
    assert authoring.stale(source) == {}

    solution, lesson = (nbformat.read(path, as_version=4) for path in built)
    nbformat.validate(solution)
    nbformat.validate(lesson)
    assert "BEGIN SOLUTION" in solution.cells[2].source
    assert "Right (1 of 1 point)" in outputs(solution)
    assert "(a * b).sum()" not in str(lesson)
    assert "raise NotImplementedError" in lesson.cells[2].source
    assert "Not attempted (0 of 1 point)" in outputs(lesson)
    for notebook in (solution, lesson):
        assert "predicted: None" in outputs(notebook), "the author's progress leaked"
        assert "widget-view" not in str(notebook)
        assert "widgets" not in notebook.metadata
        assert notebook.cells[2].metadata.nbgrader.solution
        assert notebook.cells[3].metadata.nbgrader.points == 1


def test_a_cells_id_stays_when_a_cell_is_inserted_before_it(source: Path) -> None:
    before = [cell.id for cell in authoring.read(source).lesson.cells]
    assert len(set(before)) == len(before), "two cells of the same text need two ids"
    edit(source, "# %%\nimport ipywidgets", "# %%\n1 + 1\n\n# %%\nimport ipywidgets")
    after = [cell.id for cell in authoring.read(source).lesson.cells]
    assert [one for one in after if one in before] == before


def test_a_cell_that_asks_for_a_prediction_opens_folded(source: Path) -> None:
    asks = 'predict("rain", "?", ["a", "b"], answer=0)'
    edit(source, "import ipywidgets\nipywidgets.IntSlider()", asks)
    edit(source, 'print({"a", "b", "c", "d"})', f"rain = {asks}\nrain")
    edit(source, 'print({"a", "b", "c", "d"})', f"rain = {asks}\nprint(rain)")
    folded = [cell.metadata.get("jupyter") for cell in authoring.read(source).lesson.cells]
    assert folded == [*[None] * 5, {"source_hidden": True}, {"source_hidden": True}, None]


def test_a_cell_that_sets_up_a_goal_opens_folded(source: Path) -> None:
    edit(source, "import ipywidgets\nipywidgets.IntSlider()", "x = 1\nLab(x, goal=Goal('reach it'))")
    edit(source, 'print({"a", "b", "c", "d"})', "Lab(1)")
    edit(source, 'print({"a", "b", "c", "d"})', "lab = Lab(1, goal=2)\nprint(lab)")
    folded = [cell.metadata.get("jupyter") for cell in authoring.read(source).lesson.cells]
    assert folded == [*[None] * 5, {"source_hidden": True}, None, None]


def test_a_lesson_does_not_tell_what_a_prediction_asks(source: Path) -> None:
    edit(source, "import ipywidgets\nipywidgets.IntSlider()", 'rain = predict("rain", "?", ["a"])')
    edit(source, 'print({"a", "b", "c", "d"})', "print('it rains')")
    edit(source, 'print({"a", "b", "c", "d"})', "is_dry = 0\nrain.reveal(is_dry)")
    chapter = authoring.read(source)
    tags = [cell.metadata.get("tags", []) for cell in chapter.lesson.cells]
    assert tags[-3:] == [[], [authoring.DIFFERS], [authoring.DIFFERS]]
    assert chapter.lesson.cells[-1].metadata.jupyter.source_hidden
    assert "tags" not in chapter.solution.cells[-2].metadata


def test_a_cell_for_instructors_is_in_the_solution_alone(source: Path) -> None:
    edit(source, "# %%\nimport ipywidgets", '# %% tags=["solution-only"]\nworked = 1\n\n# %%\n1 / 0')
    chapter = authoring.read(source)
    assert "worked = 1" in str(chapter.solution)
    assert "worked = 1" not in str(chapter.lesson)
    with pytest.raises(SourceError, match=r"99_example.py:41: ZeroDivisionError.*in the lesson"):
        authoring.execute(chapter.lesson, chapter)


def test_an_edited_source_or_built_file_is_reported_as_stale(
    source: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lesson = source.parent.parent / "lessons" / "99_example.ipynb"
    assert authoring.stale(source)[lesson] == "is missing"
    authoring.build(source)

    monkeypatch.chdir(source.parent.parent)
    assert cli.main(["build", "--check"]) == 0
    edit(source, "its subtitle", "another subtitle")
    assert cli.main(["build", "99", "--check"]) == 1
    said = capsys.readouterr().out
    assert "99_example.ipynb is stale: run `qkv build 99`" in said
    assert "another subtitle" in said
    assert "README.md" not in said
    edit(source, "title: A chapter", "title: Another chapter")
    assert cli.main(["build", "99", "--check"]) == 1
    said = capsys.readouterr().out
    assert "README.md is stale: run `qkv build`" in said
    assert "| 99 | [Another chapter](lessons/99_example.ipynb)" in said
    pages.write(source.parent.parent)

    authoring.build(source)
    lesson.write_text(lesson.read_text().replace("import ipywidgets", "import os"))
    assert list(authoring.stale(source)) == [lesson]


@pytest.mark.parametrize(
    ("old", "new", "line", "what"),
    [
        ("import ipywidgets", "import ipywidgets\nif", 39, "invalid syntax"),
        ("    ### END SOLUTION\n", "", 24, "one '### END SOLUTION'"),
        ("def dot", "def dott", 25, "no exercise is called 'dott'"),
        ("dot = check(dot)", "check(dot)", 1, "no cell says `dot = check(dot)`"),
        (
            'def dot(a, b):\n    """The dot product."""\n    ###',
            "x = 1\nif x:\n    ###",
            27,
            "must stand inside a function",
        ),
        ("# {here}\n", "# {here} {notebook: Run it.}\n", 12, "half of two wordings"),
    ],
)
def test_a_source_error_names_its_file_and_line(
    source: Path, old: str, new: str, line: int, what: str
) -> None:
    edit(source, old, new)
    with pytest.raises(SourceError, match=rf"99_example.py:{line}: .*{re.escape(what)}"):
        authoring.read(source)


def test_an_error_while_running_names_its_file_and_line(source: Path) -> None:
    edit(source, "import ipywidgets\n", "import ipywidgets\n1 / 0\n")
    with pytest.raises(SourceError, match=r"99_example.py:39: ZeroDivisionError"):
        authoring.build(source)
    assert not (source.parent / "99_example.ipynb").exists()


def test_an_exercise_of_the_chapter_cannot_be_forgotten(source: Path) -> None:
    first = source.with_name("01_example.py")
    source.rename(first)
    with pytest.raises(SourceError, match="exercise 'centre' of this chapter"):
        authoring.read(first)


def test_an_exercise_that_stands_twice_is_refused(source: Path) -> None:
    cell = SOURCE.partition("# %%\ndef dot")[2].partition("# %%")[0]
    edit(source, "# %%\nimport ipywidgets", f"# %%\ndef dot{cell}# %%\nimport ipywidgets")
    with pytest.raises(SourceError, match="'dot' stands here a second time"):
        authoring.read(source)


def test_a_lesson_that_shows_the_map_is_built_when_a_chapters_facts_or_exercises_change(
    source: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(source.parent.parent)
    built: list[str] = []
    monkeypatch.setattr(authoring, "build", lambda source: built.append(source.stem) or [])
    shows = source.with_name("98_shows.py")
    shows.write_text(SOURCE + "\n# %%\ncourse_map()\n")
    source.with_name("97_does_not.py").write_text(SOURCE)
    assert cli.main(["build", "99"]) == 0
    said = capsys.readouterr().out
    assert "changed: qkvlib/course/chapters.json" in said
    assert "Chapters that show the map change, too: 98_shows\n" in said
    assert built == ["98_shows", "99_example"]
    assert cli.main(["build", "99"]) == 0
    assert built[2:] == ["99_example"]
    exercises = Path("solutions/README.md")  # lists each exercise, and the map counts them
    exercises.write_text(exercises.read_text().replace("99", "98"))
    assert cli.main(["build", "99"]) == 0
    assert built[3:] == ["98_shows", "99_example"]


def test_a_missing_chapter_is_said_so(
    source: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(source.parent.parent)
    assert cli.main(["build", "42"]) == 1
    assert "starts with '42'" in capsys.readouterr().err


def test_chapters_are_built_side_by_side_in_their_order_until_one_fails() -> None:
    begun = []

    def work(path: Path) -> str:
        begun.append(path)
        if path.name == "failing":
            raise SourceError(path, 1, "no")
        if len(begun) > 3:
            time.sleep(0.1)  # as long as a chapter might take
        return path.name

    paths = [Path("first"), Path("second"), Path("failing"), *map(Path, 100 * ["later"])]
    found = authoring.side_by_side(work, paths)
    assert [next(found), next(found)] == ["first", "second"]
    with pytest.raises(SourceError):
        next(found)
    assert len(begun) < len(paths)
