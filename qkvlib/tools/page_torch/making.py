"""New tensors: from Python numbers, from one number, in steps, and like another tensor."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

from . import dtypes
from .autograd import record
from .dtypes import default, dtype, float32, float64, int64, of_complex, of_number
from .engine import run
from .errors import NotInThisPage, must_be_number
from .registry import op
from .shapes import sizes_of
from .tensor import Tensor, empty, filled, lying_as, mapped, of_row, overwrite, strided


def tensor(
    data: Any, *, dtype: dtype | None = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """Make a tensor from numbers, lists of numbers, or tensors."""
    if isinstance(data, Tensor):
        made = data.detach().clone()
        made = made if dtype is None else made.to(dtype)
    else:
        made = _of_parts(data, dtype)
    return made.requires_grad_() if requires_grad else made


def _of_parts(data: Any, kind: dtype | None) -> Tensor:
    shape = _shape_of(data)
    row: list[Any] = []
    _flatten(data, shape, 0, row)
    if kind is None:
        kind = _kind_of(row)
    row = [part.item() if isinstance(part, Tensor) else part for part in row]
    if kind.is_complex:
        return of_complex("of_row")(row, shape, kind)
    if any(isinstance(part, complex) for part in row):
        raise TypeError("must be real number, not complex")
    if kind.rank == 0:
        return of_row([bool(part) for part in row], shape, kind)
    if kind.rank == 1:
        for part in row:
            if isinstance(part, float) and not math.isfinite(part):
                word = "infinity" if math.isinf(part) else "NaN"
                error: Any = OverflowError if math.isinf(part) else ValueError
                raise error(f"cannot convert float {word} to integer")
        row = list(map(int, row))
        if kind is int64 and row and max(map(abs, row)) >= 2**53:
            raise NotInThisPage("A whole number beyond 2**53")
        return of_row(row, shape, kind)
    if kind in (float32, float64):
        return of_row(list(map(float, row)), shape, kind)
    return mapped("copy", of_row(list(map(float, row)), shape, float64), kind)


def _shape_of(data: Any) -> tuple[int, ...]:
    shape: list[int] = []
    while True:
        if isinstance(data, Tensor):
            return (*shape, *data.shape)
        if isinstance(data, (str, bytes)):
            raise TypeError(f"new(): invalid data type '{type(data).__name__}'")
        if isinstance(data, (bool, int, float, complex)) or not hasattr(data, "__len__"):
            return tuple(shape)
        if isinstance(data, (set, dict)):
            raise RuntimeError(f"Could not infer dtype of {type(data).__name__}")
        shape.append(len(data))
        if not len(data):
            return tuple(shape)
        data = data[0]


def _flatten(data: Any, shape: tuple[int, ...], dim: int, row: list[Any]) -> None:
    if isinstance(data, Tensor):
        if data.shape != shape[dim:]:
            if data.numel() == 1:
                raise TypeError(f"expected Tensor as element {len(row)} in argument 0")
            raise ValueError("only one element tensors can be converted to Python scalars")
        if dim == len(shape):
            row.append(data)
        elif data.shape and dim:
            raise ValueError("only one element tensors can be converted to Python scalars")
        else:
            row.extend(data._row())
        return
    if dim == len(shape):
        if hasattr(data, "__len__"):
            raise TypeError(
                "not a sequence" if not dim else f"must be real number, not {type(data).__name__}"
            )
        if not isinstance(data, (bool, int, float, complex)):
            if hasattr(data, "__index__"):
                data = data.__index__()
            elif hasattr(data, "__float__"):
                data = float(data)
            else:
                raise RuntimeError(f"Could not infer dtype of {type(data).__name__}")
        row.append(data)
        return
    if not hasattr(data, "__len__"):
        raise TypeError("not a sequence")
    if len(data) != shape[dim]:
        raise ValueError(f"expected sequence of length {shape[dim]} at dim {dim} (got {len(data)})")
    for part in data:
        _flatten(part, shape, dim + 1, row)


def _kind_of(row: list[Any]) -> dtype:
    if not row:
        return default()
    kinds = [part.dtype if isinstance(part, Tensor) else of_number(part) for part in row]
    kind = kinds[0]
    for other in kinds[1:]:
        kind = dtypes.promote_types(kind, other)
    return kind


def _new(cls: Any, *args: Any, **_: Any) -> Any:
    """Make `torch.Tensor(...)` from sizes or from a list, and instances of a learner's own subclass."""
    if cls is Tensor and len(args) == 1 and isinstance(args[0], (list, tuple, Tensor)):
        return as_tensor(args[0], dtype=default()).detach()
    if cls is Tensor and args:
        return empty(sizes_of("new", args), default())
    return empty((0,), float32).as_subclass(cls)


