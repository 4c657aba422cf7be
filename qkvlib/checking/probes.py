"""What can be said of a wrong result when it is no known mistake.

Each probe looks for one relation between the result and the expected one, and says it in a
sentence. None of them knows the exercise.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
from torch import Tensor

from qkvlib.exercises.kit.comparison import number

_CLOSE = 1e-4


def sentences(
    got: Any,
    expected: Any,
    names: Sequence[str],
    inputs: Sequence[Any],
    returns: Sequence[str] = (),
) -> list[str]:
    """How `got` relates to `expected`; `names` are those of the `inputs`."""
    if isinstance(expected, tuple):
        if not isinstance(got, (tuple, list)) or len(got) != len(expected):
            return []
        labels = returns or [f"result {i + 1}" for i in range(len(expected))]
        return [
            f"`{label}`: {words}"
            for label, one, other in zip(labels, got, expected, strict=True)
            for words in sentences(one, other, names, inputs)[:1]
        ]
    if not _are_comparable(got, expected):
        return []
    got, expected = got.detach().to(expected.dtype), expected.detach()
    if got.shape == expected.shape and _close(got, expected):
        return []
    found = [_transposed(got, expected)]
    if got.shape == expected.shape:
        found += [
            _factor(got, expected, names, inputs),
            _added(got, expected),
            _factor_of_each_row(got, expected),
            _sums(got, expected),
            _reordered(got, expected),
            _place(got, expected),
        ]
    return [words for words in found if words][:2]


def ignored_inputs(
    call: Callable[[tuple[Any, ...]], Any],
    reference: Callable[..., Any],
    names: Sequence[str],
    inputs: tuple[Any, ...],
) -> Iterator[str]:
    """The inputs that the reference's result depends on, and the result of `call` does not."""
    for i, value in enumerate(inputs):
        if not isinstance(value, Tensor) or not value.numel():
            continue
        changed = (*inputs[:i], _changed(value), *inputs[i + 1 :])
        try:
            matters = not _same(reference(*inputs), reference(*changed))
        except (ValueError, RuntimeError, IndexError):
            continue
        if not matters or not _same(call(inputs), call(changed)):
            continue
        # What only rounds its result may not feel a small change. It does feel a large one.
        far = (*inputs[:i], _far(changed[i]), *inputs[i + 1 :])
        if _same(call(inputs), call(far)):
            yield f"Your result does not depend on `{names[i]}`: other values change nothing."


def _are_comparable(got: Any, expected: Any) -> bool:
    return all(_is_plain(x) and x.dtype.is_floating_point for x in (got, expected)) and bool(
        got.numel() and got.isfinite().all() and expected.isfinite().all()
    )


def _is_plain(value: Any) -> bool:
    """Whether it is a tensor whose numbers can be read: not sparse, not quantised, not meta."""
    return (
        type(value) in (Tensor, torch.nn.Parameter)
        and value.layout == torch.strided
        and value.device.type == "cpu"
        and not value.is_quantized
    )


def _close(a: Tensor, b: Tensor) -> bool:
    return torch.allclose(a, b, rtol=_CLOSE, atol=_CLOSE * float(b.abs().max()))


def _transposed(got: Tensor, expected: Tensor) -> str | None:
    if expected.ndim >= 2 and got.shape == expected.mT.shape and _close(got.mT, expected):
        return "It is the expected result transposed: rows and columns have changed places."
    return None


def _factor(
    got: Tensor, expected: Tensor, names: Sequence[str], inputs: Sequence[Any]
) -> str | None:
    factor = float((got * expected).sum() / (expected * expected).sum().clamp(min=1e-30))
    if expected.numel() < 2 or abs(factor) < _CLOSE or not _close(got, factor * expected):
        return None
    if abs(factor + 1) < _CLOSE:
        return "It is the expected result with the other sign."
    origin = _where_from(abs(factor), names, inputs)
    return f"It is the expected result times {factor:.4g} everywhere{origin}."


