"""Views of the same numbers: with a different shape, in a different order, or a part."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from .autograd import record
from .dtypes import dtype as kind_of_numbers
from .elementwise import gathered_up
from .engine import run
from .errors import NotInThisPage
from .registry import op
from .shapes import (
    Size,
    broadcast,
    filled_in,
    in_order,
    is_size,
    lies_in_order,
    sizes_of,
    spread,
    view_strides,
    wrapped,
)
from .tensor import Tensor, empty, put_back
from .tensor import view as look


def _shown(input: Tensor, shape: Sequence[int], strides: tuple[int, ...]) -> Tensor:
    own = input.shape
    return look(input, shape, strides, "ViewBackward0", lambda g: reshape(g, own))


@op("view", function=False)
def view(input: Tensor, *size: Any, dtype: Any = None) -> Tensor:
    if dtype is not None or (len(size) == 1 and isinstance(size[0], kind_of_numbers)):
        kind = dtype or size[0]
        if kind is input.dtype:
            return input.view(input.shape)
        raise NotInThisPage("`Tensor.view` of another dtype")
    shape = filled_in(sizes_of("view", size), input.numel())
    strides = view_strides(input.shape, input._strides, shape)
    if strides is None:
        raise RuntimeError(
            "view size is not compatible with input tensor's size and stride (at least one "
            "dimension spans across two contiguous subspaces). Use .reshape(...) instead."
        )
    return _shown(input, shape, strides)


@op("reshape")
def reshape(input: Tensor, *shape: Any) -> Tensor:
    wanted = filled_in(sizes_of("reshape", shape), input.numel())
    if lies_in_order(input.shape, input._strides):
        return _shown(input, wanted, in_order(wanted))
    strides = view_strides(input.shape, input._strides, wanted)
    if strides is not None:
        return _shown(input, wanted, strides)
    made, own = empty(input.shape, input.dtype), input.shape
    run("copy", (made,), (input,))
    made.shape, made._strides = Size(wanted), in_order(wanted)
    return record(made, "UnsafeViewBackward0", (input,), lambda g: (reshape(g, own),))


op("view_as", function=False)(lambda input, other: input.view(other.shape))


@op("flatten")
def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    first, last = wrapped(start_dim, input.ndim), wrapped(end_dim, input.ndim)
    if first > last:
        raise RuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")
    if first == last and input.ndim:
        return input
    shape = input.shape
    return reshape(input, (*shape[:first], math.prod(shape[first : last + 1]), *shape[last + 1 :]))


op("ravel")(lambda input: reshape(input, -1) if input.numel() else flatten(input))


@op("unflatten")
def unflatten(input: Tensor, dim: int, sizes: Sequence[int]) -> Tensor:
    if not sizes:
        raise RuntimeError("unflatten: sizes must be non-empty")
    if not hasattr(dim, "__index__"):
        raise TypeError(f"unflatten(): argument 'dim' (position 1) must be int, not {type(dim).__name__}")
    at = wrapped(dim, input.ndim)
    sizes = tuple(sizes)
    for place, size in enumerate(sizes):
        if not is_size(size):
            raise TypeError(
                "unflatten(): argument 'sizes' (position 2) must be tuple of ints, but found "
                f"element of type {type(size).__name__} at pos {place}"
            )
    count = input.shape[at]
    product = math.prod(sizes)
    if count % product if -1 in sizes and product else product != count:
        raise RuntimeError(
            f"unflatten: Provided sizes {list(sizes)} don't multiply up to the size of dim {at} "
            f"({count}) in the input tensor"
        )
    return reshape(input, (*input.shape[:at], *filled_in(sizes, count), *input.shape[at + 1 :]))


@op("permute")
def permute(input: Tensor, *dims: Any) -> Tensor:
    if len(dims) == 1 and isinstance(dims[0], (tuple, list)):
        dims = tuple(dims[0])
    if len(dims) != input.ndim:
        raise RuntimeError(
            "permute(sparse_coo): number of dimensions in the tensor input does not match the "
            f"length of the desired ordering of dimensions i.e. input.dim() = {input.ndim} is not "
            f"equal to len(dims) = {len(dims)}"
        )
    order = [wrapped(dim, input.ndim) for dim in dims]
    if len(set(order)) != len(order):
        raise RuntimeError("permute(): duplicate dims are not allowed.")
    return turned(input, order, "PermuteBackward0")


def turned(input: Tensor, order: Sequence[int], called: str) -> Tensor:
    """Return the tensor with its dimensions in this order."""
    shape = [input.shape[dim] for dim in order]
    strides = tuple([input._strides[dim] for dim in order])
    home = sorted(range(len(order)), key=order.__getitem__)
    return look(input, shape, strides, called, lambda g: turned(g, home, called))


@op("transpose", "swapaxes")
def transpose(input: Tensor, dim0: int, dim1: int) -> Tensor:
    a, b = wrapped(dim0, input.ndim), wrapped(dim1, input.ndim)
    order = list(range(input.ndim))
    if order:
        order[a], order[b] = order[b], order[a]
    return turned(input, order, "TransposeBackward0")


@op("t")
def t(input: Tensor) -> Tensor:
    if input.ndim > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {input.ndim}D")
    return input if input.ndim < 2 else turned(input, (1, 0), "TBackward0")


def matrix_transposed(input: Tensor) -> Tensor:
    if input.ndim < 2:
        if not input.ndim:
            return input
        raise RuntimeError("tensor.mT is only supported on matrices or batches of matrices. Got 1-D tensor.")
    return transpose(input, -2, -1)


Tensor.mT = property(matrix_transposed)
Tensor.T = property(lambda self: turned(self, range(self.ndim)[::-1], "PermuteBackward0"))


@op("squeeze")
def squeeze(input: Tensor, dim: Any = None) -> Tensor:
    dims = dim if isinstance(dim, (tuple, list)) else range(input.ndim) if dim is None else [dim]
    dims = [wrapped(each, input.ndim) for each in dims]
    kept = [d for d in range(input.ndim) if d not in dims or input.shape[d] != 1]
    own, strides = input.shape, tuple(input._strides[d] for d in kept)
    return look(input, [own[d] for d in kept], strides, "SqueezeBackward0", lambda g: reshape(g, own))


@op("unsqueeze")
def unsqueeze(input: Tensor, dim: int) -> Tensor:
    at = wrapped(dim, input.ndim + 1)
    shape, strides = list(input.shape), list(input._strides)
    strides.insert(at, shape[at] * strides[at] if at < len(shape) else 1)
    shape.insert(at, 1)
    own = input.shape
    return look(input, shape, tuple(strides), "UnsqueezeBackward0", lambda g: reshape(g, own))


@op("expand", function=False)
def expand(input: Tensor, *size: Any, implicit: bool = False) -> Tensor:
    asked = list(sizes_of("expand", size))
    wanted = list(asked)
    lead = len(wanted) - input.ndim
    if lead < 0:
        word = input.dtype.word  # torch has a different name for a tensor of True and False
        kind = "CPUBoolType" if word == "Bool" else f"torch.{word}Tensor"
        raise RuntimeError(
            f"expand({kind}{{{list(input.shape)}}}, size={wanted}): the "
            f"number of sizes provided ({len(wanted)}) must be greater or equal to the number of "
            f"dimensions in the tensor ({input.ndim})"
        )
    for dim, goal in reversed(list(enumerate(wanted))):
        own = input.shape[dim - lead] if dim >= lead else None
        if goal == -1:
            if own is None:
                raise RuntimeError(
                    f"The expanded size of the tensor ({goal}) isn't allowed in a leading, "
                    f"non-existing dimension {dim}"
                )
            wanted[dim] = own
        elif own not in (None, 1, goal):
            raise RuntimeError(
                f"The expanded size of the tensor ({goal}) must match the existing size ({own}) at "
                f"non-singleton dimension {dim}.  Target sizes: {asked}.  Tensor sizes: "
                f"{list(input.shape)}"
            )
    shape = input.shape
    strides = spread(shape, input._strides, tuple(wanted))
    return look(input, wanted, strides, "ExpandBackward0", lambda g: gathered_up(g, shape))


op("expand_as", function=False)(lambda input, other: expand(input, other.shape))
op("broadcast_to")(expand)


def broadcast_tensors(*tensors: Any) -> tuple[Tensor, ...]:
    shape = broadcast_shapes(*(tensor.shape for tensor in tensors))
    return tuple(expand(tensor, shape) for tensor in tensors)


def broadcast_shapes(*shapes: Any) -> Size:
    shape: tuple[int, ...] = ()
    for each in shapes:
        shape = broadcast(shape, (each,) if isinstance(each, int) else tuple(each))
    return Size(shape)


def part(input: Tensor, dim: int, start: int, length: int, step: int = 1) -> Tensor:
    """Return a stretch along one dimension."""
    shape, strides = list(input.shape), list(input._strides)
    offset = input._offset + (start * strides[dim] if length else 0)
    shape[dim], strides[dim] = length, strides[dim] * step
    back = put_back(input.shape, lambda whole: part(whole, dim, start, length, step))
    return look(input, shape, tuple(strides), "SliceBackward0", back, offset)


def chosen(input: Tensor, dim: int, index: int) -> Tensor:
    shape, strides = list(input.shape), list(input._strides)
    del shape[dim]
    offset = input._offset + index * strides.pop(dim)
    back = put_back(input.shape, lambda whole: chosen(whole, dim, index))
    return look(input, shape, tuple(strides), "SelectBackward0", back, offset)


@op("unbind")
def unbind(input: Tensor, dim: int = 0) -> tuple[Tensor, ...]:
    dim = wrapped(dim, input.ndim)
    return tuple(chosen(input, dim, index) for index in range(input.shape[dim]))


@op("split", function=False)
def split(
    input: Tensor, split_size: Any = None, dim: int = 0, *, split_size_or_sections: Any = None
) -> tuple[Tensor, ...]:
    sections = split_size if split_size is not None else split_size_or_sections
    dim = wrapped(dim, input.ndim)
    size = input.shape[dim]
    if isinstance(sections, int):
        if sections < 0:
            raise RuntimeError(f"split expects split_size be non-negative, but got split_size={sections}")
        if not sections:
            if size:
                raise RuntimeError(
                    f"split_size can only be 0 if dimension size is 0, but got dimension size of {size}"
                )
            return (part(input, dim, 0, 0),)
        sizes = [min(sections, size - at) for at in range(0, size, sections)] or [0]
    else:
        sizes = [int(each) for each in sections]
        if sum(sizes) != size:
            raise RuntimeError(
                "split_with_sizes expects split_sizes to sum exactly to "
                f"{size} (input tensor's size at dimension {dim}), but got split_sizes={sizes}"
            )
    starts = [sum(sizes[:i]) for i in range(len(sizes))]
    return tuple(part(input, dim, at, each) for at, each in zip(starts, sizes, strict=True))


op("split", method=False, tensor_first=False)(lambda tensor, *args, **named: tensor.split(*args, **named))


@op("chunk")
def chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    if chunks <= 0:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    dim = wrapped(dim, input.ndim)
    size = input.shape[dim]
    if not size:
        return tuple(part(input, dim, 0, 0) for _ in range(chunks))
    return split(input, -(-size // chunks), dim)


@op("diagonal")
def diagonal(input: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    a, b = wrapped(dim1, input.ndim), wrapped(dim2, input.ndim)
    if a == b:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    rows, columns = input.shape[a], input.shape[b]
    length = max(min(rows, columns - offset) if offset >= 0 else min(rows + offset, columns), 0)
    start = offset * input._strides[b] if offset >= 0 else -offset * input._strides[a]
    rest = [dim for dim in range(input.ndim) if dim not in (a, b)]
    shape = [*(input.shape[d] for d in rest), length]
    strides = (*(input._strides[d] for d in rest), input._strides[a] + input._strides[b])
    back = put_back(input.shape, lambda whole: diagonal(whole, offset, a, b))
    return look(input, shape, strides, "DiagonalBackward0", back, input._offset + (start if length else 0))
