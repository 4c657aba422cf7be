"""Print a tensor: four digits, columns of one width, and without the middle of a large one."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from .autograd import no_grad
from .dtypes import bool_, default, int64
from .errors import NotInThisPage
from .joining import cat
from .tensor import Tensor
from .viewing import part

EDGE = 3  # how many numbers to print at each end of a dimension, if a tensor has more than a thousand
LINE = 80


def _form_of(numbers: list[Any], has_point: bool) -> tuple[Callable[[Any], str], int]:
    """Return how all numbers of one tensor are written, and the width of a column."""
    told = [x for x in numbers if math.isfinite(x) and x != 0] if has_point else numbers
    bare = _digits_for(told) if has_point else str
    width = max((len(bare(x)) for x in told), default=1)
    return lambda number: bare(number).rjust(width), width


def _digits_for(told: list[float]) -> Callable[[float], str]:
    sizes = list(map(abs, told)) or [1.0]
    largest, smallest = max(sizes), min(sizes)
    whole = all(x == math.ceil(x) for x in sizes)
    if largest / smallest > 1000 or largest > 1e8 or (not whole and smallest < 1e-4):
        return "{:.4e}".format
    return _whole if whole else "{:.4f}".format


def _whole(number: float) -> str:
    return f"{number:.0f}." if math.isfinite(number) else f"{number:.0f}"


def _shortened(tensor: Any) -> Any:
    """Return the first and the last few numbers of each dimension: only these are printed."""
    for dim, size in enumerate(tensor.shape):
        if size > 2 * EDGE:
            tensor = cat((part(tensor, dim, 0, EDGE), part(tensor, dim, size - EDGE, EDGE)), dim)
    return tensor


def _row(numbers: list[str], indent: int, width: int) -> str:
    each = width + 2
    a_line = max(1, (LINE - indent) // each)
    lines = [numbers[at : at + a_line] for at in range(0, len(numbers), a_line)]
    return "[" + (",\n" + " " * (indent + 1)).join(", ".join(line) for line in lines) + "]"


def _text(tensor: Any, indent: int, short: bool, form: Callable[[Any], str], width: int) -> str:
    if not tensor.ndim:
        return form(tensor._one())
    places: list[int | None] = [*range(tensor.shape[0])]
    if short and len(places) > 2 * EDGE:
        places[EDGE:-EDGE] = [None]
    if tensor.ndim == 1:
        numbers = tensor.tolist()
        parts = [" ..." if at is None else form(numbers[at]) for at in places]
        return _row(parts, indent, width)
    slices = ["..." if at is None else _text(tensor[at], indent + 1, short, form, width) for at in places]
    return "[" + ("," + "\n" * (tensor.ndim - 1) + " " * (indent + 1)).join(slices) + "]"


def as_text(tensor: Any) -> str:
    """Return a tensor's `repr`."""
    requires, past, kind = tensor.requires_grad, tensor.grad_fn, type(tensor).__name__
    if tensor.dtype.is_complex:
        raise NotInThisPage("The text of complex numbers")
    with no_grad():
        x = tensor.detach()
        start, ends = "tensor(" if kind in ("Tensor", "Parameter") else f"{kind}(", []
        if x.ndim != 1 and not x.numel():
            ends.append(f"size={tuple(x.shape)}")
        if x.dtype not in ((default(), int64, bool_) if x.numel() else (default(),)):
            ends.append(f"dtype={x.dtype!r}")
        short = x.numel() > 1000
        form, width = _form_of((_shortened(x) if short else x)._row(), x.dtype.rank == 2)
        body = _text(x, len(start), short, form, width) if x.numel() else "[]"
    if past is not None:
        ends.append(f"grad_fn=<{past.called}>")
    elif requires:
        ends.append("requires_grad=True")
    text = start + body
    line = len(text) - text.rfind("\n") + 1
    for end in ends:
        if line + len(end) + 2 > LINE:
            text += ",\n" + " " * len(start) + end
            line = len(start) + len(end)
        else:
            text += ", " + end
            line += len(end) + 2
    text += ")"
    return f"Parameter containing:\n{text}" if kind == "Parameter" else text


Tensor.__repr__ = as_text  # type: ignore[method-assign]
