"""A tensor as text: four digits, columns of one width, and the middle of a large one left out."""

from __future__ import annotations

import math
from typing import Any

from .autograd import no_grad
from .dtypes import bool_, default, int64, of_parts
from .joining import cat
from .tensor import Tensor

OPTIONS: dict[str, Any] = {
    "precision": 4,
    "threshold": 1000,
    "edgeitems": 3,
    "linewidth": 80,
    "sci_mode": None,
}


def set_printoptions(
    precision: int | None = None,
    threshold: float | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    profile: str | None = None,
    sci_mode: bool | None = None,
) -> None:
    profiles: dict[str, dict[str, Any]] = {
        "default": {"precision": 4, "threshold": 1000, "edgeitems": 3, "linewidth": 80},
        "short": {"precision": 2, "threshold": 1000, "edgeitems": 2, "linewidth": 80},
        "full": {"precision": 4, "threshold": math.inf, "edgeitems": 3, "linewidth": 80},
    }
    OPTIONS.update(profiles.get(profile or "", {}))
    given = {
        "precision": precision,
        "threshold": threshold,
        "edgeitems": edgeitems,
        "linewidth": linewidth,
    }
    OPTIONS.update({name: value for name, value in given.items() if value is not None})
    OPTIONS["sci_mode"] = sci_mode


class _Format:
    """How all numbers of one tensor are written: with so many digits, in columns this wide."""

    def __init__(self, numbers: list[Any], has_point: bool) -> None:
        self.has_point, self.whole, self.scientific = has_point, True, False
        self.width = 1
        if not has_point:
            self.width = max((len(str(number)) for number in numbers), default=1)
            return
        told = [x for x in numbers if math.isfinite(x) and x != 0]
        if told:
            sizes = list(map(abs, told))
            largest, smallest = max(sizes), min(sizes)
            self.whole = all(x == math.ceil(x) for x in sizes)
            self.scientific = (
                largest / smallest > 1000 or largest > 1e8 or (not self.whole and smallest < 1e-4)
            )
            if OPTIONS["sci_mode"] is not None:
                self.scientific = bool(OPTIONS["sci_mode"])
            self.width = self._widest(told)

    def _widest(self, numbers: list[Any]) -> int:
        return max([1, *(len(self._bare(x)) for x in numbers)])

    def _bare(self, number: Any) -> str:
        if not self.has_point:
            return str(number)
        if self.scientific:
            return f"{number:.{OPTIONS['precision']}e}"
        if self.whole:
            text = f"{number:.0f}"
            return text if not math.isfinite(number) else text + "."
        return f"{number:.{OPTIONS['precision']}f}"

    def text(self, number: Any) -> str:
        bare = self._bare(number)
        return " " * (self.width - len(bare)) + bare


class _ComplexFormat:
    """How all complex numbers of one tensor are written: each part as if it were alone."""

    def __init__(self, numbers: list[complex]) -> None:
        self.real = _Format([number.real for number in numbers], True)
        self.imaginary = _Format([number.imag for number in numbers], True)
        self.width = self.real.width + self.imaginary.width + 1

    def text(self, number: complex) -> str:
        last = f"{self.imaginary.text(number.imag)}j".lstrip()
        return self.real.text(number.real) + ("" if last[0] in "+-" else "+") + last


def _shortened(tensor: Any) -> Any:
    """The first and the last few of each dimension: only these are looked at and printed."""
    edge = OPTIONS["edgeitems"]
    for dim, size in enumerate(tensor.shape):
        if size > 2 * edge:
            ends = (tensor.narrow(dim, 0, edge), tensor.narrow(dim, size - edge, edge))
            tensor = cat(ends, dim)
    return tensor


def _row(numbers: list[str], indent: int, width: int) -> str:
    each = width + 2
    a_line = max(1, math.floor((OPTIONS["linewidth"] - indent) / max(1, each)))
    lines = [numbers[at : at + a_line] for at in range(0, len(numbers), a_line)]
    return "[" + (",\n" + " " * (indent + 1)).join(", ".join(line) for line in lines) + "]"


def _text(tensor: Any, indent: int, short: bool, form: _Format | _ComplexFormat) -> str:
    if not tensor.ndim:
        return _told_number(tensor._one(), form)
    edge = OPTIONS["edgeitems"]
    cut = short and tensor.shape[0] > 2 * edge
    if tensor.ndim == 1:
        if cut:
            parts = [_told_number(x, form) for x in tensor[:edge].tolist()]
            parts += [" ..."] + [_told_number(x, form) for x in tensor[-edge:].tolist()]
        else:
            parts = [_told_number(x, form) for x in tensor.tolist()]
        return _row(parts, indent, form.width)
    places: Any = range(tensor.shape[0])
    if cut:
        places = [*range(edge), None, *range(tensor.shape[0] - edge, tensor.shape[0])]
    slices = ["..." if at is None else _text(tensor[at], indent + 1, short, form) for at in places]
    return "[" + ("," + "\n" * (tensor.ndim - 1) + " " * (indent + 1)).join(slices) + "]"


def _told_number(number: Any, form: _Format | _ComplexFormat) -> str:
    return form.text(number)


def told(tensor: Any) -> str:
    """A tensor's `repr`."""
    requires, past = tensor.requires_grad, tensor.grad_fn
    with no_grad():
        x = tensor.detach()
        name = (
            "tensor"
            if type(tensor).__name__ in ("Tensor", "Parameter", "ComplexTensor")
            else type(tensor).__name__
        )
        start, ends = f"{name}(", []
        if not x.numel():
            if x.ndim != 1:
                ends.append(f"size={tuple(x.shape)}")
            if x.dtype is not default():
                ends.append(f"dtype={x.dtype!r}")
            body = "[]"
        else:
            if x.dtype not in (default(), of_parts(default()), int64, bool_):
                ends.append(f"dtype={x.dtype!r}")
            short = x.numel() > OPTIONS["threshold"]
            seen = _shortened(x) if short else x
            form = _ComplexFormat(seen._row()) if x.is_complex() else _Format(seen._row(), x.dtype.rank == 2)
            body = _text(x, len(start), short, form)
    if past is not None:
        called = past.name()
        ends.append(f"grad_fn=<{called}>")
    elif requires:
        ends.append("requires_grad=True")
    text = start + body
    line = len(text) - text.rfind("\n") + 1
    for end in ends:
        if line + len(end) + 2 > OPTIONS["linewidth"]:
            text += ",\n" + " " * len(start) + end
            line = len(start) + len(end)
        else:
            text += ", " + end
            line += len(end) + 2
    text += ")"
    return f"Parameter containing:\n{text}" if type(tensor).__name__ == "Parameter" else text


Tensor.__repr__ = told  # type: ignore[method-assign]
