"""Torch's own functions that somebody has put others in the place of: noticed, and put back.

A verdict compares with torch. Where `torch.isclose` always says yes, everything would be right.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812 (torch's own name for it)

# What a verdict leans on. Not all that torch has: it changes some of that itself, when it needs it.
_LEANED_ON: tuple[tuple[Any, str, tuple[str, ...]], ...] = (
    (torch, "torch", (
        "all", "allclose", "any", "arange", "cat", "einsum", "empty_strided", "equal", "exp", "eye",
        "full_like", "isclose", "isfinite", "isnan", "linspace", "matmul", "ones", "ones_like",
        "rand", "randint", "randn", "softmax", "stack", "tensor", "where", "xlogy", "zeros",
        "zeros_like",
    )),
    (F, "F", ("cross_entropy", "layer_norm", "relu", "scaled_dot_product_attention", "softmax")),
)  # fmt: skip
_OWN = {(owner, name): getattr(owner, name) for owner, _, names in _LEANED_ON for name in names}
_METHODS = dict(vars(Tensor))
_INHERITED = frozenset(vars(torch._C.TensorBase))


def restore() -> list[str]:
    """The names of what was not torch's own; from now on it is again."""
    found = []
    for owner, called, names in _LEANED_ON:
        for name in names:
            if getattr(owner, name, None) is not (own := _OWN[owner, name]):
                setattr(owner, name, own)
                found.append(f"{called}.{name}")
    if vars(Tensor) != _METHODS:
        found += [f"Tensor.{name}" for name in _restored_methods()]
    return found


def _restored_methods() -> list[str]:
    now = dict(vars(Tensor))
    added = [name for name in now if name not in _METHODS and name in _INHERITED]
    for name in added:
        delattr(Tensor, name)  # what it hides is torch's
    changed = [name for name, own in _METHODS.items() if now.get(name) is not own]
    for name in changed:
        setattr(Tensor, name, _METHODS[name])
    return added + changed
