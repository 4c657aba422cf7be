"""Check the points that a widget is given: each error says what would fit."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

_MOST_KEYS = 5
_FARTHEST = 1000.0
_LONGEST_NAME = 14


def points(name: str, given: Any, *, many: bool) -> Tensor:
    """Return a copy of one point [2], or of several [n, 2], after checking that they can be drawn."""
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
    """Return the keys' names: the given ones, or k₁, k₂ and so on."""
    if given is None:
        return [f"k{'₁₂₃₄₅'[i]}" for i in range(count)]
    if len(given) != count:
        raise ValueError(f"there are {len(given)} names for {count} keys: give one for each key")
    for name in given:
        if not 1 <= len(name) <= _LONGEST_NAME:
            raise ValueError(f"the name {name!r} must have 1 to {_LONGEST_NAME} letters")
    return list(given)


def room(query: Tensor, keys: Tensor) -> float:
    """Return how far the plane should reach: a little further than the longest vector, and a round number."""
    farthest = 1.15 * _longest(query, keys)
    unit = 10.0 ** math.floor(math.log10(farthest)) if farthest > 1 else 1.0
    return next(n * unit for n in (1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0) if n * unit >= farthest)


def limit(given: float | None, query: Tensor, keys: Tensor) -> float:
    """Return how long a learner can make an arrow: the given limit, if the arrows fit, or else `room`."""
    if given is None:
        return room(query, keys)
    if not _longest(query, keys) <= given <= _FARTHEST:
        raise ValueError(
            f"limit is {given}, but it must be at least {_longest(query, keys):.2f}, which is how "
            f"long the longest arrow is, and at most {_FARTHEST:.0f}"
        )
    return float(given)


def _longest(query: Tensor, keys: Tensor) -> float:
    return max(query.norm().item(), keys.norm(dim=-1).max().item())
