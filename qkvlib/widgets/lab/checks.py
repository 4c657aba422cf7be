"""Check what `AttentionLab` is given; each error says what would fit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import torch
from jaxtyping import Bool
from torch import Tensor

from qkvlib.shapes import need_columns, need_heads, need_mask, need_projections, need_shape
from qkvlib.widgets.kit.goals import Goal, place

MOST_TOKENS = 8
MOST_COLUMNS = 8
MOST_HEADS = 4
FARTHEST = 100.0
WEIGHTS = ("w_q", "w_k", "w_v")
VIEWS = ("weights", "gradients", "both", "backward")
TOUCHABLE = (*WEIGHTS, "mask")
_LONGEST_NAME = 14


def matrix(name: str, given: Any) -> Tensor:
    """Return a copy of a matrix, after checking that its numbers can be drawn."""
    tensor = torch.as_tensor(given).detach().to(dtype=torch.get_default_dtype(), copy=True)
    if tensor.ndim != 2 or not tensor.numel():
        raise ValueError(
            f"{name} has shape {tuple(tensor.shape)}, but the lab draws matrices: "
            f"{name} needs two dimensions, as in [[1.0, 0.5], [0.0, 2.0]]"
        )
    wrong = (~(tensor.abs() <= FARTHEST)).nonzero()
    if len(wrong):
        row, column = wrong[0].tolist()
        raise ValueError(
            f"{name}[{row}, {column}] is {tensor[row, column].item():g}, but every number must be "
            f"between -{FARTHEST:.0f} and {FARTHEST:.0f}"
        )
    return tensor


def check_fit(given: Mapping[str, Tensor], n_heads: int) -> None:
    """Refuse matrices that do not fit together, or that are too large to read."""
    x, w_q, w_k, w_v = (given[name] for name in ("x", *WEIGHTS))
    need_projections(x, w_q, w_k, w_v)
    need_columns("w_k", w_k, w_q.shape[-1], "w_q has {} columns")
    if not 1 <= n_heads <= MOST_HEADS:
        raise ValueError(f"n_heads is {n_heads}, but the lab shows 1 to {MOST_HEADS} heads")
    for name in WEIGHTS:
        need_heads(name, given[name], n_heads)
        _need_few(f"{name} has", given[name].shape[1] // n_heads, MOST_COLUMNS, "columns a head")
    _need_few("x has", len(x), MOST_TOKENS, "tokens")
    _need_few("x has", x.shape[1], MOST_COLUMNS, "features")
    if "target" in given:
        need_shape("target", given["target"], (len(x), w_v.shape[1]), "the output")


def check_mask(given: Any, n: int) -> Bool[Tensor, "n n"]:
    """Return a copy of the mask as [n, n], True where a token may attend; None allows everything."""
    if given is None:
        return torch.ones(n, n, dtype=torch.bool)
    mask = torch.as_tensor(given).detach()
    need_mask(mask, (n, n))
    return mask.broadcast_to(n, n).clone()


def check_names(kind: str, given: Sequence[str] | str | None, count: int, line: str) -> list[str] | None:
    """Return the names of x's rows or columns, a string's words; None if there are none."""
    if given is None:
        return None
    names = given.split() if isinstance(given, str) else list(given)
    if len(names) != count:
        raise ValueError(f"there are {len(names)} {kind}s for {count} {line}s of x: name each {line}")
    for name in names:
        if not 1 <= len(name) <= _LONGEST_NAME:
            raise ValueError(f"the {kind} {name!r} must have 1 to {_LONGEST_NAME} letters")
    return names


def check_frozen(given: Iterable[str]) -> tuple[str, ...]:
    """Return the names of frozen matrices, in the order of the picture."""
    given = list(given)
    for name in given:
        if name not in WEIGHTS:
            raise ValueError(f"frozen names {name!r}, but only w_q, w_k and w_v can be frozen")
    return tuple(name for name in WEIGHTS if name in given)


def check_rate(rate: float) -> float:
    """Return the learning rate, after checking that it can be used."""
    if not 0 < rate <= 1000:
        raise ValueError(f"learning_rate is {rate}, but it must be above 0 and at most 1000")
    return float(rate)


def check_goal(goal: Goal | None, tokens: Sequence[str], n_heads: int) -> None:
    """Refuse a goal that refers to something that is not there."""
    if goal is None:
        return
    for name in goal.touch:
        if name not in TOUCHABLE:
            raise ValueError(f"the goal may touch {name!r}, but the lab has {', '.join(TOUCHABLE)}")
    for condition in goal.conditions:
        for part in ("row", "column"):
            place(getattr(condition, part, 0), tokens)
        head = getattr(condition, "head", 0)
        if head >= n_heads:
            raise ValueError(f"the goal looks at head {head}, but heads run from 0 to {n_heads - 1}")


def check_view(view: str, has_target: bool) -> None:
    """Refuse a view that has nothing to show."""
    if view not in VIEWS:
        raise ValueError(f"view is {view!r}, but the lab has {', '.join(VIEWS)}")
    if view != "weights" and not has_target:
        raise ValueError(f"the view {view!r} shows gradients, and without a target there are none")


def _need_few(whose: str, count: int, most: int, what: str) -> None:
    if count > most:
        raise ValueError(
            f"{whose} {count} {what}, but the lab draws at most {most}, so that every number can "
            f"be read: take fewer {what}"
        )
