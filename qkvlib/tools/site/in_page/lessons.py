"""Find the imports above an exercise in its lesson, because an answer may use them."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import nbformat

# The parts of the mathematics that lessons import. Everything else that they import shows or trains
# something.
_THERE = (
    *("qkvlib.attention", "qkvlib.cached", "qkvlib.gradients", "qkvlib.masks"),
    *("qkvlib.models.blocks", "qkvlib.multi_head", "qkvlib.positions", "qkvlib.sampling"),
    "qkvlib.training.optimisers",
)
_NAMES = {"qkvlib": {name.split(".")[1] for name in _THERE}, "qkvlib.training": {"sgd_step"}}


def before_each(lessons: Path) -> dict[str, str]:
    """Return, for each exercise, the imports of its lesson up to it, as lines of code."""
    found = {}
    for path in sorted(lessons.glob("[0-9][0-9]_*.ipynb")):
        lines: dict[str, None] = {}
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type != "code":
                continue
            lines |= dict.fromkeys(_imports(cell.source))
            marks = cell.metadata.get("nbgrader", {})
            if marks.get("solution"):
                found[marks["grade_id"]] = "".join(f"{line}\n" for line in lines)
    return found


def _imports(source: str) -> Iterator[str]:
    try:
        tree = ast.parse(source)
    except SyntaxError:  # an IPython command, such as %pip
        return
    for node in tree.body:
        if isinstance(node, ast.Import):
            names = [each for each in node.names if _is_there(each.name, "")]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [each for each in node.names if _is_there(node.module, each.name)]
        else:
            continue
        for each in names:
            node.names = [each]
            yield ast.unparse(node)


def _is_there(module: str, name: str) -> bool:
    top = module.split(".")[0]
    if top == "qkvlib":
        return module in _THERE or name in _NAMES.get(module, ())
    return top == "torch" or top in sys.stdlib_module_names
