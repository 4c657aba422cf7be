"""From one source a chapter, `solutions/NN_name.py`, to the two notebooks made of it.

    solutions/NN_name.py      what an author edits: the chapter's facts, then cells in the percent
                              format, answers between `### BEGIN SOLUTION` and `### END SOLUTION`
    solutions/NN_name.ipynb   the same, executed: what an instructor reads
    lessons/NN_name.ipynb     stubs in place of the answers, executed so: what a learner opens

A cell tagged "solution-only" stays out of the lesson: a worked example, a word to instructors.

Building twice gives the same bytes. Cell ids come from the cells' own text, and nothing that
differs from run to run or machine to machine is kept.
"""

from __future__ import annotations

import ast
import difflib
import hashlib
import os
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import jupytext
import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from qkvlib.exercises import EXERCISES
from qkvlib.learner.files import write_atomically
from qkvlib.tools.authoring import (
    answers,
    elsewhere,
    front_matter,
    pictures,
    roles,
    suspense,
    wordings,
)
from qkvlib.tools.authoring.front_matter import SourceError

BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"
STUB = ("# Write your answer here, in place of the next line.", "raise NotImplementedError")
SECONDS_A_CELL = 300
SOLUTION_ONLY = "solution-only"
DIFFERS = "nbval-ignore-output"  # nbval does not compare such a cell, and none of its outputs is kept

Result = TypeVar("Result")

_FOLDED = {"source_hidden": True}
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
_KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}


@dataclass(frozen=True)
class Notebooks:
    """The two notebooks made from a source file, still without outputs, and the source line of each cell id.

    `on_page` has the text of cells for which a page uses different words, by their ids.
    """

    source: Path
    lines: dict[str, int]
    solution: NotebookNode
    lesson: NotebookNode
    on_page: dict[str, str]

    @property
    def built(self) -> dict[Path, NotebookNode]:
        """Return the path of each of the two notebooks."""
        root, name = self.source.parent.parent, f"{self.source.stem}.ipynb"
        return {root / "solutions" / name: self.solution, root / "lessons" / name: self.lesson}


def sources(root: Path, chapter: str | None = None) -> list[Path]:
    """The source files under `root`, or the one whose name starts with `chapter`."""
    found = sorted((root / "solutions").glob(f"{chapter or '[0-9]'}*.py"))
    if not found:
        wanted = f"starts with {chapter!r}" if chapter else "starts with a number"
        raise FileNotFoundError(f"no file in {root / 'solutions'} {wanted} and ends in .py")
    return found


def side_by_side(work: Callable[[Path], Result], paths: Iterable[Path]) -> Iterator[Result]:
    """Run `work` on each path, one kernel for each core, and yield the results in order. The first error
    stops the rest."""
    pool = ThreadPoolExecutor(os.cpu_count())
    try:
        yield from pool.map(work, paths)
    finally:
        pool.shutdown(cancel_futures=True)


def build(source: Path) -> list[Path]:
    """Run a chapter's two notebooks and write them. Returns the files that changed."""
    notebooks = read(source)
    changed = []
    for path, notebook in notebooks.built.items():
        execute(notebook, notebooks)
        if write_changed(path, nbformat.writes(notebook) + "\n"):
            changed.append(path)
    return changed


def write_changed(path: Path, text: str) -> bool:
    """Write a file if this changes it, and tell whether it did."""
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return False
    write_atomically(path, text)
    return True


def stale(source: Path) -> dict[Path, str]:
    """Return the built files that differ from what `source` builds, each with the difference.

    Nothing is run: this compares cells and metadata, and nbval compares outputs.
    """
    found = {}
    for path, wanted in read(source).built.items():
        if not path.exists():
            found[path] = "is missing"
            continue
        try:
            present = nbformat.read(path, as_version=4)
        except Exception as error:  # nbformat raises many kinds
            found[path] = f"cannot be read: {error}"
            continue
        for cell in present.cells:
            if cell.cell_type == "code":
                cell.outputs, cell.execution_count = [], None
        before, after = (nbformat.writes(one).splitlines() for one in (present, wanted))
        differences = list(difflib.unified_diff(before, after, "built", "source", n=1, lineterm=""))
        if differences:
            found[path] = "\n".join(differences[:40])
    return found


# --- reading a source ------------------------------------------------------------------------


