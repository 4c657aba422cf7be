"""Reduce many numbers to one, along one dimension or several; and running results along a dimension."""

from __future__ import annotations

import functools
import math
from collections import namedtuple
from typing import Any

from .autograd import called, record
from .dtypes import bool_, default, dtype, int64, uint8
from .engine import run
from .errors import NotInThisPage, not_implemented
from .making import converted
from .registry import op
from .shapes import several, wrapped
from .tensor import Tensor, empty, place
from .viewing import reshape


def rows_of(input: Tensor, dims: list[int]) -> tuple[Tensor, int, int]:
    """Return the tensor with these dimensions last, the number of rows that this makes, and their length."""
    rest = [dim for dim in range(input.ndim) if dim not in dims]
    order = [*rest, *dims]
    shape = [input.shape[dim] for dim in order]
    strides = tuple([input._strides[dim] for dim in order])
    seen = place(Tensor, input._storage, shape, strides, input._offset, input.dtype)
    return seen, math.prod(shape[: len(rest)]), math.prod(shape[len(rest) :])


def lessened(input: Tensor, dims: list[int], keepdim: bool) -> list[int]:
    """Return the shape without these dimensions, or with 1 in their places."""
    if keepdim:
        return [1 if dim in dims else size for dim, size in enumerate(input.shape)]
    return [size for dim, size in enumerate(input.shape) if dim not in dims]


def reduced(
    kernel: str, input: Tensor, dims: list[int], keepdim: bool, kind: dtype, *numbers: float
) -> Tensor:
    made = empty(lessened(input, dims, keepdim), kind)
    seen, rows, length = rows_of(input, dims)
    run(kernel, (made,), (seen,), rows, length, *numbers)
    return made


def opened(reduced_: Tensor, shape: Any, dims: list[int], keepdim: bool) -> Tensor:
    """Put the reduced dimensions back with size 1, so that the result broadcasts against the tensor."""
    if keepdim or not shape:
        return reduced_
    return reshape(reduced_, [1 if dim in dims else size for dim, size in enumerate(shape)])


@op("sum")
def sum_(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: dtype | None = None) -> Tensor:
    kind = dtype or (input.dtype if input.dtype.rank == 2 else int64)
    x = converted(input, kind) if kind.rank == 2 else input
    dims = several(dim, x.ndim)
    made, shape = reduced("sum", x, dims, keepdim, kind), x.shape
    name = f"SumBackward{int(dim is not None)}"
    return record(made, name, (x,), lambda g: (opened(g, shape, dims, keepdim).expand(shape),))


@op("mean")
def mean(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: dtype | None = None) -> Tensor:
    x = converted(input, dtype or input.dtype)
    if x.dtype.rank < 2:
        raise RuntimeError(
            "mean(): could not infer output dtype. Input dtype must be either a floating point "
            f"or complex dtype. Got: {x.dtype.word}"
        )
    dims = several(dim, x.ndim)
    count = math.prod(x.shape[d] for d in dims)
    made = sum_(x, dims, keepdim) / (count or math.nan) if dims else x / 1
    return called(made, f"MeanBackward{int(dim is not None)}")


@op("prod")
def prod(
    input: Tensor, dim: int | None = None, keepdim: bool = False, *, dtype: dtype | None = None
) -> Tensor:
    kind = dtype or (input.dtype if input.dtype.rank == 2 else int64)
    x = converted(input, kind)
    dims = several(dim, x.ndim)
    made = reduced("prod", x, dims, keepdim, kind)

    def back(g: Tensor, x: Tensor, y: Tensor) -> tuple[Tensor]:
        if (x == 0).any():
            raise NotInThisPage("The gradient of a product with a factor 0")
        return (opened(g * y, x.shape, dims, keepdim) / x,)

    return record(made, "ProdBackward0", (x,), back, (x,), True)


