"""Test sentences that have two versions in their source: one for a notebook, one for a page."""

from __future__ import annotations

from pathlib import Path

import pytest

from qkvlib.tools.authoring import build, wordings
from qkvlib.tools.authoring.wordings import in_notebook, on_page

ROOT = Path(__file__).parents[3]


def test_each_place_says_its_own_wording_and_all_else_is_shared() -> None:
    text = "{notebook: Run the cell, then drag|page: Drag} $\\frac{1}{2}$.{notebook: Twice.|page:}"
    assert in_notebook(text) == "Run the cell, then drag $\\frac{1}{2}$.Twice."
    assert on_page(text) == "Drag $\\frac{1}{2}$."


def test_a_wording_can_go_over_the_end_of_a_line() -> None:
    text = "(Write {notebook: your answer in\nthe cell below|page: it\nhere}.)"
    assert in_notebook(text) == "(Write your answer in\nthe cell below.)"
    assert on_page(text) == "(Write it\nhere.)"


@pytest.mark.parametrize("half", ["{notebook: Run it.}", "Run it|page: Drag}"])
def test_half_of_two_wordings_is_refused(half: str) -> None:
    with pytest.raises(ValueError, match=r"write both, \{notebook: \.\.\.\|page: \.\.\.\}"):
        in_notebook(half)


def test_a_page_speaks_of_no_cell_that_one_runs() -> None:
    chapters = [build.read(source) for source in build.sources(ROOT)]
    cells = [(one, cell) for one in chapters for cell in one.lesson.cells]
    texts = [(one, cell) for one, cell in cells if cell.cell_type == "markdown"]
    notebook = " ".join(cell.source for _, cell in texts)
    page = " ".join(one.on_page.get(cell.id, cell.source) for one, cell in texts)
    for word in ("Shift+Enter", "Run All", "double-click", "press Esc", "in the cell above"):
        assert word in notebook
        assert word not in page
    assert not wordings._HALF.search(notebook + page)
