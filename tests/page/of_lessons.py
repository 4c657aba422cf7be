"""Make the lessons' widgets as the lessons do, to test what a learner sees."""

from __future__ import annotations

import ast
from collections.abc import Callable
from contextlib import redirect_stdout
from functools import partial
from io import StringIO
from typing import Any

import torch

from qkvlib.widgets import AttentionLab
from tests.exercises.lessons import FOLDER, cells_of, needed_by, trained_for_moments

_KEPT = "the_widget"


def of_lesson(chapter: str, begins: str = "AttentionLab(") -> Any:
    """Return the first widget of a lesson whose line begins so; run only the cells that it needs."""
    (lesson,) = FOLDER.glob(f"{chapter}_*.py")
    cells = cells_of(lesson)
    place = next(place for place, cell in enumerate(cells) if f"\n{begins}" in f"\n{cell}")
    names: dict[str, Any] = {"__name__": "__main__"}
    with redirect_stdout(StringIO()), trained_for_moments():
        for cell in needed_by(cells, place):
            exec(compile(_keeping_the_widget(cell, begins), "<cell>", "exec"), names)
    return names[_KEPT]


def _keeping_the_widget(cell: str, begins: str) -> ast.Module:
    """Parse the cell, and give a name to a widget that it only displays."""
    tree = ast.parse(cell)
    for at, line in enumerate(tree.body):
        if isinstance(line, ast.Expr) and ast.unparse(line).startswith(begins):
            tree.body[at] = ast.Assign([ast.Name(_KEPT, ast.Store())], line.value)
    return ast.fix_missing_locations(tree)


def two_heads() -> AttentionLab:
    """Make the lab of chapter 8: two heads on one x."""
    x, named = of_lesson("03").x, {"tokens": ["law", "old", "its", "spirit", "young"], "n_heads": 2}
    torch.manual_seed(8)
    ws = [0.7 * torch.randn(4, 4) for _ in range(3)]
    features = ["thing", "age", "points back", "mind"]
    return AttentionLab(x, *ws, torch.randn(5, 4), features=features, **named)


def nameless() -> AttentionLab:
    """Make a lab without any names, three numbers wide."""
    torch.manual_seed(3)
    ws = [0.6 * torch.randn(4, 3) for _ in range(3)]
    return AttentionLab(torch.randn(4, 4), *ws, torch.randn(4, 3))


CHAPTERS = {
    "its_law": "03",
    "loss": "04",
    "nobody_labelled": "05",
    "bank": "06",
    "causal": "07",
    "copies": "09",
    "two_its": "11",
    "empty_card": "13",
}
LABS: dict[str, Callable[[], AttentionLab]] = {
    **{name: partial(of_lesson, chapter) for name, chapter in CHAPTERS.items()},
    "two_heads": two_heads,
    "nameless": nameless,
}
TRAINED = ("loss", "nobody_labelled", "two_heads", "copies", "nameless")
