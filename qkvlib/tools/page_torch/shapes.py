"""Sizes, strides and dimensions: what can be said about a tensor without its numbers."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Sequence
from typing import Any

from .errors import dim_range, sizes_differ


class Size(tuple):  # type: ignore[type-arg]
    """A tensor's shape."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"torch.Size([{', '.join(map(str, self))}])"

    def __getitem__(self, at: Any) -> Any:
        part = tuple.__getitem__(self, at)
        return Size(part) if isinstance(at, slice) else part

    def __add__(self, other: Any) -> Size:
        if not isinstance(other, tuple):
            raise TypeError(f"can only concatenate tuple (not {type(other).__name__}) to torch.Size")
        return Size(tuple.__add__(self, other))

    def __radd__(self, other: Any) -> Size:
        return Size(tuple(other) + tuple(self))


# The same few shapes occur again and again.
_known = functools.lru_cache(maxsize=4096)


@_known
def in_order(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the strides of numbers that are stored in the order of their indices."""
    strides, step = [], 1
    for size in reversed(shape):
        strides.append(step)
        step *= max(size, 1)
    return tuple(reversed(strides))


def _follow(pairs: Iterable[tuple[int, int]]) -> bool:
    """Tell whether each stride follows from the sizes that come before it in this order."""
    step = 1
    for stride, size in pairs:
        if size != 1:
            if stride != step:
                return False
            step *= size
    return True


@_known
def lies_in_order(shape: tuple[int, ...], strides: tuple[int, ...]) -> bool:
    return 0 in shape or _follow(zip(reversed(strides), reversed(shape), strict=True))


def lies_densely(shape: Sequence[int], strides: Sequence[int]) -> bool:
    """Tell whether the numbers fill their memory without gaps, in any order of the dimensions."""
    return _follow(sorted(zip(strides, shape, strict=True)))


def in_this_order(shape: Sequence[int], dims: Sequence[int]) -> tuple[int, ...]:
    """Return the strides of numbers whose dimensions are stored in this order, the innermost first."""
    strides, step = [0] * len(shape), 1
    for dim in dims:
        strides[dim] = step
        step *= max(shape[dim], 1)
    return tuple(strides)


def inner_first(shape: Sequence[int], seen: Sequence[tuple[int, ...]]) -> list[int]:
    """Return the order in which tensors with these strides store their dimensions, the innermost first.

    The first tensor that distinguishes two dimensions decides. A dimension that is broadcast decides nothing.
    """
    dims = list(reversed(range(len(shape))))
    for at in range(1, len(dims)):
        here = at
        for other in reversed(range(at)):
            turn = _turn(dims[other], dims[here], shape, seen)
            if turn > 0:
                dims[other], dims[here] = dims[here], dims[other]
                here = other
            elif turn < 0:
                break
    return dims


def _turn(a: int, b: int, shape: Sequence[int], seen: Sequence[tuple[int, ...]]) -> int:
    """Return 1 if dimension b is further in than a, -1 if it is further out, and 0 if no tensor decides."""
    for strides in seen:
        if not (strides[a] and strides[b]):
            continue
        if strides[a] != strides[b]:
            return 1 if strides[a] > strides[b] else -1
        if shape[a] > shape[b]:
            return 1
    return 0


def wrapped(dim: Any, dims: int) -> int:
    """Return a dimension counted from the front."""
    try:
        dim = dim.__index__()
    except AttributeError:
        raise TypeError(f"argument 'dim' must be int, not {type(dim).__name__}") from None
    most = dims or 1
    if not -most <= dim < most:
        raise dim_range(dim, dims)
    return dim + most if dim < 0 else dim


def several(dims: Any, count: int) -> list[int]:
    """Return these dimensions counted from the front, in order; all of them for None or ()."""
    if dims is None:
        return list(range(count))
    if not isinstance(dims, (tuple, list)):
        dims = [dims]
    if not dims:
        return list(range(count))
    found = [wrapped(dim, count) for dim in dims]
    for dim in found:
        if found.count(dim) > 1:
            raise RuntimeError(f"dim {dim} appears multiple times in the list of dims")
    return sorted(found) if count else []  # a single number has no dimension, but 0 is accepted


@_known
def broadcast(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape of two tensors that are combined element by element."""
    if a == b:
        return tuple(a)
    longer = max(len(a), len(b))
    one = (1,) * (longer - len(a)) + tuple(a)
    two = (1,) * (longer - len(b)) + tuple(b)
    for dim in range(longer - 1, -1, -1):
        if one[dim] != two[dim] and one[dim] != 1 and two[dim] != 1:
            raise sizes_differ(one[dim], two[dim], dim)
    return tuple(y if x == 1 else x for x, y in zip(one, two, strict=True))


@_known
def spread(shape: tuple[int, ...], strides: tuple[int, ...], wanted: tuple[int, ...]) -> tuple[int, ...]:
    """Return the strides with which a tensor is broadcast to a larger shape: 0 where it is repeated."""
    lead = len(wanted) - len(shape)
    return (0,) * lead + tuple(
        0 if size == 1 and goal != 1 else stride
        for size, stride, goal in zip(shape, strides, wanted[lead:], strict=True)
    )


def filled_in(shape: Sequence[int], count: int) -> tuple[int, ...]:
    """Return the shape with its -1 worked out, for this many numbers."""
    if list(shape).count(-1) > 1:
        raise RuntimeError("only one dimension can be inferred")
    for at, size in enumerate(shape):
        if size < -1:
            raise RuntimeError(f"invalid shape dimension {size} at index {at} of shape {list(shape)}")
    known = math.prod(size for size in shape if size != -1)
    if -1 in shape and not known and not count:
        raise RuntimeError(
            f"cannot reshape tensor of 0 elements into shape {list(shape)} because"
            " the unspecified dimension size -1 can be any value and is ambiguous"
        )
    if count % known if -1 in shape and known else count != known:
        raise RuntimeError(f"shape '{list(shape)}' is invalid for input of size {count}")
    return tuple(count // known if size == -1 else size for size in shape)


def view_strides(
    shape: Sequence[int], strides: Sequence[int], wanted: Sequence[int]
) -> tuple[int, ...] | None:
    """Return the strides that show the same numbers in the wanted shape; None if they would have to be
    copied.

    Dimensions that follow one another in memory form a chunk, and each chunk has to be split up separately.
    """
    if 0 in shape:
        return in_order(tuple(wanted))
    chunks: list[tuple[int, int]] = []  # how many numbers, and the distance between the innermost ones
    for size, stride in zip(shape, strides, strict=True):
        if size == 1:
            continue
        if chunks and chunks[-1][1] == stride * size:
            chunks[-1] = (chunks[-1][0] * size, stride)
        else:
            chunks.append((size, stride))
    made: list[int] = []
    left, step = 1, 1
    for size in reversed(wanted):
        if left == 1 and size != 1:
            if not chunks:
                return None
            left, step = chunks.pop()
        made.append(step)
        if left % size:
            return None
        left //= size
        step *= size
    return tuple(reversed(made))


def sizes_of(function: str, parts: tuple[Any, ...]) -> tuple[int, ...]:
    """Read a shape that was given as several numbers, or as one tuple or list."""
    if len(parts) == 1 and isinstance(parts[0], (tuple, list)):
        parts = tuple(parts[0])
    try:
        return tuple([part.__index__() for part in parts])
    except (AttributeError, TypeError):
        bad, place = next((part, at) for at, part in enumerate(parts, 1) if not is_size(part))
        if hasattr(bad, "shape"):
            argument = "shape" if function == "reshape" else "size"
            raise TypeError(
                f"{function}(): argument '{argument}' failed to unpack the object at pos {place} "
                f'with error "type must be tuple of ints,but got {type(bad).__name__}"'
            ) from None
        raise TypeError(
            f"{function}(): argument 'size' (position {place}) must be tuple of ints, not "
            f"{type(bad).__name__}"
        ) from None


def is_size(part: Any) -> bool:
    try:
        part.__index__()
    except (AttributeError, TypeError):
        return False
    return True
