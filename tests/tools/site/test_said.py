"""What a lesson says of its notebook is said in another way on a page."""

from __future__ import annotations

import nbformat
import pytest

from qkvlib.tools.site.said import SAID, as_said_here
from tests.tools.site.conftest import ROOT

LESSONS = [nbformat.read(path, as_version=4) for path in sorted(ROOT.glob("lessons/*.ipynb"))]
TEXT = " ".join(
    " ".join(cell.source.split())
    for lesson in LESSONS
    for cell in lesson.cells
    if cell.cell_type == "markdown"
)


@pytest.mark.parametrize("said", SAID)
def test_every_sentence_that_is_changed_is_in_a_lesson(said: str) -> None:
    assert said in TEXT


def test_a_page_speaks_of_no_cell_that_one_runs() -> None:
    here = as_said_here(TEXT)
    for word in ("Shift+Enter", "Run All", "double-click", "press Esc", "in the cell above"):
        assert word in TEXT
        assert word not in here


def test_a_longer_sentence_goes_before_a_part_of_it() -> None:
    long = "The next cell checks it. If you are stuck, open a hint under the verdict."
    assert as_said_here(long) == "*Check* tries it. If you are stuck, open a hint."


def test_where_a_line_ends_does_not_matter() -> None:
    assert as_said_here("(Write your answer in\nthe cell below: double-click it.)") == (
        "(Write your answer below.)"
    )
