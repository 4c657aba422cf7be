"""Describe wrong results that match no known mistake.

Each probe looks for one relation between a result and the expected one, and describes it in a sentence. No
probe knows the exercise. A sentence is used only if it is true of every case that fails: if it is true of
only one of them, it is a coincidence.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from qkvlib.exercises.kit.comparison import as_expected

_CLOSE = 1e-4
# If a relation is checked on fewer numbers than this, it may hold by chance.
_LEAST_NUMBERS = 4
# Larger results are skipped: the right results are small, and a large one could fill the memory.
_MOST_NUMBERS = 1_000_000


@dataclass(frozen=True)
class Failure:
    """A case that fails: its inputs, its result, and the expected result."""

    inputs: tuple[Any, ...]
    got: Any
    expected: Any


def sentences(failures: Sequence[Failure], names: Sequence[str], returns: Sequence[str] = ()) -> list[str]:
    """Describe how the results relate to the expected ones, in all of these cases; `names` are the inputs'
    names."""
    if not any(isinstance(one.expected, tuple) for one in failures):
        return _of_one_result(failures, names)
    n_parts = len(failures[0].expected)
    failures = [Failure(one.inputs, as_expected(one.got, one.expected), one.expected) for one in failures]
    if not all(type(one.got) in (tuple, list) and len(one.got) == n_parts for one in failures):
        return []
    labels = returns or [f"result {i + 1}" for i in range(n_parts)]
    found = []
    for i, label in enumerate(labels):
        own = [Failure(one.inputs, one.got[i], one.expected[i]) for one in failures]
        wrong = [(one, whole) for one, whole in zip(own, failures, strict=True) if not _is_right(one)]
        words = _of_another_part(i, labels, [whole for _, whole in wrong])
        words = words or _of_one_result([one for one, _ in wrong], names)[:1]
        found += [f"`{label}`: {sentence}" for sentence in words]
    return found


def _of_another_part(i: int, labels: Sequence[str], wrong: Sequence[Failure]) -> list[str]:
    """Tell whether part `i` of the result is what a different part should be."""
    return [
        f"Your result is what `{other}` should be."
        for j, other in enumerate(labels)
        if j != i and wrong and all(_is_right(Failure((), one.got[i], one.expected[j])) for one in wrong)
    ][:1]


def _is_right(one: Failure) -> bool:
    return bool(
        _are_comparable(one.got, one.expected)
        and one.got.shape == one.expected.shape
        and _close(one.got, one.expected)
    )


def _of_one_result(failures: Sequence[Failure], names: Sequence[str]) -> list[str]:
    # The most telling sentence of each family, but no more of them than a reader can take in.
    return [claims[0] for claims in claims_by_family(failures, names) if claims][:2]


def claims_by_family(failures: Sequence[Failure], names: Sequence[str]) -> list[list[str]]:
    """Return everything that is true of all these cases, the most telling sentence first in each family."""
    failures = [Failure(one.inputs, as_expected(one.got, one.expected), one.expected) for one in failures]
    if not failures or not all(_are_comparable(one.got, one.expected) for one in failures):
        return []
    plain = [
        Failure(one.inputs, one.got.detach().to(one.expected.dtype), one.expected.detach())
        for one in failures
    ]
    if any(_is_right(one) for one in plain):  # the case fails because of something that is not a number
        return []
    if sum(one.expected.numel() for one in plain) < _LEAST_NUMBERS:
        return []
    same_shapes = all(one.got.shape == one.expected.shape for one in plain)
    families = _WHATEVER_THE_SHAPE + (_OF_EQUAL_SHAPES if same_shapes else ())
    found = []
    for family in families:
        first, *others = (family(one, names) for one in plain)
        found.append([claim for claim in first if all(claim in claims for claims in others)])
    return found


def ignored_inputs(
    call: Callable[[tuple[Any, ...]], Any],
    reference: Callable[..., Any],
    names: Sequence[str],
    cases: Sequence[tuple[Any, ...]],
    found: Sequence[Any],
) -> Iterator[str]:
    """Return the inputs that the reference's result depends on, but that the result of `call` never depends
    on.

    `found` is what `call` gives for the cases as they are.
    """
    for i, name in enumerate(names):
        matters = False
        for number, inputs in enumerate(cases):
            if i >= len(inputs) or not isinstance(inputs[i], Tensor) or not inputs[i].numel():
                continue
            others = [(*inputs[:i], value, *inputs[i + 1 :]) for value in _others(inputs[i])]
            if any(not _same(found[number], call(changed)) for changed in others):
                break
            # Only the first: a much larger input may change nothing except rounding.
            matters = matters or _matters(reference, inputs, others[0])
        else:
            if matters:
                yield f"Your result does not depend on `{name}`: different values change nothing."


def _matters(reference: Callable[..., Any], inputs: tuple[Any, ...], changed: tuple[Any, ...]) -> bool:
    """Tell whether the right result differs by more than rounding."""
    try:
        one, other = reference(*inputs), reference(*changed)
    except (ValueError, RuntimeError, IndexError):
        return False
    return not _nearly_same(one, other)


def _nearly_same(one: Any, other: Any) -> bool:
    if isinstance(one, (tuple, list)) and isinstance(other, (tuple, list)):
        return len(one) == len(other) and all(map(_nearly_same, one, other))
    if _is_plain(one) and _is_plain(other) and one.shape == other.shape and one.numel():
        one, other = one.detach().double(), other.detach().double()
        return torch.allclose(one, other, atol=_CLOSE * float(one.abs().max()))
    return _same(one, other)


def _are_comparable(got: Any, expected: Any) -> bool:
    return all(_is_plain(x) and x.dtype.is_floating_point for x in (got, expected)) and bool(
        got.numel() and got.isfinite().all() and expected.isfinite().all()
    )


def _is_plain(value: Any) -> bool:
    """Tell whether the numbers of a tensor can be read: it is not sparse, quantised or on the device meta."""
    return (
        type(value) in (Tensor, torch.nn.Parameter)
        and value.layout == torch.strided
        and value.device.type == "cpu"
        and not value.is_quantized
        and value.numel() <= _MOST_NUMBERS
    )


def _close(a: Tensor, b: Tensor) -> bool:
    return torch.allclose(a.to(b.dtype), b, rtol=_CLOSE, atol=_CLOSE * float(b.abs().max()))


def _transposed(one: Failure, names: Sequence[str]) -> list[str]:
    got, expected = one.got, one.expected
    if expected.ndim >= 2 and got.shape == expected.mT.shape and _close(got.mT, expected):
        return ["Your result is the expected result transposed: rows and columns have changed places."]
    return []


def _scaled(one: Failure, names: Sequence[str]) -> list[str]:
    """Find one number that everything is multiplied by, or that is added to everything."""
    return [*_factor(one, names), *_added(one), *_factor_of_each_row(one)]


def _factor(one: Failure, names: Sequence[str]) -> list[str]:
    got, expected = one.got, one.expected
    factor = float((got * expected).sum() / (expected * expected).sum().clamp(min=1e-30))
    if abs(factor) < _CLOSE or abs(factor - 1) < 1e-3 or not _close(got, factor * expected):
        return []
    if abs(factor + 1) < _CLOSE:
        return ["Your result is the expected result with the opposite sign."]
    sizes = _where_from(abs(factor), names, one.inputs)
    plain = [f"{factor:.4g}"]
    sign = "-" if factor < 0 else ""
    return [
        f"Your result is the expected result times {text} everywhere."
        for text in [*(sign + formula for formula in sizes), *plain]
    ]


def _where_from(factor: float, names: Sequence[str], inputs: Sequence[Any]) -> list[str]:
    """Write the factor as code, in terms of the sizes of the inputs that give it."""
    formulas: dict[str, Callable[[int], float]] = {
        "sqrt({})": math.sqrt,
        "1/sqrt({})": lambda size: 1 / math.sqrt(size),
        "{}": float,
        "1/{}": lambda size: 1 / size,
    }
    return [
        "`" + formula.format(f"{name}.shape[{dim}]") + "`"
        for name, value in zip(names, inputs, strict=False)
        if isinstance(value, Tensor)
        for dim in range(-1, -1 - value.ndim, -1)
        for formula, make in formulas.items()
        if value.shape[dim] and math.isclose(factor, make(value.shape[dim]), rel_tol=1e-3)
    ]


def _added(one: Failure) -> list[str]:
    shift = (one.got - one.expected).mean()
    if not _close(one.expected + shift, one.got):
        return []
    return [f"Your result is the expected result plus {float(shift):.4g} everywhere."]


def _factor_of_each_row(one: Failure) -> list[str]:
    got, expected = one.got, one.expected
    if expected.ndim < 2 or expected.shape[-1] < 2:
        return []
    found = []
    for dim, line in ((-1, "row"), (-2, "column")):
        norm = (expected * expected).sum(dim, keepdim=True).clamp(min=1e-30)
        factors = (got * expected).sum(dim, keepdim=True) / norm
        if expected.shape[dim] > 1 and _close(got, factors * expected) and factors.abs().min() > 0:
            number = f"a number that differs from {line} to {line}"
            found.append(f"Each {line} is the expected {line} times {number}.")
    return found


def _sums(one: Failure, names: Sequence[str]) -> list[str]:
    """Check that what should sum to one does. Only for expected results that are made of weights."""
    got, expected = one.got, one.expected
    if expected.ndim < 1 or bool((expected < 0).any()) or not _ones(expected.sum(-1)):
        return []
    # A single vector has no rows. Next to matrices it may stand for one row.
    if _ones(got.sum(-1)):
        own = ["The numbers sum to one, as they should."] if got.ndim == 1 else []
        return [*own, "The rows sum to one, as they should."]
    turned = got.ndim > 1 and _ones(got.sum(-2))
    own = ["The numbers should sum to one. Your numbers do not."] if got.ndim == 1 else []
    columns = ["Your columns sum to one, but the rows should."] if turned else []
    return [*own, *columns, "Each row should sum to one. Not all of your rows do."]


def _ones(sums: Tensor) -> bool:
    return torch.allclose(sums, torch.ones_like(sums), atol=1e-3)


def _reordered(one: Failure, names: Sequence[str]) -> list[str]:
    got, expected = one.got, one.expected
    if expected.numel() > 1 and _close(got.flatten().sort()[0], expected.flatten().sort()[0]):
        return ["Your result holds the right numbers in a different order."]
    return []


def _where_wrong(one: Failure, names: Sequence[str]) -> list[str]:
    """Say where the wrong numbers are, if they are all in one place."""
    got, expected = one.got, one.expected
    wrong = ~torch.isclose(got, expected, rtol=_CLOSE, atol=_CLOSE * float(expected.abs().max()))
    if expected.ndim < 2 or wrong.all() or not wrong.any():
        return []
    *_, rows, columns = wrong.nonzero().unbind(1)
    n_rows, n_columns = expected.shape[-2:]
    places = (
        ("on the diagonal", rows == columns),
        ("above the diagonal", columns > rows),
        ("below the diagonal", columns < rows),
        (f"in row {int(rows[0])}", rows == rows[0]),
        ("in the last row", rows == n_rows - 1),
        (f"in column {int(columns[0])}", columns == columns[0]),
        ("in the last column", columns == n_columns - 1),
    )
    return [f"All wrong numbers are {words}." for words, holds in places if holds.all()]


_WHATEVER_THE_SHAPE = (_transposed,)
_OF_EQUAL_SHAPES = (_scaled, _sums, _reordered, _where_wrong)


def _others(value: Tensor) -> Iterator[Tensor]:
    """Return other values of the same kind. No single one would be enough: a function that sorts its input
    does not notice a different order, and one that rounds its result may notice only a large change."""
    if value.dtype == torch.bool:
        yield from (~value, torch.ones_like(value), torch.zeros_like(value))
    elif not value.dtype.is_floating_point:
        low, high = value.min(), value.max()  # the numbers may be row indices of a table
        yield from (value.roll(1, -1), low + high - value, torch.full_like(value, int(high)))
    else:
        plain = value.detach()
        ramp = torch.linspace(-1, 1, value.numel(), dtype=value.dtype).reshape(value.shape)
        changed = plain * -0.5 + ramp * plain.abs().mean()
        yield from (changed, 1000 * changed, plain.flip(-1), plain.abs() + 1)


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, (tuple, list)) and isinstance(other, (tuple, list)):
        return len(one) == len(other) and all(map(_same, one, other))
    if _is_plain(one) and _is_plain(other):
        return bool(one.shape == other.shape and torch.equal(one.detach(), other.detach()))
    return type(one) is type(other) and isinstance(one, (int, float)) and bool(one == other)
