"""Write a tensor's numbers as text, in columns."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
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
    shown = _cut(x.tolist()) if x.numel() > _SUMMARY else x.tolist()
    numbers = list(_numbers(shown))
    if x.dtype == torch.bool:
        write: Write = "{!s:>5}".format
    elif x.is_floating_point():
        write = _floats(numbers, digits, suppress_small)
    else:
        width = max(len(str(number)) for number in numbers)
        write = f"{{:>{width}}}".format
    return _rows(shown, write, " ", _LINE)


def _cut(part: Any) -> Any:
    """Return the beginning and the end of each row, with None between them."""
    if not isinstance(part, list):
        return part
    ends = part if len(part) <= 2 * _EDGE else [*part[:_EDGE], None, *part[-_EDGE:]]
    return list(map(_cut, ends))


def _numbers(shown: Any) -> Iterator[Any]:
    """Yield the numbers that are shown."""
    if isinstance(shown, list):
        for part in shown:
            yield from _numbers(part)
    elif shown is not None:
        yield shown


def _rows(shown: list[Any], write: Write, indent: str, width: int) -> str:
    if not isinstance(shown[0], list):
        words = ["..." if one is None else write(one) for one in shown]
        return f"[{_wrapped(words, indent, width - 1)}]"
    depth, inner = 0, shown[0]
    while isinstance(inner, list):
        depth, inner = depth + 1, inner[0]
    blocks = ["..." if one is None else _rows(one, write, indent + " ", width - 1) for one in shown]
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
