"""Test that the shapes in a lesson's docstring are the ones that the check tries."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

import pytest
from torch import Tensor

from qkvlib.exercises import EXERCISES
from tests.exercises.lessons import FOLDER, cells_of

SHAPE = r"\[[^\[\]]*\]"
# One or more names, then their possible shapes: "q and k [n, d_k]", "mask [n, m] or None".
STATED = re.compile(rf"((?:\w+(?:, | and ))*\w+) ({SHAPE}(?:(?:, | or ){SHAPE})*)")


def _docstrings() -> Iterator[tuple[str, str]]:
    for lesson in sorted(FOLDER.glob("*.py")):
        for cell in cells_of(lesson, whole=True):
            if not re.search(r"^def ", cell, re.MULTILINE):
                continue
            for node in ast.parse(cell).body:
                if isinstance(node, ast.FunctionDef) and node.name in EXERCISES:
                    yield node.name, ast.get_docstring(node) or ""


DOCSTRINGS = dict(_docstrings())


def stated(docstring: str) -> dict[str, list[list[str]]]:
    """Return for each name the shapes before the arrow, each as a list of sizes."""
    found: dict[str, list[list[str]]] = {}
    for names, shapes in STATED.findall(docstring.partition("->")[0]):
        sizes = [shape.strip("[]").split(", ") for shape in re.findall(SHAPE, shapes)]
        found |= dict.fromkeys(re.split(", | and ", names), sizes)
    return found


def fits(value: Any, shapes: list[list[str]]) -> bool:
    """Return whether a tensor has as many dimensions as one of the shapes; dots match any number."""
    return not isinstance(value, Tensor) or any(
        value.ndim == len(shape) or (shape[0] == "..." and value.ndim >= len(shape) - 1) for shape in shapes
    )


@pytest.mark.parametrize("name", [name for name in EXERCISES if EXERCISES[name].arguments])
def test_every_tensor_that_is_tried_has_a_shape_that_the_docstring_states(name: str) -> None:
    shapes = stated(DOCSTRINGS[name])
    for case in EXERCISES[name].draw(0):
        for argument, value in zip(EXERCISES[name].arguments, case.inputs, strict=False):
            if isinstance(value, Tensor):
                assert argument in shapes, f"{argument} has no shape"
                assert fits(value, shapes[argument]), f"{argument} {list(value.shape)}: {case.what}"


def test_a_batch_does_not_fit_the_shape_of_a_matrix() -> None:
    shapes = stated("Attention.\n\nq and k [..., n, d_k], mask [n, m] or None -> output [n, d_v]")
    assert shapes == {"q": [["...", "n", "d_k"]], "k": [["...", "n", "d_k"]], "mask": [["n", "m"]]}
    batch = Tensor(2, 3, 4)
    assert fits(batch, shapes["q"])
    assert not fits(batch, shapes["mask"])
