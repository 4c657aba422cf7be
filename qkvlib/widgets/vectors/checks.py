"""The checks on what `Vectors` is given; each says what would fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

_MOST_KEYS = 5
_FARTHEST = 1000.0
_LONGEST_NAME = 14


def points(name: str, given: Any, *, many: bool) -> Tensor:
    """A copy of one point [2], or of several [n 2], after checking that they can be drawn."""
    tensor = torch.as_tensor(given).detach().to(dtype=torch.get_default_dtype(), copy=True)
    shape = tuple(tensor.shape)
    if not many and shape != (2,):
        raise ValueError(
            f"{name} has shape {shape}, but a vector in the plane has 2 numbers, like [1.0, 0.5]"
        )
    if many and (tensor.ndim != 2 or shape[1] != 2 or not 1 <= shape[0] <= _MOST_KEYS):
        raise ValueError(
            f"{name} has shape {shape}, but this widget draws 1 to {_MOST_KEYS} of them, "
            "each with 2 numbers, like [[1.0, 0.5], [0.0, 2.0]]"
        )
    if not tensor.abs().le(_FARTHEST).all():
        raise ValueError(
            f"{name} is {tensor.tolist()}, but every number must be between "
            f"-{_FARTHEST:.0f} and {_FARTHEST:.0f}"
        )
    return tensor


def names(given: Sequence[str] | None, count: int) -> list[str]:
    """The keys' names: those given, or k₁, k₂ and so on."""
    if given is None:
        return [f"k{'₁₂₃₄₅'[i]}" for i in range(count)]
    if len(given) != count:
        raise ValueError(f"there are {len(given)} names for {count} keys: give one for each key")
    for name in given:
        if not 1 <= len(name) <= _LONGEST_NAME:
            raise ValueError(f"the name {name!r} must have 1 to {_LONGEST_NAME} letters")
    return list(given)
