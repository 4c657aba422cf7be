"""Say in words how a result differs from the one that was expected."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

# How far two right answers may lie apart, relative to the largest number of the expected result.
_TOLERANCE = {torch.float64: 1e-9, torch.float32: 1e-4, torch.float16: 1e-2, torch.bfloat16: 3e-2}


class Opaque:
    """Stands for a value of another process that has no business here: only its type is known."""

    def __init__(self, type_name: str) -> None:
        self.type_name = type_name


def difference(got: Any, expected: Any, returns: tuple[str, ...] = ()) -> str | None:
    """How `got` differs from `expected`, in words, or None when it does not.

    A Python number and a tensor of one number count as the same thing.
    """
    if got is None and expected is not None:
        return "Your function returned None. Does every path through it end with `return`?"
    if isinstance(expected, tuple):
        return _tuple_difference(got, expected, returns)
    if isinstance(got, (tuple, list, dict, str)) or not _is_tensor_like(got):
        return f"Your function returned {_a(got)}. Expected {describe(expected)}."
    try:
        return _tensor_difference(_as_tensor(got), _as_tensor(expected))
    except (RuntimeError, TypeError, ValueError) as error:
        return f"Your function returned {_a(got)} that cannot be compared: {error}"


def _tuple_difference(got: Any, expected: tuple[Any, ...], returns: tuple[str, ...]) -> str | None:
    names = returns or tuple(f"result {i + 1}" for i in range(len(expected)))
    wanted = f"{len(expected)} results: {', '.join(names)}"
    if not isinstance(got, (tuple, list)):
        return f"Your function returned {_a(got)}. Expected {wanted}."
    if len(got) != len(expected):
        return f"Your function returned {len(got)} results. Expected {wanted}."
    for name, one, other in zip(names, got, expected, strict=True):
        words = difference(one, other)
        if words:
            return f"In `{name}`: {words}"
    return None


def _tensor_difference(got: Tensor, expected: Tensor) -> str | None:
    if got.shape != expected.shape:
        return f"Your result is {shape_in_words(got)}. Expected {shape_in_words(expected)}."
    if not expected.dtype.is_floating_point:
        return _exact_difference(got, expected)
    # One number may also be a Python number, which has no dtype to compare.
    if got.dtype != expected.dtype and expected.ndim > 0:
        return (
            f"Your result has dtype {_dtype(got)}. Expected {_dtype(expected)}, as the inputs "
            f"have. `torch.zeros(..., dtype=x.dtype)` makes zeros of x's dtype."
        )
    got = got.to(expected.dtype)
    if got.isnan().any() and not expected.isnan().any():
        return f"Your result holds {_count(got.isnan())} NaN (not a number)."
    scale = expected[expected.isfinite()].abs().max().item() if expected.isfinite().any() else 1.0
    tolerance = _TOLERANCE[expected.dtype]
    close = torch.isclose(got, expected, rtol=tolerance, atol=tolerance * scale, equal_nan=True)
    return _where(~close, got, expected)


def _exact_difference(got: Tensor, expected: Tensor) -> str | None:
    if got.dtype.is_floating_point or (got.dtype == torch.bool) != (expected.dtype == torch.bool):
        return f"Your result has dtype {_dtype(got)}. Expected {_dtype(expected)}."
    return _where(got != expected, got, expected)


def _where(wrong: Tensor, got: Tensor, expected: Tensor) -> str | None:
    if not wrong.any():
        return None
    if expected.ndim == 0:
        return f"Your result is {number(got)}. Expected {number(expected)}."
    first = tuple(int(i) for i in wrong.nonzero()[0])
    place = ", ".join(str(i) for i in first)
    return (
        f"{_count(wrong)} of {wrong.numel()} numbers differ. "
        f"The first is at [{place}]: got {number(got[first])}, expected {number(expected[first])}."
    )


def _is_tensor_like(value: Any) -> bool:
    return isinstance(value, (Tensor, bool, int, float))


def _as_tensor(value: Any) -> Tensor:
    if isinstance(value, Tensor):
        # A subclass may redefine comparison, and a graph is of no use here.
        return value.detach().as_subclass(Tensor).cpu()
    return torch.tensor(value, dtype=torch.float64 if isinstance(value, float) else None)


def _count(mask: Tensor) -> int:
    return int(mask.count_nonzero())


def _dtype(tensor: Tensor) -> str:
    return str(tensor.dtype).removeprefix("torch.")


def _a(value: Any) -> str:
    """The value's kind, with its article."""
    kinds: dict[type, str] = {
        tuple: "a tuple",
        list: "a list",
        dict: "a dictionary",
        str: "a text",
        bool: "True or False",
        int: "a whole number",
        float: "a number",
    }
    if isinstance(value, np.ndarray):
        return "a NumPy array"
    if isinstance(value, Tensor):
        return shape_in_words(value)
    if isinstance(value, Opaque):
        return f"an object of type {value.type_name}"
    return kinds.get(type(value), f"an object of type {type(value).__name__}")


def describe(value: Any) -> str:
    """What kind of value this is, in words: 'a matrix of 3 rows and 2 columns, shape (3, 2)'."""
    return shape_in_words(value) if isinstance(value, Tensor) else _a(value)


def shape_in_words(tensor: Tensor) -> str:
    """'a vector of 3 numbers, shape (3,)', and so on."""
    shape = tuple(tensor.shape)
    if not shape:
        return "a single number"
    if len(shape) == 1:
        return f"a vector of {_plural(shape[0], 'number')}, shape {shape}"
    matrix = f"{_plural(shape[-2], 'row')} and {_plural(shape[-1], 'column')}"
    if len(shape) == 2:
        return f"a matrix of {matrix}, shape {shape}"
    return f"a tensor of shape {shape}: matrices of {matrix}"


def _plural(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def number(value: Tensor) -> str:
    """One number, short."""
    item = value.item()
    return f"{item:.4g}" if isinstance(item, float) else str(item)


def show(value: Any) -> str:
    """A value as a learner would like to read it: small, rounded, without `tensor(...)`."""
    if isinstance(value, Tensor):
        value = _as_tensor(value)
        if value.ndim == 0:
            return number(value)
        array = value.float().numpy() if value.dtype.is_floating_point else value.numpy()
        return np.array2string(array, precision=3, suppress_small=True, threshold=60, edgeitems=2)
    if isinstance(value, tuple):
        return "\n".join(show(part) for part in value)
    text = repr(value) if not isinstance(value, Opaque) else _a(value)
    return text if len(text) <= 300 else text[:300] + " ..."