Tensor.__new__ = staticmethod(_new)  # type: ignore[method-assign]


def as_tensor(data: Any, dtype: dtype | None = None, device: Any = None) -> Tensor:
    if isinstance(data, Tensor):
        return data if dtype is None else data.to(dtype)
    return tensor(data, dtype=dtype)


def _asked(made: Tensor, requires_grad: bool) -> Tensor:
    return made.requires_grad_() if requires_grad else made


def _need_sizes(shape: tuple[int, ...]) -> None:
    for size in shape:
        if size < 0:
            raise RuntimeError(f"Trying to create tensor with negative dimension {size}: {list(shape)}")


def by_size(name: str, fill: Callable[..., Tensor]) -> None:
    """Register a function that makes a tensor of a size, and one of the size of another tensor."""

    @op(name, method=False, tensor_first=False)
    def made(
        *size: Any, dtype: dtype | None = None, requires_grad: bool = False, generator: Any = None
    ) -> Tensor:
        shape = sizes_of(name, size)
        _need_sizes(shape)
        return _asked(fill(shape, dtype or default(), generator), requires_grad)

    @op(f"{name}_like", method=False)
    def like(input: Tensor, *, dtype: dtype | None = None, requires_grad: bool = False) -> Tensor:
        made = fill(input.shape, dtype or input.dtype, None)
        return _asked(lying_as(made, input), requires_grad)


def _with_number(name: str, number: int) -> None:
    by_size(name, lambda shape, kind, _: filled(shape, number, kind))

    @op(f"new_{name}", function=False)
    def new(self: Tensor, *size: Any, dtype: dtype | None = None, requires_grad: bool = False) -> Tensor:
        shape = sizes_of(f"new_{name}", size)
        _need_sizes(shape)
        return _asked(filled(shape, number, dtype or self.dtype), requires_grad)


for _name, _number in (("zeros", 0), ("ones", 1), ("empty", 0)):
    _with_number(_name, _number)


@op("full", method=False, tensor_first=False)
def full(size: Any, fill_value: Any, *, dtype: dtype | None = None, requires_grad: bool = False) -> Tensor:
    number = fill_value.item() if isinstance(fill_value, Tensor) else fill_value
    if dtype is None:
        dtype = fill_value.dtype if isinstance(fill_value, Tensor) else of_number(number)
    shape = sizes_of("full", (size,) if isinstance(size, (tuple, list)) else size)
    return _asked(filled(shape, number, dtype), requires_grad)


@op("full_like", method=False)
def full_like(
    input: Tensor, fill_value: Any, *, dtype: dtype | None = None, requires_grad: bool = False
) -> Tensor:
    made = full(tuple(input.shape), fill_value, dtype=dtype or input.dtype)
    return _asked(lying_as(made, input), requires_grad)


op("new_full", function=False)(lambda own, size, number: full(size, number, dtype=own.dtype))


@op("empty_strided", method=False, tensor_first=False)
def empty_strided(size: Any, stride: Any, *, dtype: dtype | None = None) -> Tensor:
    return strided(size, tuple(stride), dtype or default())


def plain(value: Any) -> Any:
    """Return a tensor of one number as a Python number."""
    return value.item() if isinstance(value, Tensor) and value.numel() == 1 else value


@op("arange", method=False, tensor_first=False)
def arange(
    *bounds: Any,
    start: Any = 0,
    end: Any = None,
    step: Any = 1,
    dtype: dtype | None = None,
    requires_grad: bool = False,
) -> Tensor:
    if len(bounds) == 1 and not isinstance(plain(bounds[0]), (bool, int, float)):
        raise must_be_number("arange", "'end' (position 1)", bounds[0])
    given = (start, *bounds) if len(bounds) == 1 and end is None else bounds
    begin, to, by = map(plain, (*given, *(start, end, step)[len(given) :]))
    if dtype is None:
        whole = all(isinstance(part, int) for part in (begin, to, by))
        dtype = int64 if whole else default()
    if by == 0:
        raise RuntimeError("step must be nonzero")
    if (to - begin) * by < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    count = max(math.ceil((to - begin) / by), 0)
    return _asked(of_numbers([begin + i * by for i in range(count)], dtype), requires_grad)