def _truth(name: str) -> None:
    @op(name)
    def asked(input: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
        kind = uint8 if input.dtype is uint8 else bool_  # as torch does
        return reduced(name, input, several(dim, input.ndim), keepdim, kind)


_truth("all")
_truth("any")


op("count_nonzero")(lambda input, dim=None: sum_(input != 0, dim))


def _only_with_a_point(name: str) -> RuntimeError:
    return RuntimeError(
        f"{name}: input must be floating point or complex. "
        "std and var only support floating point and complex dtypes"
    )


@op("var")
def var(
    input: Tensor, dim: Any = None, unbiased: bool = True, keepdim: bool = False, *, correction: Any = None
) -> Tensor:
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    if input.dtype.rank < 2:
        raise _only_with_a_point("var")
    dims = several(dim, input.ndim)
    count = math.prod(input.shape[d] for d in dims)
    free = max(count - (int(unbiased) if correction is None else correction), 0)
    made = reduced("squares", input, dims, keepdim, input.dtype)

    def back(g: Tensor, x: Tensor) -> tuple[Tensor]:
        return (opened(g, x.shape, dims, keepdim) * 2 * (x - x.mean(dims, keepdim=True)),)

    made = record(made, "VarBackward0", (input,), back, (input,))
    return called(made / free if free else made * math.nan if count else made / 0.0, "VarBackward0")


@op("std")
def std(input: Tensor, *args: Any, **named: Any) -> Tensor:
    if input.dtype.rank < 2:
        raise _only_with_a_point("std")
    variance = var(input, *args, **named)

    def back(g: Tensor, y: Tensor) -> tuple[Tensor]:
        # As in torch: numbers that are all equal have gradient zero here, not infinity.
        return ((g / (2 * y)).masked_fill(y == 0, 0),)

    return record(variance.detach().sqrt(), "StdBackward0", (variance,), back, result=True)


# The largest and the smallest


def _need_some(name: str, input: Tensor, dims: list[int], told: bool) -> None:
    for dim in dims:
        if not input.shape[dim]:
            if told:
                raise IndexError(f"{name}(): Expected reduction dim {dim} to have non-zero size.")
            raise RuntimeError(
                f"{name}(): Expected reduction dim to be specified for input.numel() == 0. Specify "
                "the reduction dim with the 'dim' argument."
            )


def _arg(name: str) -> None:
    @op(name)
    def found(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
        if input.dtype is bool_:
            raise RuntimeError(f"{name}(): does not support bool input")
        dims = several(dim, input.ndim)
        _need_some(name, input, dims, dim is not None)
        return reduced(name, input, dims, keepdim, int64)


_arg("argmax")
_arg("argmin")


def shared(made: Tensor, input: Tensor, dims: list[int], keepdim: bool, called: str, every: bool) -> Tensor:
    """Share the gradient of a result among all numbers that equal it."""

    def back(g: Tensor, x: Tensor, y: Tensor) -> tuple[Tensor]:
        y = opened(y, x.shape, dims, keepdim)
        best = (x == y) | (x.isnan() & y.isnan()) if every else x == y
        share = opened(g, x.shape, dims, keepdim) / best.sum(dims, keepdim=True)
        # As in torch: a NaN gradient reaches the other numbers along a dimension, but not otherwise.
        return (share.masked_fill(~best, 0) if every else share * best,)

    return record(made, called, (input,), back, (input,), True)


def _extreme(name: str) -> None:
    @op(name)
    def found(input: Tensor, dim: Any = (), keepdim: bool = False) -> Tensor:
        dims = several(dim, input.ndim)
        _need_some(name, input, dims, dim not in ((), None))
        made = reduced(name, input, dims, keepdim, input.dtype)
        return shared(made, input, dims, keepdim, f"{name.capitalize()}Backward0", False)


_extreme("amax")
_extreme("amin")


@functools.cache
def _pair(name: str) -> Any:
    """Make a tuple whose two parts have names, and which prints as in torch."""
    made = namedtuple(name, ["values", "indices"])  # type: ignore[misc]

    def told(self: Any) -> str:
        return f"torch.return_types.{name}(\nvalues={self[0]!r},\nindices={self[1]!r})"

    made.__repr__ = told  # type: ignore[method-assign]
    made.__name__ = f"torch.return_types.{name}"  # the name that Python prints in an error
    return made


def picked_along(
    input: Tensor, dim: int, indices: Tensor, values: Tensor, called: str, keepdim: bool = True
) -> Tensor:
    """Return the values at these indices, with the gradient going back to where they were."""
    shape = input.shape

    def back(g: Tensor) -> tuple[Tensor]:
        at = indices if keepdim or not shape else indices.unsqueeze(dim)
        g = g if keepdim or not shape else g.unsqueeze(dim)
        return (g.new_zeros(shape).scatter_add(dim, at, g) if shape else g,)

    return record(values, called, (input,), back)


def _largest(name: str, of_two: str) -> None:
    @op(name)
    def found(input: Tensor, dim: Any = None, keepdim: bool = False, *, other: Any = None) -> Any:
        if isinstance(dim, Tensor) or other is not None:
            return getattr(input, of_two)(dim if other is None else other)
        if dim is None:
            every = list(range(input.ndim))
            _need_some(name, input, every, False)
            made = reduced(f"a{name}", input, every, False, input.dtype)
            called = f"{name.capitalize()}Backward1"
            return shared(made, input, every, False, called, True)
        dim = wrapped(dim, input.ndim)
        if input.ndim:
            _need_some(name, input, [dim], True)
        dims = [dim] if input.ndim else []
        at = reduced(f"arg{name}", input, dims, keepdim, int64)
        values = reduced(f"a{name}", input, dims, keepdim, input.dtype)
        values = picked_along(input, dim, at, values, f"{name.capitalize()}Backward0", keepdim)
        return _pair(name)(values, at)


_largest("max", "maximum")
_largest("min", "minimum")


# Along one dimension, with the same shape


def along(kernel: str, input: Tensor, dim: int, kind: dtype) -> Tensor:
    """Apply a kernel that turns each row into a row of the same length."""
    made = empty(input.shape, kind)
    last = wrapped(dim, input.ndim)
    seen, rows, length = rows_of(input, [last] if input.ndim else [])
    if made.numel():
        run(kernel, (rows_of(made, [last] if input.ndim else [])[0],), (seen,), rows, length)
    return made


def _soft(name: str, called: str, back: Any) -> Any:
    @op(name)
    def soft(input: Tensor, dim: Any = None, dtype: dtype | None = None, *, _stacklevel: int = 3) -> Tensor:
        x = input if dtype is None else converted(input, dtype)
        if x.dtype.rank < 2:
            raise not_implemented(f"{name}_lastdim_kernel_impl", x.dtype.word)
        if dim is None:
            raise TypeError(f'{name}() missing 1 required positional arguments: "dim"')
        made = along(name, x, dim, x.dtype)
        return record(made, called, (x,), lambda g, y: (back(g, y, dim),), result=True)

    return soft


softmax = _soft("softmax", "SoftmaxBackward0", lambda g, y, dim: y * (g - (g * y).sum(dim, keepdim=True)))
log_softmax = _soft(
    "log_softmax", "LogSoftmaxBackward0", lambda g, y, dim: g - y.exp() * g.sum(dim, keepdim=True)
)


@op("logsumexp")
def logsumexp(input: Tensor, dim: Any, keepdim: bool = False) -> Tensor:
    x = input if input.dtype.rank == 2 else converted(input, default())
    dims = several(dim, x.ndim)
    made = reduced("logsumexp", x, dims, keepdim, x.dtype)

    def back(g: Tensor, x: Tensor, y: Tensor) -> tuple[Tensor]:
        shares = (x - opened(y, x.shape, dims, keepdim)).exp()
        shares = shares.masked_fill(x == -math.inf, 0)
        return (opened(g, x.shape, dims, keepdim) * shares,)

    return record(made, "LogsumexpBackward0", (x,), back, (x,), True)


@op("cumsum")
def cumsum(input: Tensor, dim: int, *, dtype: dtype | None = None) -> Tensor:
    kind = dtype or (input.dtype if input.dtype.rank == 2 else int64)
    x = converted(input, kind)
    made = along("cumsum", x, dim, kind)

    def back(g: Tensor) -> tuple[Tensor]:
        return (g.flip(dim).cumsum(dim).flip(dim) if g.ndim else g,)

    return record(made, "CumsumBackward0", (x,), back)


# Norms


@op("norm")
def norm(
    input: Tensor, p: Any = "fro", dim: Any = None, keepdim: bool = False, dtype: dtype | None = None
) -> Tensor:
    if p in ("fro", None):
        p = 2
    elif not isinstance(p, (int, float)):
        raise RuntimeError(f"norm() does not know the order {p!r}")
    return vector_norm(input, p, dim, keepdim, dtype)


def vector_norm(
    input: Tensor, ord: float = 2, dim: Any = None, keepdim: bool = False, dtype: dtype | None = None
) -> Tensor:
    x = input if dtype is None else converted(input, dtype)
    if x.dtype.rank < 2:
        raise RuntimeError(
            f"linalg.vector_norm: Expected a floating point or complex tensor as input. Got {x.dtype.word}"
        )
    dims = several(dim, x.ndim)
    p = float(ord)
    if p not in (1, 2) and x.requires_grad:
        raise NotInThisPage(f"The gradient of the norm of order {ord}")
    made = reduced("norm", x, dims, keepdim, x.dtype, p)

    def back(g: Tensor, x: Tensor, y: Tensor) -> tuple[Tensor]:
        g, y = opened(g, x.shape, dims, keepdim), opened(y, x.shape, dims, keepdim)
        if p == 2:
            return (g * (x / y).masked_fill(y == 0, 0),)
        return (g * x.sign(),)

    return record(made, "LinalgVectorNormBackward0", (x,), back, (x,), True)
