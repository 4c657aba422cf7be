"""Test that every figure in a lesson's text was produced by a cell.

A figure is a number written in digits, except

- a whole number up to 12 (2 heads); the number of a chapter;
- a year, 1700 to 2099; a section of a paper; an angle of 45 or 90 degrees; the minutes that a
  chapter takes; the number before a question of the quiz;
- anything in a formula between $ signs, in `code`, in a link's address or in a comment.

Every figure must occur in the chapter's code, as a setting, or in the output of its solved notebook
(as a share or as a percentage). No test can check that it means the same thing there: a person
must read it.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).parents[3]
SOLVED = sorted((ROOT / "solutions").glob("[0-9]*.ipynb"))
LARGEST_SMALL = 12

_NOT_PROSE = re.compile(r"<!--.*?-->|\$\$.*?\$\$|\$[^$\n]*(?:\n[^$\n]*)?\$|`[^`]*`|\]\([^)]*\)", re.DOTALL)
_ALLOWED = re.compile(
    r"\*It takes\* about \d+ minutes|\b(?:1[789]|20)\d\d\b|\b(?:45|90) degrees"
    r"|\b[Cc]hapters?\s\d+(?:\sand\s\d+)?|\bsections? \d+\.\d+|\b\d+\\\. "
)
_NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?!\w)")


def figures(text: str) -> list[str]:
    """Return the figures in a text cell, as they are written."""
    prose = _ALLOWED.sub(" ", _NOT_PROSE.sub(" ", text))
    found = [number.strip(",") for number in _NUMBER.findall(prose)]
    return [number for number in found if not (number.isdigit() and int(number) <= LARGEST_SMALL)]


def numbers_of(notebook: nbformat.NotebookNode) -> set[float]:
    """Return all numbers in the code and in the printed outputs of a notebook."""
    written: list[str] = []
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        written += [
            str(node.value) for node in ast.walk(ast.parse(cell.source)) if isinstance(node, ast.Constant)
        ]
        for output in cell.outputs:
            written.append(output.get("text", ""))
            written.append(output.get("data", {}).get("text/plain", ""))
    return {value(number) for text in written for number in re.findall(r"\d[\d,]*\.?\d*", text)}


def value(number: str) -> float:
    return float(number.replace(",", "").rstrip("."))


def unfounded(notebook: nbformat.NotebookNode) -> list[str]:
    """Return the figures in a notebook's text that none of its cells contains."""
    known = numbers_of(notebook)
    shares = {round(number / 100, 6) for number in known} | {round(100 * n, 6) for n in known}
    texts = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    return [
        f"{number} in {' '.join(text.split())[:60]!r}"
        for text in texts
        for number in figures(text)
        if value(number) not in known | shares
    ]


@pytest.mark.parametrize("path", SOLVED, ids=lambda path: path.stem)
def test_every_figure_in_the_text_comes_from_a_cell(path: Path) -> None:
    assert unfounded(nbformat.read(path, as_version=4)) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Two heads, 3 layers, chapter 12, and `x[27]`.", []),
        ("The loss is 0.37, right on 99% of 4,000 sentences.", ["0.37", "99", "4,000"]),
        ("In $d_k = 64$ dimensions,\n\n$$x = 0.5$$", []),
        ("Vaswani and others, 2017; *It takes* about 75 minutes.", []),
        ("W_Q of layer2 [here](03_projections.ipynb) <!-- answer: 99 -->", []),
    ],
)
def test_a_figure_is_told_from_a_name(text: str, found: list[str]) -> None:
    assert figures(text) == found


def test_a_figure_that_no_cell_has_is_reported() -> None:
    cells = [
        nbformat.v4.new_markdown_cell("After 300 steps: 0.98, or 98%. Before: 0.17."),
        nbformat.v4.new_code_cell(
            "steps = 300", outputs=[nbformat.v4.new_output("stream", text="0.98 right")]
        ),
    ]
    (found,) = unfounded(nbformat.v4.new_notebook(cells=cells))
    assert found.startswith("0.17 in")
