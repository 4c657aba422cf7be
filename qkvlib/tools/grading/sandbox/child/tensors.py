"""Values as JSON and raw bytes: tensors, numbers, texts, None, and lists, tuples, dicts of them.

`pack` runs on the side that has the value. `unpack` trusts nothing: dtypes come from a table, and what a
shape needs is checked against the bytes that are there, which are in the tensors' order. Only exact built-in
types are sent. Of anything else only the type's name is sent, so that no object of a learner's ever reaches a
grader.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from .protocol import ProtocolError, Tree
from .text import clean

DTYPES: dict[str, torch.dtype] = {
    str(dtype).removeprefix("torch."): dtype
    for dtype in (
        torch.bool,
        torch.uint8,
        torch.int8,
        torch.int16,
        torch.int32,
        torch.int64,
        torch.float16,
        torch.bfloat16,
        torch.float32,
        torch.float64,
        torch.complex64,
        torch.complex128,
    )
}
_NAMES = {dtype: name for name, dtype in DTYPES.items()}
_MOST_DIMENSIONS = 8
_MOST_NUMBERS = 1 << 22
_LONGEST_TEXT = 4_000


class UnsentValue:
    """Stands for a value that was not sent: only its type is known."""

    def __init__(self, type_name: str) -> None:
        self.type_name = type_name


class Packed(NamedTuple):
    """A value on its way: the JSON `tree`, and the tensors' bytes in the same order."""

    tree: Tree
    payload: bytes


def pack(value: Any, keep_strides: bool = False) -> Packed:
    """Pack a value for sending; `keep_strides` sends a strided tensor with its layout in memory."""
    chunks: list[bytes] = []
    tree = _pack(value, chunks, keep_strides, depth=0)
    return Packed(tree, b"".join(chunks))


def _pack(value: Any, chunks: list[bytes], keep_strides: bool, depth: int) -> Tree:
    if isinstance(value, (np.ndarray, np.generic)):
        value = _from_numpy(value)
    kind = type(value)
    if value is None or kind is bool or kind is float:
        return value
    if kind is int:
        return value if abs(value) < 1 << 63 else {"o": "int"}
    if kind is str:
        return value[:_LONGEST_TEXT]
    if depth < 8 and isinstance(value, tuple):
        return {"u": [_pack(x, chunks, keep_strides, depth + 1) for x in tuple.__iter__(value)]}
    if depth < 8 and kind is list:
        return {"l": [_pack(x, chunks, keep_strides, depth + 1) for x in value]}
    if depth < 8 and kind is dict and all(type(k) is str for k in value):
        return {"d": {k: _pack(v, chunks, keep_strides, depth + 1) for k, v in value.items()}}
    if kind in (Tensor, torch.nn.Parameter) and _can_travel(value := _dense(value)):
        return {"t": _pack_tensor(value, chunks, keep_strides)}
    return {"o": str(kind.__name__)[:80]}


def _from_numpy(value: Any) -> Any:
    """Convert what NumPy made to torch; return the value itself if torch has no such numbers."""
    if value.dtype.kind not in "biuf":
        return value
    return torch.from_numpy(np.array(value)) if value.ndim else value.item()


def _dense(tensor: Tensor) -> Tensor:
    """Return a dense tensor, if it does not have too many numbers: a right result may be sparse."""
    lies_otherwise = tensor.layout is not torch.strided and tensor.device.type == "cpu"
    return tensor.to_dense() if lies_otherwise and tensor.numel() <= _MOST_NUMBERS else tensor


def _can_travel(tensor: Tensor) -> bool:
    return (
        tensor.layout is torch.strided
        and tensor.device.type == "cpu"
        and tensor.dtype in _NAMES
        and tensor.ndim <= _MOST_DIMENSIONS
    )


def _pack_tensor(tensor: Tensor, chunks: list[bytes], keep_strides: bool) -> Tree:
    header: Tree = {"dtype": _NAMES[tensor.dtype], "shape": list(tensor.shape)}
    data = tensor.detach()
    if data.is_conj() or data.is_neg():
        data = data.resolve_conj().resolve_neg()
    if keep_strides and not data.is_contiguous():
        header["stride"] = list(data.stride())
        # Fresh zeros between the numbers, so that other contents of our memory are not sent.
        lying = torch.zeros(_span(data.shape, data.stride()), dtype=data.dtype)
        lying.as_strided(data.shape, data.stride()).copy_(data)
        data = lying
    if data.dtype is torch.bfloat16:  # NumPy has no such type
        data = data.view(torch.int16)
    chunks.append(data.numpy().tobytes())
    if tensor.requires_grad:
        header["wants_grad"] = True
        if tensor.is_leaf and tensor.grad is not None:
            header["grad"] = _pack_tensor(tensor.grad, chunks, keep_strides)
    return header


