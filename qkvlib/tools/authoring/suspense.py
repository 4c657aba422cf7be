"""Find which predictions are open at each cell of a lesson: nothing of their outcome may show there."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from nbformat import NotebookNode


@dataclass(frozen=True)
class Suspense:
    """One cell's predictions, by the names under which they are kept."""

    awaited: tuple[str, ...]
    """The predictions that are asked above it, and not revealed above it."""
    asks: str
    """The prediction that it asks, and that a cell below reveals."""


def of(cells: Sequence[NotebookNode]) -> list[Suspense]:
    """Return the suspense of each cell, in order."""
    open_predictions: dict[str, str] = {}  # by the variable that reveals them
    found = []
    for cell in cells:
        tree = ast.parse(cell.source) if cell.cell_type == "code" else ast.Module([], [])
        awaited = tuple(open_predictions.values())
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
            if isinstance(call.func, ast.Attribute) and call.func.attr == "reveal":
                open_predictions.pop(ast.unparse(call.func.value), None)
        asks = ""
        match tree.body:
            case [
                ast.Assign(
                    targets=[ast.Name(id=variable)],
                    value=ast.Call(func=ast.Name(id="predict"), args=[ast.Constant(value=name), *_]),
                ),
                *_,
            ]:
                asks = open_predictions[variable] = str(name)
        found.append(Suspense(awaited, asks))
    return found
