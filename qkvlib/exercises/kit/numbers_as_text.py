"""Write a tensor's numbers as text, in columns."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

_LINE = 75  # characters
_SUMMARY, _EDGE = 60, 2  # in a larger tensor, only this many numbers are shown at each end
_LARGE, _SMALL, _SPREAD = 1e6, 1e-4, 1e3  # beyond these, with a power of ten

Write = Callable[[Any], str]


def written(x: Tensor, digits: int, *, suppress_small: bool) -> str:
    """Write the numbers between brackets, each with at most this many decimals."""
    if not x.numel():
        return "[]"
    long = x.numel() > _SUMMARY
    numbers: list[Any] = []
    _gather(x.tolist(), long, numbers)
    if x.dtype == torch.bool:
        write: Write = "{!s:>5}".format
    elif x.is_floating_point():
        write = _floats(numbers, digits, suppress_small)
    else:
        width = max(len(str(number)) for number in numbers)
        write = f"{{:>{width}}}".format
    return _rows(x.tolist(), write, long, " ", _LINE)


def _gather(part: Any, long: bool, into: list[Any]) -> None:
    """Return the numbers that are shown."""
    if not isinstance(part, list):
        into.append(part)
        return
    for each in part if not _is_cut(part, long) else part[:_EDGE] + part[-_EDGE:]:
        _gather(each, long, into)


def _is_cut(part: list[Any], long: bool) -> bool:
    return long and len(part) > 2 * _EDGE


def _rows(part: list[Any], write: Write, long: bool, indent: str, width: int) -> str:
    cut = _is_cut(part, long)
    shown = [*part[:_EDGE], None, *part[-_EDGE:]] if cut else part
    if not isinstance(part[0], list):
        words = ["..." if one is None else write(one) for one in shown]
        return f"[{_wrapped(words, indent, width - 1)}]"
    depth, inner = 0, part[0]
    while isinstance(inner, list):
        depth, inner = depth + 1, inner[0]
    blocks = ["..." if one is None else _rows(one, write, long, indent + " ", width - 1) for one in shown]
    return "[" + ("\n" * depth + indent).join(blocks) + "]"


def _wrapped(words: list[str], indent: str, width: int) -> str:
    text, line = "", indent
    for place, word in enumerate(words):
        if len(line) + len(word) > width and len(line) > len(indent):
            text += line.rstrip() + "\n"
            line = indent
        line += word + (" " if place < len(words) - 1 else "")
    return (text + line)[len(indent) :]


def _floats(numbers: list[float], digits: int, suppress_small: bool) -> Write:
    """Format these numbers so that their decimal points line up."""
    finite = [number for number in numbers if math.isfinite(number)]
    sizes = [abs(number) for number in finite if number]
    varied = sizes and (min(sizes) < _SMALL or max(sizes) / min(sizes) > _SPREAD)
    powers = max(sizes, default=0.0) >= _LARGE or (varied and not suppress_small)
    form = f".{digits}{'e' if powers else 'f'}"
    texts = [format(number, form) for number in finite]
    zeros = 0 if powers else min((len(text) - len(text.rstrip("0")) for text in texts), default=0)

    def bare(number: float) -> str:
        text = format(number, form)
        return text[: len(text) - zeros] if math.isfinite(number) else text

    width = max(len(bare(number)) for number in numbers)
    return lambda number: bare(number).rjust(width)