def read(source: Path) -> Notebooks:
    """Read a source file and make its notebooks, or raise SourceError."""
    found = front_matter.read(source)
    notebook, lines = jupytext.reads(found.cells, fmt="py:percent"), found.lines
    notebook.metadata = NotebookNode(kernelspec=_KERNEL, language_info={"name": "python"})
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    if address := elsewhere.repository(source.parent.parent):
        lines = _open_elsewhere(notebook, source, lines, address)
    pages = _word_for_notebooks(notebook, source, lines)
    _set_ids(notebook)
    on_page = {c.id: text for c, text in zip(notebook.cells, pages, strict=True) if text}
    _mark_exercises(notebook, source, lines)
    lesson = nbformat.from_dict(notebook)
    lesson.cells = [c for c in lesson.cells if SOLUTION_ONLY not in c.metadata.get("tags", [])]
    for cell in lesson.cells:
        cell.source = with_stubs(cell.source)
        if cell.cell_type == "code":
            cell.source = answers.without(cell.source)
    _keep_the_suspense(lesson)
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = pictures.for_a_folder_beside(cell.source)
    places = {cell.id: line for line, cell in zip(lines, notebook.cells, strict=True)}
    return Notebooks(source, places, notebook, lesson, on_page)


def _word_for_notebooks(notebook: NotebookNode, source: Path, lines: tuple[int, ...]) -> list[str | None]:
    """Underline the words for the roles, insert the drawings, and leave the notebook's wordings. Return what
    a page says instead, where that differs."""
    pages: list[str | None] = []
    for line, cell in zip(lines, notebook.cells, strict=True):
        text = cell.source
        if cell.cell_type == "markdown":
            try:
                text = pictures.with_drawings(roles.underlined(text))
                cell.source = wordings.in_notebook(text)
            except ValueError as error:
                raise SourceError(source, line, str(error)) from None
        pages.append(wordings.on_page(text) if cell.source != text else None)
    return pages


def _open_elsewhere(
    notebook: NotebookNode, source: Path, lines: tuple[int, ...], published: elsewhere.Repository
) -> tuple[int, ...]:
    """Add links below the first cell's text, and above it the cell that installs the course.

    It goes above, because the first text may refer to "the cell below".
    """
    first, *_ = notebook.cells
    first.source += f"\n\n{elsewhere.badges(published, source.stem, 'pictures')}"
    installing = new_code_cell(elsewhere.installs(published), metadata={"jupyter": _FOLDED})
    notebook.cells = [installing, *notebook.cells]
    return (lines[0], *lines)


def with_stubs(code: str) -> str:
    """The code with every solution replaced by a stub of the same indentation."""
    region = re.compile(rf"^( *){BEGIN}\n.*?^ *{END}$", re.MULTILINE | re.DOTALL)
    return region.sub(lambda found: "\n".join(found[1] + line for line in STUB), code)


def _set_ids(notebook: NotebookNode) -> None:
    """Derive each cell's id from its text, so that inserting a cell changes no other id."""
    seen: Counter[str] = Counter()
    for cell in notebook.cells:
        digest = hashlib.sha256(f"{cell.cell_type}\n{cell.source}".encode()).hexdigest()[:12]
        cell.id = f"{digest}-{seen[digest]}" if seen[digest] else digest
        seen[digest] += 1


def _mark_exercises(notebook: NotebookNode, source: Path, lines: tuple[int, ...]) -> None:
    """Give exercise and check cells nbgrader's metadata, and refuse cells that would not work."""
    asked, checked = set(), set()
    for line, cell in zip(lines, notebook.cells, strict=True):
        if cell.cell_type != "code":
            continue
        tree = _parse(cell.source, source, line)
        if BEGIN in cell.source or END in cell.source:
            name = _exercise_of(cell.source, tree, source, line)
            if name in asked:
                raise SourceError(source, line, f"the exercise {name!r} stands here a second time")
            asked.add(name)
            cell.metadata["nbgrader"] = _nbgrader(name, solution=True)
        if _widget_says_it_all(tree):  # then the cell may contain an answer
            cell.metadata["jupyter"] = _FOLDED
        for name in _checked_by(tree):
            if name not in asked:
                raise SourceError(source, line, f"check({name}) stands before its exercise")
            checked.add(name)
            cell.metadata["nbgrader"] = _nbgrader(f"check-{name}", points=EXERCISES[name].points)
    number = int(source.stem[:2])
    wanted = {name for name, exercise in EXERCISES.items() if exercise.chapter == number}
    for missing in sorted(wanted - asked):
        raise SourceError(source, 1, f"the exercise {missing!r} of this chapter is not in it")
    for missing in sorted(asked - checked):
        raise SourceError(source, 1, f"no cell says `{missing} = check({missing})`")


def _parse(code: str, source: Path, line: int) -> ast.Module:
    try:
        return ast.parse(code)
    except SyntaxError as error:
        raise SourceError(source, line + (error.lineno or 0), error.msg) from None


