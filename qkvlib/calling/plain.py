"""Reduce the result of somebody's function to plain values.

A subclass can redefine anything: that it equals everything, that it has no text. After this step, looking at
the value runs none of its code. The grader does not rely on this: no object of a learner's ever reaches it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

_DEEPEST, _MOST_PARTS, _MOST_NUMBERS = 8, 100_000, 10_000_000


class Opaque:
    """A placeholder for a value that is not accepted: only its type is known."""

    def __init__(self, type_name: str) -> None:
        self.type_name = type_name

    def __repr__(self) -> str:
        return f"<{self.type_name}>"


def plain(value: Any) -> Any:
    """Return the value as Python's own numbers, texts, lists, tuples, dictionaries and torch's tensors.

    NumPy's values become torch's. Anything else becomes Opaque; so does a value that contains itself, or
    has too many parts to look at.
    """
    try:
        return _plain(value, 0, [_MOST_PARTS])
    except Exception:  # too many parts, or an unforeseen fault
        return Opaque(type_name(type(value)))


def _plain(value: Any, depth: int, left: list[int]) -> Any:
    """Convert a value; `left` counts down how many parts may still be looked at."""
    kind = type(value)
    if kind is Tensor:  # nearly always
        return _plain_tensor(value)
    if value is None or kind is bool or kind is int or kind is float or kind is Opaque:
        return value
    if kind is str:
        return readable(value)
    if isinstance(value, Tensor):
        return _plain_tensor(value)
    if isinstance(value, (np.ndarray, np.generic)):
        return _from_numpy(value)
    for base, read in _READ.items():
        if isinstance(value, base):
            return read(value)
    for collection in (dict, list, tuple):
        if isinstance(value, collection):
            return _plain_parts(value, collection, depth, left)
    return Opaque(type_name(kind))


def _plain_parts(value: Any, kind: Any, depth: int, left: list[int]) -> Any:
    left[0] -= kind.__len__(value)
    if left[0] < 0:
        raise OverflowError("more parts than anybody could look at")
    if depth == _DEEPEST:
        return Opaque(type_name(type(value)))
    if kind is not dict:
        return kind(_plain(part, depth + 1, left) for part in list(kind.__iter__(value)))
    pairs = list(dict.items(value))
    if not all(type(name) is str for name, _ in pairs):
        return Opaque(type_name(type(value)))
    return {name: _plain(part, depth + 1, left) for name, part in pairs}


# Each reads the number or text of a subclass, ignoring whatever methods the subclass defines.
_READ: dict[type, Any] = {
    int: int.__index__,
    float: float.__float__,
    str: lambda value: readable(str.__str__(value)),
}


def readable(text: str) -> str:
    """Return the text with a question mark for each lone surrogate, which cannot be sent or stored."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _plain_tensor(value: Any) -> Any:
    kind = type(value)
    with torch._C.DisableTorchFunctionSubclass():
        if value.is_nested:
            return Opaque("nested tensor")
        if (kind is not Tensor and kind is not torch.nn.Parameter) or vars(value):
            value = Tensor.as_subclass(value, Tensor)
        try:  # resolve a lazy negation, which much of torch cannot read
            return value.resolve_neg() if Tensor.is_neg(value) else value
        except NotImplementedError:  # booleans have no sign
            return Opaque("tensor")


def _from_numpy(value: Any) -> Any:
    plain_array = np.asarray(value)
    if plain_array.dtype.kind not in "biuf" or plain_array.size > _MOST_NUMBERS:
        return Opaque(type_name(type(value)))
    wider = plain_array.dtype.kind == "f" and plain_array.dtype.itemsize > 8  # torch has no wider type
    own = np.dtype(np.float64) if wider else plain_array.dtype.newbyteorder("=")
    if not plain_array.ndim:
        return plain_array.astype(own).item()
    return torch.from_numpy(np.array(plain_array.astype(own)))


def type_name(kind: type) -> str:
    """Return the name of a type."""
    return readable(kind.__name__[:80])
