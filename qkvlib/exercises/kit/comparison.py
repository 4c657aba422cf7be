"""Say in words how a result differs from the one that was expected."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from qkvlib.calling.plain import Opaque
from qkvlib.exercises.kit.numbers_as_text import written

# How far apart two right answers may be, relative to the largest number of the expected result. An epsilon
# that guards a division is a matter of style, and its effect stays below this.
_TOLERANCE = {torch.float64: 1e-6, torch.float32: 1e-4}
# Where large numbers cancel, rounding alone moves a result further: by this many times as much as the last
# digits of the inputs do.
_SHIFTS = 4.0
# A larger result may be `expand`ed from a few numbers, and fill the memory when it is copied. Right results
# are small.
_MOST_SHOWN = 1_000_000
_MOST_PARTS = 100

# How far the last digits of the inputs move each part of a result; None if it is unknown.
Shifts = Any
# Finding that out takes longer than everything else, so it is done only if numbers differ.
AskShifts = Callable[[], Shifts] | None


@dataclass(frozen=True)
class Objection:
    """Stands for a value that an exercise cannot judge: `words` says why."""

    words: str


def difference(
    got: Any, expected: Any, returns: tuple[str, ...] = (), shifts: AskShifts = None
) -> str | None:
    """How `got` differs from `expected`, in words, or None when it does not.

    A Python number and a tensor of one number count as the same thing. So do a list and a tuple,
    and a list of tensors or of numbers and the tensor that they make.
    """
    if isinstance(got, Objection):
        return None if got == expected else got.words
    if got is None and expected is None:
        return None
    if got is None:
        return (
            "Your function returned None. Does every path through it end with `return`? "
            "A check ignores what it prints."
        )
    if isinstance(expected, (tuple, list)):
        return _parts_difference(got, expected, returns, shifts)
    if isinstance(expected, dict):
        return _goals_difference(got, expected)
    if isinstance(expected, str) and isinstance(got, str):
        return None if got == expected else f"Your result is {got!r}. Expected {expected!r}."
    fitted = as_expected(got, expected)
    if not _is_tensor_like(fitted) or not _is_tensor_like(expected):
        return f"Your function returned {kind_of(got)}. Expected {kind_of(expected)}.{_cure(got)}"
    try:
        return _tensor_difference(_as_tensor(fitted), _as_tensor(expected), shifts)
    except Exception as error:  # a tensor can misbehave in more ways than we can list
        return f"Your function returned {_kind_of_tensor(got)} that cannot be compared: {error}"


def as_expected(got: Any, expected: Any) -> Any:
    """Return the same result in the expected type, if only its type is different.

    A list of tensors or numbers becomes a tensor, a whole number as a float becomes a whole number, and a
    sparse tensor becomes dense. What cannot be converted is returned unchanged.
    """
    if isinstance(expected, (tuple, list)):
        if not isinstance(got, (tuple, list)) or len(got) != len(expected):
            return got
        parts = tuple(as_expected(one, other) for one, other in zip(got, expected, strict=True))
        return got if all(map(operator.is_, parts, got)) else parts
    if not _is_dense(got):
        # A result of a different shape is left alone: made dense, it could fill the memory.
        return got.to_dense() if got.shape == getattr(expected, "shape", ()) else got
    if isinstance(expected, Tensor) and isinstance(got, (tuple, list)) and expected.ndim:
        return _stacked(got, expected.dtype, expected.ndim)
    if _is_whole(got) and type(expected) is int:
        return int(got)
    return got


def _stacked(parts: Any, dtype: torch.dtype, ndim: int) -> Any:
    """Stack a list of tensors, or of lists of numbers, into a tensor; return other lists unchanged."""
    try:
        if ndim and isinstance(parts, (tuple, list)):
            rows = [_stacked(part, dtype, ndim - 1) for part in parts]
            if not all(isinstance(row, Tensor) for row in rows):
                return parts
            return torch.stack(rows) if sum(row.numel() for row in rows) <= _MOST_SHOWN else parts
        if not ndim and _can_be(parts, dtype):
            return torch.tensor(parts, dtype=dtype)
    except Exception:  # tensors of different shapes, or numbers that no tensor holds
        return parts
    return parts


def _can_be(number: Any, dtype: torch.dtype) -> bool:
    """Tell whether a tensor of this dtype can hold the number exactly."""
    if dtype == torch.bool:
        return type(number) is bool
    is_number = type(number) in (int, float)
    return is_number and (dtype.is_floating_point or number == int(number))


def _is_dense(value: Any) -> bool:
    """Tell whether a tensor stores all its numbers in the ordinary way: it is not sparse, and has no special
    layout."""
    return not isinstance(value, Tensor) or value.layout == torch.strided


def _is_whole(value: Any) -> bool:
    """Tell whether a float is a whole number."""
    if isinstance(value, Tensor) and value.ndim == 0 and value.is_floating_point():
        value = None if value.device.type == "meta" else value.item()
    return type(value) is float and value.is_integer()


def alike(got: Any, expected: Any) -> bool:
    """Tell whether both have the same type, so that only their numbers or characters can differ."""
    if isinstance(got, str) or isinstance(expected, str):
        return isinstance(got, str) and isinstance(expected, str)
    if isinstance(got, tuple) and isinstance(expected, tuple):
        return len(got) == len(expected) and all(map(alike, got, expected))
    shapes = [tuple(getattr(value, "shape", ())) for value in (got, expected)]
    return _is_tensor_like(got) and shapes[0] == shapes[1]


def remark(got: Any, expected: Any) -> str | None:
    """Return a remark about a right result, if there is something to say."""
    if isinstance(expected, (tuple, list)):
        remarks = (remark(one, other) for one, other in zip(got, expected, strict=True))
        return next((words for words in remarks if words), None)
    if _is_whole(got) and type(expected) is int:
        return f"Your result is {show(got)}, a float. `int(...)` turns it into a whole number."
    if isinstance(expected, Tensor) and isinstance(got, (list, tuple)):
        kind = "tuple" if isinstance(got, tuple) else "list"
        return (
            f"You return a {kind}, but a tensor was expected. `torch.stack(...)` turns a {kind} of tensors "
            f"into one, and `torch.tensor(...)` a {kind} of numbers."
        )
    if not _is_dense(got):
        return (
            f"Your result is stored as `{got.layout}`, which much of torch cannot compute with. "
            "`.to_dense()` makes an ordinary tensor of it."
        )
    if isinstance(expected, Tensor) and isinstance(got, Tensor) and _is_coarser(got, expected):
        return (
            f"For inputs of {_dtype(expected)} your result is {_dtype(got)}, half as precise. "
            "`torch.zeros(..., dtype=x.dtype)` makes zeros that are as precise as x."
        )
    return None


def _parts_difference(
    got: Any, expected: Sequence[Any], returns: tuple[str, ...], shifts: AskShifts
) -> str | None:
    """Describe the first part that differs, and say which parts are right."""
    if isinstance(expected, list) and isinstance(got, Tensor) and got.shape == (len(expected),):
        got = _as_tensor(got).tolist()
    names = returns or tuple(f"result {i + 1}" for i in range(len(expected)))
    wanted = f"{_plural(len(expected), 'result')}: {', '.join(names)}"
    if not isinstance(got, (tuple, list)):
        return f"Your function returned {kind_of(got)}. Expected {wanted}."
    if len(got) != len(expected):
        return f"Your function returned {_plural(len(got), 'result')}. Expected {wanted}."
    parts = enumerate(zip(names, got, expected, strict=True))
    words = {part[0]: _part_difference(*part, _of_part(i, shifts)) for i, part in parts}
    wrong = [how for how in words.values() if how]
    right = [f"`{name}`" for name, how in words.items() if not how]
    if not wrong:
        return None
    if not right:
        return wrong[0]
    return f"{wrong[0]}\n{' and '.join(right)} {'is' if len(right) == 1 else 'are'} right."


def _of_part(i: int, shifts: AskShifts) -> AskShifts:
    """Return a function that gives the shifts of one part of a result."""
    if shifts is None:
        return None

    def ask() -> Shifts:
        each = shifts()
        return each[i] if isinstance(each, tuple) else None

    return ask


def _part_difference(name: str, got: Any, expected: Any, shifts: AskShifts) -> str | None:
    """Describe how one of several results differs. The parts of a row of tensors are numbered from 1."""
    if isinstance(expected, (tuple, list)):
        numbered = tuple(f"{name}, number {i + 1}" for i in range(len(expected)))
        return difference(got, expected, numbered, shifts)
    how = difference(got, expected, (), shifts)
    return how and f"In `{name}`: {how}"


def _goals_difference(got: Any, expected: dict[str, str]) -> str | None:
    """Describe a choice, sentence by sentence. A sentence may begin with its numbers."""
    if not isinstance(got, dict):
        return f"Your function returned {kind_of(got)}. Expected {kind_of(expected)}."
    missed = [
        f"{sentence} {seen}. Wanted: {wanted}."
        for (sentence, seen), wanted in zip(got.items(), expected.values(), strict=True)
        if seen != wanted
    ]
    reached = f"{len(got) - len(missed)} of {_plural(len(got), 'goal')} reached. Not yet:"
    return "\n".join([reached, *missed]) if missed else None


def _tensor_difference(got: Tensor, expected: Tensor, shifts: AskShifts) -> str | None:
    if got.device.type == "meta":
        return "Your result is on the device 'meta', which has shapes but no numbers."
    if got.shape != expected.shape:
        return f"Your result is {shape_in_words(got)}. Expected {shape_in_words(expected)}."
    if got.dtype == expected.dtype and torch.equal(got, expected):
        return None  # most results are equal, and measuring the others takes longer
    if not expected.dtype.is_floating_point:
        return _exact_difference(got, expected)
    # A Python number has no dtype to compare.
    same = got.dtype == expected.dtype or (expected.ndim == 0 and not got.dtype.is_complex)
    if not same and not _is_coarser(got, expected):
        return f"Your result has dtype {_dtype(got)}. Expected {_dtype(expected)}."
    if got.isnan().any() and not expected.isnan().any():
        return f"Your result holds {_count(got.isnan())} NaN (not a number)."
    wrong = _far_apart(got, expected, shifts)
    return None if wrong is None else _where(wrong, got.to(expected.dtype), expected)


def _far_apart(got: Tensor, expected: Tensor, shifts: AskShifts) -> Tensor | None:
    """Return where they differ by more than rounding; None if they do so nowhere."""
    coarser = max((expected.dtype, got.dtype), key=lambda dtype: _TOLERANCE.get(dtype, 0.0))
    tolerance = _TOLERANCE[coarser]
    if not expected.numel():
        return None
    atol = tolerance * float(expected.nan_to_num(0.0, 0.0, 0.0).abs().max())
    wrong = _differing(got.to(expected.dtype), expected, tolerance, atol)
    if wrong is None or shifts is None:
        return wrong
    rounding = _SHIFTS * (shifts() or 0.0)
    if _is_coarser(got, expected):
        rounding *= torch.finfo(got.dtype).eps / torch.finfo(expected.dtype).eps
    return _differing(got.to(expected.dtype), expected, tolerance, max(atol, rounding))


def _differing(got: Tensor, expected: Tensor, rtol: float, atol: float) -> Tensor | None:
    """Return where they differ by more than this, or None. The course's tensors are small, so this is usually
    faster than torch's own `isclose`, which is used if something is infinite or not a number."""
    apart = (got - expected).abs()
    if math.isfinite(apart.max()):
        wrong = apart > atol + rtol * expected.abs()
    else:
        wrong = ~torch.isclose(got, expected, rtol=rtol, atol=atol, equal_nan=True)
    return wrong if wrong.any() else None


