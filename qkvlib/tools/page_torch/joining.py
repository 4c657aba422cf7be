"""Join tensors into one; repeat, flip and pad a tensor."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from .autograd import called, record
from .dtypes import promote_types
from .engine import run
from .errors import NotInThisPage, dim_range
from .making import converted, tensor
from .registry import op
from .shapes import several, wrapped
from .tensor import Tensor, change, empty, laid_out
from .viewing import expand, part, reshape, split, unbind, unsqueeze


def _listed(name: str, tensors: Any) -> list[Tensor]:
    if isinstance(tensors, Tensor):
        raise TypeError(f"{name}(): argument 'tensors' (position 1) must be tuple of Tensors, not Tensor")
    tensors = list(tensors)
    for place, each in enumerate(tensors):
        if not isinstance(each, Tensor):
            raise TypeError(
                f"expected Tensor as element {place} in argument 0, but got {type(each).__name__}"
            )
    return tensors


@op("cat", "concat", "concatenate", method=False, tensor_first=False)
def cat(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    parts = _listed("cat", tensors)
    if not parts:
        raise ValueError("expected a non-empty list of Tensors")
    kind = functools.reduce(promote_types, (each.dtype for each in parts))
    for place, each in enumerate(parts):
        if not each.ndim:
            raise RuntimeError(f"zero-dimensional tensor (at position {place}) cannot be concatenated")
    filled = [each for each in parts if each.shape != (0,)]  # an empty list fits everywhere
    parts = [converted(each, kind) for each in filled or parts[:1]]
    first = parts[0]
    at = wrapped(dim, first.ndim)
    for place, each in enumerate(parts):
        if each.ndim != first.ndim:
            raise RuntimeError(
                f"Tensors must have same number of dimensions: got {first.ndim} and {each.ndim}"
            )
        for d in range(first.ndim):
            if d != at and each.shape[d] != first.shape[d]:
                raise RuntimeError(
                    f"Sizes of tensors must match except in dimension {at}. Expected size "
                    f"{first.shape[d]} but got size {each.shape[d]} for tensor number {place} in "
                    "the list."
                )
    sizes = [each.shape[at] for each in parts]
    shape = list(first.shape)
    shape[at] = sum(sizes)
    made = empty(shape, kind)
    run("cat", (made,), tuple(parts), at)
    return record(made, "CatBackward0", parts, lambda g: split(g, sizes, at))


@op("stack", method=False, tensor_first=False)
def stack(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    parts = _listed("stack", tensors)
    if not parts:
        raise RuntimeError("stack expects a non-empty TensorList")
    for place, each in enumerate(parts):
        if each.shape != parts[0].shape:
            raise RuntimeError(
                f"stack expects each tensor to be equal size, but got {list(parts[0].shape)} at "
                f"entry 0 and {list(each.shape)} at entry {place}"
            )
    at = wrapped(dim, parts[0].ndim + 1)
    kind = functools.reduce(promote_types, (each.dtype for each in parts))
    parts = [converted(each, kind) for each in parts]
    shape = list(parts[0].shape)
    whole = empty([*shape[:at], len(parts), *shape[at:]], kind)
    run("cat", (whole,), tuple(unsqueeze(each.detach(), at) for each in parts), at)
    return record(whole, "StackBackward0", parts, lambda g: unbind(g, at))


@op("hstack", method=False, tensor_first=False)
def hstack(tensors: Sequence[Tensor]) -> Tensor:
    parts = [each if each.ndim else reshape(each, 1) for each in _listed("hstack", tensors)]
    return cat(parts, 0 if parts and parts[0].ndim == 1 else 1)


@op("vstack", method=False, tensor_first=False)
def vstack(tensors: Sequence[Tensor]) -> Tensor:
    return cat([each if each.ndim > 1 else reshape(each, (1, -1)) for each in _listed("vstack", tensors)], 0)


@op("repeat", function=False)
def repeat(input: Tensor, *repeats: Any) -> Tensor:
    times = list(repeats[0]) if len(repeats) == 1 and not isinstance(repeats[0], int) else [*repeats]
    if len(times) < input.ndim:
        raise RuntimeError(
            "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor"
        )
    shape = [1] * (len(times) - input.ndim) + list(input.shape)
    # Each dimension becomes two: how many copies, and how long each is.
    opened = reshape(input, [size for each in shape for size in (1, each)])
    wide = expand(opened, [n for pair in zip(times, shape, strict=True) for n in pair])
    return reshape(wide.clone(), [n * size for n, size in zip(times, shape, strict=True)])


@op("repeat_interleave")
def repeat_interleave(
    input: Tensor, repeats: Any, dim: int | None = None, *, output_size: int | None = None
) -> Tensor:
    if dim is None:
        input, dim = reshape(input, -1), 0
    if not input.ndim:
        raise dim_range(1, 0)
    dim = wrapped(dim, input.ndim)
    size = input.shape[dim]
    times = repeats.reshape(-1).tolist() if isinstance(repeats, Tensor) else [repeats]
    if len(times) == 1:
        times *= size
    if len(times) != size:
        raise RuntimeError(
            "repeats must have the same size as input along dim, but got repeats.size(0) = "
            f"{len(times)} and input.size({dim}) = {size}"
        )
    return input.index_select(dim, tensor([i for i, n in enumerate(times) for _ in range(n)]).long())


@op("flip")
def flip(input: Tensor, *dims: Any) -> Tensor:
    listed = list(dims[0]) if len(dims) == 1 and isinstance(dims[0], (tuple, list)) else [*dims]
    if not listed:
        return input.clone()
    found = several(listed, input.ndim)
    made = input.detach() if input.ndim else input.detach().clone()
    for dim in found if input.ndim else ():
        flipped = laid_out(input.shape, input.dtype, input)
        run("flip", (flipped,), (made,), dim)
        made = flipped
    return record(made, "FlipBackward0", (input,), lambda g: (flip(g, found),))


@op("roll")
def roll(input: Tensor, shifts: Any, dims: Any = None) -> Tensor:
    if dims is None or dims == ():
        return reshape(roll(reshape(input, -1), shifts, 0), input.shape)
    if not isinstance(shifts, int) or not isinstance(dims, int):
        raise NotInThisPage("`roll` along several dimensions")
    if not input.ndim:
        raise IndexError(f"Dimension specified as {dims} but tensor has no dimensions")
    dim = wrapped(dims, input.ndim)
    size = input.shape[dim]
    shift = shifts % max(size, 1)
    made = cat((part(input, dim, size - shift, shift), part(input, dim, 0, size - shift)), dim)
    return called(made, "RollBackward0")


def _triangle(name: str) -> None:
    @op(name)
    def of(input: Tensor, diagonal: int = 0) -> Tensor:
        if input.ndim < 2:
            raise RuntimeError(f"{name}: input tensor must have at least 2 dimensions")
        made = empty(input.shape, input.dtype)
        run(name, (made,), (input,), diagonal)
        return record(made, f"{name.capitalize()}Backward0", (input,), lambda g: (of(g, diagonal),))

    op(f"{name}_", function=False)(lambda input, diagonal=0: change(input, of(input, diagonal)))


_triangle("tril")
_triangle("triu")


@op("diag")
def diag(input: Tensor, diagonal: int = 0) -> Tensor:
    if input.ndim == 2:
        return input.diagonal(diagonal).clone()
    if input.ndim != 1:
        raise RuntimeError(f"diag(): Supports 1D or 2D tensors. Got {input.ndim}D")
    return diag_embed(input, diagonal)


@op("diag_embed")
def diag_embed(input: Tensor, offset: int = 0) -> Tensor:
    size = input.shape[-1] + abs(offset)
    made = input.new_zeros(*input.shape[:-1], size, size)
    made.diagonal(offset, -2, -1).copy_(input)
    return made
