"""What a stranger's function gave back, made of nothing but plain values.

An object may say anything of itself: that it equals everything, that it has no text, that it is a
tensor. Whatever is looked at after this runs none of its code.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

_DEEPEST, _MOST_PARTS = 8, 100_000


class Opaque:
    """Stands for a value that has no business here: only its type is known."""

    def __init__(self, type_name: str) -> None:
        self.type_name = type_name

    def __repr__(self) -> str:
        return f"<{self.type_name}>"


def plain(value: Any, depth: int = 0) -> Any:
    """The same as Python's own numbers, texts, lists, tuples, dictionaries and torch's tensors.

    What NumPy made becomes torch's. Anything else is Opaque; so is what holds itself.
    """
    kind = type(value)
    if value is None or kind in (bool, int, float, Opaque):
        return value
    if kind is str:
        return readable(value)
    if issubclass(kind, Tensor):
        return _plain_tensor(value)
    if issubclass(kind, (np.ndarray, np.generic)):
        return _from_numpy(value)
    for base, read in _READ.items():
        if issubclass(kind, base):
            return read(value)
    if depth == _DEEPEST:
        return Opaque(type_name(kind))
    if issubclass(kind, dict):
        pairs = dict.items(value)
        if len(pairs) <= _MOST_PARTS and all(type(name) is str for name, _ in pairs):
            return {name: plain(part, depth + 1) for name, part in list(pairs)}
    for sequence in (list, tuple):
        if issubclass(kind, sequence) and sequence.__len__(value) <= _MOST_PARTS:
            return sequence(plain(part, depth + 1) for part in list(sequence.__iter__(value)))
    return Opaque(type_name(kind))


# Each reads a number or a text of its own subclasses, past whatever those define.
_READ: dict[type, Any] = {
    int: int.__index__, float: float.__float__, str: lambda value: readable(str.__str__(value)),
}  # fmt: skip


def readable(text: str) -> str:
    """The text with a question mark for half a letter, which can be neither sent nor kept."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _plain_tensor(value: Any) -> Any:
    kind = type(value)
    # With __torch_dispatch__ a tensor's numbers are made by its own code, at every step.
    own = kind.__torch_dispatch__ is not Tensor.__torch_dispatch__
    with torch._C.DisableTorchFunctionSubclass():
        if own:
            return Opaque(type_name(kind))
        if Tensor.is_nested.__get__(value):  # type: ignore[attr-defined]
            return Opaque("nested tensor")
        if kind not in (Tensor, torch.nn.Parameter) or vars(value):
            value = Tensor.as_subclass(value, Tensor)
        try:  # a sign that is only noted down, which much of torch does not know how to read
            return value.resolve_neg() if Tensor.is_neg(value) else value
        except NotImplementedError:  # True and False have no sign
            return Opaque("tensor")


def _from_numpy(value: Any) -> Any:
    plain_array = np.asarray(np.ndarray.view(value, np.ndarray) if value.ndim else value)
    if plain_array.dtype.kind not in "biuf":
        return Opaque(type_name(type(value)))
    wider = plain_array.dtype.kind == "f" and plain_array.dtype.itemsize > 8  # torch has no wider
    own = np.dtype(np.float64) if wider else plain_array.dtype.newbyteorder("=")
    if not plain_array.ndim:
        return plain_array.astype(own).item()
    return torch.from_numpy(np.array(plain_array.astype(own)))


def type_name(kind: type) -> str:
    """The name of a type, whatever its own type says."""
    return readable(str(type.__dict__["__name__"].__get__(kind))[:80])
