"""Operations about order: sorting, the largest few, indices, counts."""

from __future__ import annotations

from typing import Any

from .dtypes import bool_, int64
from .engine import run
from .errors import NotInThisPage, must_be_tensor, overloaded
from .making import tensor
from .reductions import _pair, picked_along, rows_of
from .registry import op
from .shapes import lies_in_order, wrapped
from .tensor import Tensor, empty, laid_out


def _sorted(input: Tensor, dim: int, descending: bool, kept: int) -> tuple[Tensor, Tensor]:
    shape = list(input.shape)
    last = wrapped(dim, input.ndim)
    dims = [last] if shape else []
    if shape:
        shape[last] = kept
    values, at = empty(shape, input.dtype), empty(shape, int64)
    if values.numel():
        seen, rows, length = rows_of(input, dims)
        outs = (rows_of(values, dims)[0], rows_of(at, dims)[0])
        run("sort", outs, (seen,), rows, length, int(descending), kept if shape else 1)
    if shape == list(input.shape):
        values, at = (_lying_as(made, input) for made in (values, at))
    return picked_along(input, last, at, values, "SortBackward0"), at


def _lying_as(made: Tensor, input: Tensor) -> Tensor:
    """Return the same numbers, with the layout in memory from before the sorting."""
    if lies_in_order(input.shape, input._strides):
        return made
    laid = laid_out(made.shape, made.dtype, input)
    run("copy", (laid,), (made,))
    return laid


@op("sort", tensor_first=False)
def sort(input: Tensor, *args: Any, **kwargs: Any) -> Any:
    if isinstance(input, Tensor):
        return _sort(input, *args, **kwargs)
    if not args and not kwargs:
        raise must_be_tensor("sort", "input", 1, input)
    given = [type(each).__name__ for each in (input, *args)]
    given += [f"{name}={type(each).__name__}" for name, each in kwargs.items()]
    more = "bool descending = False, tuple of Tensors out = None)"
    raise overloaded(
        "sort",
        f"({', '.join(given)})",
        [
            (f"(Tensor input, *, bool stable, int dim = -1, {more}", ""),
            (f"(Tensor input, int dim = -1, {more.replace('False,', 'False, *,')}", ""),
        ],
    )


def _sort(input: Tensor, dim: int = -1, descending: bool = False, stable: bool = False) -> Any:
    at = wrapped(dim, input.ndim)
    return _pair("sort")(*_sorted(input, dim, descending, input.shape[at] if input.ndim else 1))


@op("argsort")
def argsort(input: Tensor, dim: int = -1, descending: bool = False, stable: bool = False) -> Tensor:
    return sort(input, dim, descending)[1]


@op("topk")
def topk(input: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> Any:
    at = wrapped(dim, input.ndim)
    k = int(k)
    if not 0 <= k <= (input.shape[at] if input.ndim else 1):
        raise RuntimeError("selected index k out of range")
    if input.dtype is bool_:
        raise RuntimeError("topk does not support bool dtypes on CPU")
    return _pair("topk")(*_sorted(input, dim, largest, k))


@op("unique")
def unique(input: Tensor, sorted: bool = True, **more: Any) -> Tensor:
    if any(more.values()) or more.get("dim") == 0:
        raise NotInThisPage(f"`unique` with {', '.join(more)}")
    return tensor(_in_order(set(input._row())), dtype=input.dtype)


_in_order = sorted  # a name that no argument has