def _is_coarser(got: Tensor, expected: Tensor) -> bool:
    """Tell whether the result is float32 although the inputs are float64: that deserves a remark, but is no
    mistake."""
    return got.dtype == torch.float32 and expected.dtype == torch.float64 and expected.ndim > 0


def _exact_difference(got: Tensor, expected: Tensor) -> str | None:
    exact = not (got.dtype.is_floating_point or got.dtype.is_complex)
    if not exact or (got.dtype == torch.bool) != (expected.dtype == torch.bool):
        return f"Your result has dtype {_dtype(got)}. Expected {_dtype(expected)}."
    wrong = got != expected
    return _where(wrong, got, expected) if wrong.any() else None


def _where(wrong: Tensor, got: Tensor, expected: Tensor) -> str:
    if expected.ndim == 0:
        one, other = _apart(got, expected)
        return f"Your result is {one}. Expected {other}."
    first = tuple(int(i) for i in wrong.nonzero()[0])
    place = ", ".join(str(i) for i in first)
    one, other = _apart(got[first], expected[first])
    return (
        f"{_count(wrong)} of {wrong.numel()} numbers differ. "
        f"The first is at [{place}]: got {one}, expected {other}."
    )


def _apart(got: Tensor, expected: Tensor) -> tuple[str, str]:
    """Write two different numbers with as many digits as it takes to see the difference.

    If one of them is only the rounding error of the other, such as the cosine of a quarter turn, it is
    written as 0.
    """
    got, expected = _unless_rounding(got, expected), _unless_rounding(expected, got)
    for digits in range(4, 18):
        texts = number(got, digits), number(expected, digits)
        if texts[0] != texts[1]:
            break
    return texts