def of_numbers(row: list[Any], kind: dtype) -> Tensor:
    """Make a vector of these numbers."""
    if kind.rank == 1:
        return of_row(list(map(int, row)), (len(row),), kind)
    made = of_row(list(map(float, row)), (len(row),), float64)
    return made if kind is float64 else mapped("copy", made, kind)


@op("linspace", method=False, tensor_first=False)
def linspace(
    start: Any, end: Any, steps: int, *, dtype: dtype | None = None, requires_grad: bool = False
) -> Tensor:
    start, end = plain(start), plain(end)
    if steps < 0:
        raise RuntimeError("number of steps must be non-negative")
    by = (end - start) / (steps - 1) if steps > 1 else 0.0
    # From both ends to the middle, so that both ends are exact.
    row = [start + i * by if i < steps / 2 else end - (steps - 1 - i) * by for i in range(steps)]
    return _asked(of_numbers(row if steps != 1 else [start], dtype or default()), requires_grad)


@op("eye", method=False, tensor_first=False)
def eye(n: int, m: int | None = None, *, dtype: dtype | None = None, requires_grad: bool = False) -> Tensor:
    m = n if m is None else m
    made = filled((n, m), 0, dtype or default())
    numbers = made._storage.numbers
    for i in range(min(n, m)):
        numbers[i * (m + 1)] = 1
    return _asked(made, requires_grad)


# Conversions


@op("clone")
def clone(input: Tensor, *, memory_format: Any = None) -> Tensor:
    if input.is_contiguous():
        count, at = input.numel(), input._offset
        made = of_row(input._storage.numbers[at : at + count], input.shape, input.dtype)
    else:
        made = mapped("copy", input, input.dtype)
    return record(made, "CloneBackward0", (input,), lambda g: (g,))


@op("contiguous", function=False)
def contiguous(input: Tensor, memory_format: Any = None) -> Tensor:
    if input.is_contiguous():
        return input
    made = empty(input.shape, input.dtype)
    run("copy", (made,), (input,))
    return record(made, "CloneBackward0", (input,), lambda g: (g,))


def converted(input: Tensor, kind: dtype) -> Tensor:
    """Return the same numbers in a different dtype."""
    if input.dtype is kind:
        return input
    if kind.is_complex or input.dtype.is_complex:
        return of_complex("cast")(input, kind)
    made, own = mapped("copy", input, kind), input.dtype
    if kind.rank < 2:
        return made
    return record(made, "ToCopyBackward0", (input,), lambda g: (converted(g, own),))


@op("to", function=False)
def to(
    input: Tensor, *args: Any, dtype: dtype | None = None, copy: bool = False, other: Any = None
) -> Tensor:
    for arg in (*args, other):
        if isinstance(arg, Tensor):
            dtype = arg.dtype
        elif isinstance(arg, dtypes.dtype):
            dtype = arg
        elif isinstance(arg, (str, dtypes.device)):
            dtypes.device(str(arg))
    made = input if dtype is None else converted(input, dtype)
    return clone(made) if copy and made is input else made


@op("type", function=False)
def type_(input: Tensor, dtype: dtype | None = None) -> Any:
    return f"torch.{input.dtype.word}Tensor" if dtype is None else converted(input, dtype)


op("type_as", function=False)(lambda input, other: converted(input, other.dtype))


for _name, _kind in {**dtypes.OTHER_NAMES, "bool": dtypes.bool_}.items():
    op(_name, function=False)(functools.partial(converted, kind=_kind))


# In place


@op("copy_", function=False)
def copy_(input: Tensor, src: Any, non_blocking: bool = False) -> Tensor:
    if not isinstance(src, Tensor):
        src = filled((), src, of_number(src))
    if src.shape != input.shape:
        src = src.expand(input.shape)
    overwrite(input, src)
    return input


@op("fill_", function=False)
def fill_(input: Tensor, value: Any) -> Tensor:
    return copy_(input, value if isinstance(value, Tensor) else filled((), value, input.dtype))


op("zero_", function=False)(lambda input: fill_(input, 0))


def is_tensor(value: Any) -> bool:
    return isinstance(value, Tensor)