def _exercise_of(code: str, tree: ast.Module, source: Path, line: int) -> str:
    """Return the name of the only exercise in a cell with a solution."""
    if code.count(BEGIN) != 1 or with_stubs(code).count("### ") or code.count(END) != 1:
        raise SourceError(source, line, f"a cell holds one {BEGIN!r} and, after it, one {END!r}")
    begin = code[: code.index(BEGIN)].count("\n") + 1
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.lineno < begin <= (node.end_lineno or 0):
            if node.name not in EXERCISES:
                what = f"no exercise is called {node.name!r}"
                raise SourceError(source, line + node.lineno, what)
            return node.name
    raise SourceError(source, line + begin, "a solution must stand inside a function")


def _checked_by(tree: ast.Module) -> Iterator[str]:
    """Return each x for which a cell says `x = check(x)`."""
    for node in tree.body:
        match node:
            case ast.Assign(
                targets=[ast.Name(id=target)],
                value=ast.Call(func=ast.Name(id="check"), args=[ast.Name(id=argument)]),
            ) if target == argument:
                yield target


def _widget_says_it_all(tree: ast.Module) -> bool:
    """Tell whether a cell only predicts or asks, ends with a reveal, or sets up a widget with a goal."""
    match tree.body:
        case [*_, ast.Expr(value=ast.Call(keywords=given))] if "goal" in [k.arg for k in given]:
            return True
        case [*_, ast.Expr(value=ast.Call(func=ast.Attribute(attr="reveal")))]:
            return True
        case [ast.Expr(value=call)] | [ast.Assign(value=call), ast.Expr(value=ast.Name())]:
            asking = ast.unparse(call.func) if isinstance(call, ast.Call) else ""
            return asking in ("predict", "ask")
    return False


def _keep_the_suspense(lesson: NotebookNode) -> None:
    """Mark the cells between a prediction and its reveal: a lesson shows them unrun."""
    for cell, here in zip(lesson.cells, suspense.of(lesson.cells), strict=True):
        if here.awaited:
            cell.metadata["tags"] = [*cell.metadata.get("tags", []), DIFFERS]


def _nbgrader(grade_id: str, solution: bool = False, points: int | None = None) -> dict[str, Any]:
    marks: dict[str, Any] = {
        "schema_version": 3,
        "grade_id": grade_id,
        "grade": points is not None,
        "solution": solution,
        "locked": points is not None,
        "task": False,
    }
    return marks if points is None else {**marks, "points": points}


# --- executing -------------------------------------------------------------------------------


def run(notebook: NotebookNode, folder: Path, *, with_widgets: bool = False) -> None:
    """Run a notebook in a fresh kernel, as a learner who has done nothing yet.

    `with_widgets` stores the final state of each widget in the notebook's metadata.
    """
    client = NotebookClient(
        notebook,
        timeout=SECONDS_A_CELL,
        kernel_name="python3",
        extra_arguments=["--log-level=ERROR"],
        shutdown_kernel="immediate",  # all that is kept has arrived, and a kernel is slow to shut down
        store_widget_state=with_widgets,
        coalesce_streams=True,
        record_timing=False,
        resources={"metadata": {"path": str(folder)}},
    )
    with tempfile.TemporaryDirectory() as home:
        client.execute(env={**os.environ, "QKVLIB_HOME": home, "PYTHONHASHSEED": "0"})


def execute(notebook: NotebookNode, both: Notebooks) -> None:
    """Run a notebook in a fresh kernel, and keep only the outputs that are the same in every run."""
    try:
        run(notebook, both.source.parent.parent / "lessons")
    except CellExecutionError as error:
        raise _located(error, notebook, both) from None
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.metadata.pop("execution", None)
            differs = DIFFERS in cell.metadata.get("tags", [])
            cell.outputs = [] if differs else [_lasting(output) for output in cell.outputs]
            cell.execution_count = None if differs else cell.execution_count
    notebook.metadata.language_info = NotebookNode(name="python")


def _lasting(output: NotebookNode) -> NotebookNode:
    """Return the output without the widget's id; its picture is shown where no kernel runs."""
    if "data" in output:
        output.data.pop(WIDGET_VIEW, None)
    return output


def _located(error: CellExecutionError, notebook: NotebookNode, both: Notebooks) -> SourceError:
    """Return the line of the failing cell in the source file, and the traceback's line within it."""
    failed = max((i for i, cell in enumerate(notebook.cells) if cell.get("execution_count")), default=0)
    inside = re.findall(r"Cell In\[\d+\], line (\d+)", re.sub(r"\x1b\[[\d;]*m", "", str(error)))
    line = both.lines[notebook.cells[failed].id] + (int(inside[0]) if inside else 0)
    kind = "lesson" if notebook is both.lesson else "solution"
    return SourceError(both.source, line, f"{error.ename}: {error.evalue} (in the {kind})")
