"""Read what a learner chose by hand: matrices whose entries are written down, not computed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor

from qkvlib.exercises.kit.comparison import Objection, as_expected, kind_of


def chosen(value: Any, rows: Mapping[str, int]) -> dict[str, Tensor] | Objection:
    """Return the matrices by name, as float32, or what is wrong with them. `rows` says how many rows each
    needs.

    Whole numbers are accepted: by hand you write 1, not 1.0.
    """
    names = ", ".join(f"`{name}`" for name in rows)
    if not isinstance(value, (tuple, list)) or len(value) != len(rows):
        return Objection(f"Your function returned {kind_of(value)}. Return {names}, in this order.")
    matrices = {}
    for (name, wanted), matrix in zip(rows.items(), value, strict=True):
        matrix = as_expected(matrix, torch.zeros(1, 1))
        if isinstance(matrix, (list, tuple)):
            return Objection(
                f"`{name}` is {kind_of(matrix)}. A matrix has rows that are equally long: "
                "`torch.tensor([[1.0, 0.0], [0.0, 1.0]])`"
            )
        if not isinstance(matrix, Tensor) or matrix.ndim != 2 or matrix.shape[0] != wanted:
            return Objection(
                f"`{name}` is {kind_of(matrix)}. It needs {wanted} rows, one for each number of an input "
                "vector, and any number of columns."
            )
        if not matrix.numel() or matrix.dtype.is_complex or not matrix.isfinite().all():
            return Objection(f"`{name}` needs at least one column, and ordinary numbers: real and finite.")
        matrices[name] = matrix.detach().to(torch.float32)
    return matrices


def of_equal_width(w_q: Tensor, w_k: Tensor) -> Objection | None:
    """Return an objection if queries and keys could not be compared."""
    if w_q.shape[1] == w_k.shape[1]:
        return None
    return Objection(
        f"`w_q` has {w_q.shape[1]} columns and `w_k` has {w_k.shape[1]}. Queries and keys are "
        "compared element by element, so both need the same width."
    )