def _unless_rounding(value: Tensor, beside: Tensor) -> Tensor:
    if not (value.is_floating_point() and beside.is_floating_point()):
        return value
    least = torch.finfo(torch.float32).eps * beside.abs()
    return value * 0 if value.abs() < least and beside.isfinite() else value


def _is_tensor_like(value: Any) -> bool:
    """Tell whether it is a tensor or a number. NumPy's numbers do not count, because torch refuses most of
    them."""
    return isinstance(value, Tensor) or type(value) in (bool, int, float)


def _as_tensor(value: Any) -> Tensor:
    if isinstance(value, Tensor):
        # A subclass may redefine comparison, and a graph is of no use here.
        plain = value.detach()
        has_numbers = plain.device.type != "meta" and _is_dense(plain)
        return plain.as_subclass(Tensor).cpu() if has_numbers else plain
    return torch.tensor(value, dtype=torch.float64 if isinstance(value, float) else None)


def _count(mask: Tensor) -> int:
    return int(mask.count_nonzero())


def _dtype(tensor: Tensor) -> str:
    return str(tensor.dtype).removeprefix("torch.")


_KINDS = {
    "tuple": "a tuple",
    "list": "a list",
    "dict": "a dictionary",
    "str": "a text",
    "bool": "True or False",
    "int": "a whole number",
    "float": "a number",
    "ndarray": "a NumPy array",
    "function": "a function (its brackets are missing?)",
    "NoneType": "None",
    "generator": "a generator",
}
_PARTS = {
    float: " of floats",
    str: " of texts",
    list: " of lists",
    tuple: " of tuples",
    Tensor: " of tensors",
}