def _span(shape: Any, stride: Any) -> int:
    """Return how many numbers of memory a strided tensor spans."""
    return 1 + sum((d - 1) * s for d, s in zip(shape, stride, strict=True)) if 0 not in shape else 0


def unpack(
    tree: Tree, payload: bytes, strided: bool = False, unsent: Callable[[str], Any] = UnsentValue
) -> Any:
    """Return the value that `pack` packed; raise ProtocolError if anything is not as it must be.

    `strided` tensors are accepted only from a grader: a few bytes of them can stand for many numbers.
    `unsent` makes what stands for a value that was not sent, from the name of its type.
    """
    reader = _Reader(payload, strided, unsent)
    try:
        value = reader.value(tree)
    except (KeyError, TypeError, ValueError, RuntimeError, OverflowError, AttributeError) as error:
        raise ProtocolError(f"a value cannot be read: {type(error).__name__}") from None
    if reader.at != len(payload):
        raise ProtocolError("the tensors and the bytes that came with them do not match")
    return value


@dataclass
class _Reader:
    payload: bytes
    strided: bool
    unsent: Callable[[str], Any]
    at: int = 0  # how many bytes the tensors so far have taken

    def value(self, tree: Tree) -> Any:
        if tree is None or type(tree) in (bool, int, float):
            return tree
        if type(tree) is str:
            return tree[:_LONGEST_TEXT]
        if type(tree) is not dict or len(tree) != 1:
            raise ProtocolError("a value is of no known kind")
        ((kind, inner),) = tree.items()
        if kind == "u" and type(inner) is list:
            return tuple(self.value(x) for x in inner)
        if kind == "l" and type(inner) is list:
            return [self.value(x) for x in inner]
        if kind == "d" and type(inner) is dict:
            return {k: self.value(v) for k, v in inner.items()}
        if kind == "t" and type(inner) is dict:
            return self.tensor(inner)
        if kind == "o" and type(inner) is str:
            return self.unsent(clean(inner, 80))
        raise ProtocolError("a value is of no known kind")

    def tensor(self, header: Tree) -> Tensor:
        dtype, shape = DTYPES[header["dtype"]], header["shape"]
        stride = header.get("stride") if self.strided else None
        _check_dimensions(shape)
        if stride is not None:
            _check_dimensions(stride)
        count = math.prod(shape) if stride is None else _span(shape, stride)
        # Sizes of empty tensors count as well: numpy refuses (0, 2**24, 2**24, 2**24), empty or not.
        vast = math.prod(max(1, n) for n in shape) > _MOST_NUMBERS
        start, self.at = self.at, self.at + count * dtype.itemsize
        if vast or self.at > len(self.payload):
            raise ProtocolError(f"there are no bytes for a tensor of shape {shape}")
        data = _from_bytes(self.payload[start : self.at], dtype, count)
        tensor = data.reshape(shape) if stride is None else data.as_strided(shape, stride)
        if header.get("wants_grad") is True and (dtype.is_floating_point or dtype.is_complex):
            # A tensor of its own, because autograd's errors about a misused view are different.
            own = torch.empty_strided(tensor.shape, tensor.stride(), dtype=dtype)
            tensor = own.copy_(tensor).requires_grad_()
            if "grad" in header:
                tensor.grad = self.tensor(header["grad"])
        return tensor


def _check_dimensions(numbers: Any) -> None:
    if (
        type(numbers) is not list
        or len(numbers) > _MOST_DIMENSIONS
        or not all(type(n) is int and 0 <= n <= _MOST_NUMBERS for n in numbers)
    ):
        raise ProtocolError("a tensor's shape is not a list of a few sizes")


def _from_bytes(data: bytes, dtype: torch.dtype, count: int) -> Tensor:
    if count == 0:
        return torch.empty(0, dtype=dtype)
    if dtype is torch.bool:  # a bool that is neither 0 nor 1 would be undefined behaviour in C++
        return torch.frombuffer(bytearray(data), dtype=torch.uint8) != 0
    return torch.frombuffer(bytearray(data), dtype=dtype)


def copy_back(ours: Any, theirs: Any) -> None:
    """Change our inputs as the function at the other end changed its own, where that is possible."""
    if isinstance(ours, Tensor):
        if type(theirs) is Tensor and ours.shape == theirs.shape and ours.dtype == theirs.dtype:
            with torch.no_grad():
                if not torch.equal(ours, theirs):
                    ours.copy_(theirs)
            if ours.requires_grad:
                ours.grad = theirs.grad
    elif type(ours) is list and type(theirs) is list:
        for one, other in zip(ours, theirs, strict=False):
            copy_back(one, other)