def _where_from(factor: float, names: Sequence[str], inputs: Sequence[Any]) -> str:
    """Which size of which input could have made this factor."""
    formulas: dict[str, Callable[[int], float]] = {
        "sqrt({})": math.sqrt,
        "1/sqrt({})": lambda size: 1 / math.sqrt(size),
        "{}": float,
        "1/{}": lambda size: 1 / size,
    }
    for name, value in zip(names, inputs, strict=False):
        for size in reversed(value.shape) if isinstance(value, Tensor) else ():
            for formula, make in formulas.items():
                if size > 1 and math.isclose(factor, make(size), rel_tol=1e-3):
                    return f", and that is {formula.format(size)}; {size} is a size of `{name}`"
    return ""


def _added(got: Tensor, expected: Tensor) -> str | None:
    shift = got - expected
    if expected.numel() < 2 or not _close(expected + shift.mean(), got):
        return None
    return f"It is the expected result plus {float(shift.mean()):.4g} everywhere."


def _factor_of_each_row(got: Tensor, expected: Tensor) -> str | None:
    if expected.ndim < 2 or expected.shape[-1] < 2:
        return None
    for dim, line in ((-1, "row"), (-2, "column")):
        norm = (expected * expected).sum(dim, keepdim=True).clamp(min=1e-30)
        factors = (got * expected).sum(dim, keepdim=True) / norm
        if expected.shape[dim] > 1 and _close(got, factors * expected) and factors.abs().min() > 0:
            return f"Each {line} is the expected {line} times a number of its own."
    return None


def _sums(got: Tensor, expected: Tensor) -> str | None:
    """Whether what should sum to one does: only where the expected result is made of weights."""
    if expected.ndim < 1 or bool((expected < 0).any()) or not _ones(expected.sum(-1)):
        return None
    if _ones(got.sum(-1)):
        return "The rows sum to one, as they should."
    if got.ndim > 1 and _ones(got.sum(-2)):
        return "Your columns sum to one. The rows should."
    row = tuple(int(i) for i in ((got.sum(-1) - 1).abs() > _CLOSE).nonzero()[0])
    label = f"Row {list(row)}" if row else "Yours"
    return f"Each row should sum to one. {label} sums to {number(got.sum(-1)[row])}."


def _ones(sums: Tensor) -> bool:
    return torch.allclose(sums, torch.ones_like(sums), atol=1e-3)


def _reordered(got: Tensor, expected: Tensor) -> str | None:
    if expected.numel() > 1 and _close(got.flatten().sort()[0], expected.flatten().sort()[0]):
        return "It holds the right numbers, in another order."
    return None


def _place(got: Tensor, expected: Tensor) -> str | None:
    """Where the wrong numbers stand, when they stand together."""
    scale = float(expected.abs().max())
    wrong = ~torch.isclose(got, expected, rtol=_CLOSE, atol=_CLOSE * scale)
    if expected.ndim < 2 or wrong.all() or not wrong.any():
        return None
    *_, rows, columns = wrong.nonzero().unbind(1)
    for words, holds in (
        ("on the diagonal", rows == columns),
        ("above the diagonal", columns > rows),
        ("below the diagonal", columns < rows),
        (f"in row {int(rows[0])}", rows == rows[0]),
        (f"in column {int(columns[0])}", columns == columns[0]),
    ):
        if bool(holds.all()):
            return f"All the wrong numbers stand {words}."
    return None


def _changed(value: Tensor) -> Tensor:
    """Other values of the same kind: numbers scaled and shifted unevenly, choices moved on."""
    if not value.dtype.is_floating_point:
        return ~value if value.dtype == torch.bool else value.roll(1, -1)
    ramp = torch.linspace(-1, 1, value.numel(), dtype=value.dtype).reshape(value.shape)
    return value.detach() * -0.5 + ramp * value.detach().abs().mean()


def _far(value: Tensor) -> Tensor:
    return 1000 * value if value.dtype.is_floating_point else value


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, (tuple, list)) and isinstance(other, (tuple, list)):
        return len(one) == len(other) and all(map(_same, one, other))
    if _is_plain(one) and _is_plain(other):
        return bool(one.shape == other.shape and torch.equal(one.detach(), other.detach()))
    return type(one) is type(other) and isinstance(one, (int, float)) and bool(one == other)