def kind_of(value: Any) -> str:
    """Return the type of a value in words, with its article: of a tensor, its shape."""
    if isinstance(value, Tensor):
        return shape_in_words(value)
    name = value.type_name if isinstance(value, Opaque) else type(value).__name__
    kind = _KINDS.get(name, f"an object of type {name}")
    if type(value) in (list, tuple):
        parts = {type(part) for part in value}
        kind += _PARTS.get(parts.pop(), "") if len(parts) == 1 else ""
    return kind


def _cure(got: Any) -> str:
    uneven = type(got) is list and len({len(row) for row in got if type(row) is list}) > 1
    return " Its rows have to be equally long to make a tensor." if uneven else ""


def _kind_of_tensor(got: Any) -> str:
    return f"a tensor of shape {tuple(got.shape)}" if isinstance(got, Tensor) else kind_of(got)


def shape_in_words(tensor: Tensor) -> str:
    """Describe a shape: 'a vector of 3 numbers, shape (3,)', and so on."""
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


def number(value: Tensor, digits: int = 4) -> str:
    """Write one number briefly."""
    item = value.item()
    return f"{item + 0.0:.{digits}g}" if isinstance(item, float) else str(item)


def show_apart(got: Any, expected: Any) -> tuple[str, str]:
    """Write two different values with as many digits as it takes to see the difference, if that is
    possible."""
    for digits in range(3, 10):
        texts = show(got, digits), show(expected, digits)
        if texts[0] != texts[1]:
            return texts
    return show(got), show(expected)


def show(value: Any, digits: int = 3) -> str:
    """Show a value as a learner would like to read it: small, rounded, without `tensor(...)`."""
    try:
        text = _text(value, digits)
    except Exception:  # a learner's object may return anything as its text, or fail
        return kind_of(value)
    return text if len(text) <= 1000 else text[:1000] + " ..."


def _holds_a_tensor(value: Any) -> bool:
    """Tell whether a value contains a tensor at any depth: torch's print options may be set to print all
    numbers."""
    if isinstance(value, (tuple, list)):
        return any(map(_holds_a_tensor, value))
    return isinstance(value, Tensor)


def _text(value: Any, digits: int) -> str:
    if isinstance(value, Tensor):
        if value.device.type == "meta" or value.dtype.is_complex or value.numel() > _MOST_SHOWN:
            return f"{shape_in_words(value)}, dtype {_dtype(value)}"
        value = _as_tensor(value if _is_dense(value) else value.to_dense())
        if value.ndim == 0:
            return number(value, digits + 1)
        is_short = value.is_floating_point() and value.dtype not in (torch.float32, torch.float64)
        array = value.float() if is_short else value
        if digits == 3 and array.is_floating_point():
            array = array.masked_fill(array.abs() < 0.0005, 0.0)  # avoids -0.
        return written(array, digits, suppress_small=digits == 3)
    if isinstance(value, (tuple, list)) and _holds_a_tensor(value):
        return "\n".join(show(part, digits) for part in value[:_MOST_PARTS])
    if isinstance(value, dict):
        return "\n".join(f"{name}: {show(part, digits)}" for name, part in value.items())
    text = kind_of(value) if isinstance(value, Opaque) else repr(value)
    if type(value) is float and len(text) > digits + 4 and not value.is_integer():
        return f"{value:.{digits + 1}g}"
    return text if len(text) <= 300 else text[:300] + " ..."
