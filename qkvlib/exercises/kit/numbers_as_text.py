"""Write a tensor's numbers as text, digit for digit like NumPy, which a page does not have."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

_LINE = 75  # characters
_SUMMARY, _EDGE = 60, 2  # in a larger tensor, only this many numbers are shown at each end
_LARGE, _SMALL, _SPREAD = {True: 1e8, False: 1e6}, 1e-4, 1e3  # beyond these, with a power of ten

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
        write = _floats(numbers, digits, suppress_small, x.dtype == torch.float64)
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


def _floats(numbers: list[float], digits: int, suppress_small: bool, double: bool) -> Write:
    """Format these numbers so that their decimal points line up."""
    finite = [number for number in numbers if math.isfinite(number)]
    sizes = [abs(number) for number in finite if number]
    powers = bool(sizes) and (
        max(sizes) >= _LARGE[double]
        or (not suppress_small and (min(sizes) < _SMALL or max(sizes) / min(sizes) > _SPREAD))
    )
    parts = [(_scientific if powers else _plain)(one, digits, double) for one in finite]
    left = max((len(whole) for whole, *_ in parts), default=0)
    right = max((len(fraction) for _, fraction, _ in parts), default=0)
    after = max((len(power) for *_, power in parts), default=0)
    for number in numbers:
        if not math.isfinite(number):
            negative = number < 0
            left = max(left, len("nan") + negative - right - after - 1)

    def write(number: float) -> str:
        if not math.isfinite(number):
            return str(number).rjust(left + right + after + 1)
        if powers:
            return f"{number:#.{right}e}".rjust(left + right + after + 1)
        whole, fraction, _ = _plain(number, digits, double)
        return f"{whole.rjust(left)}.{fraction.ljust(right)}"

    return write


def _plain(number: float, digits: int, double: bool) -> tuple[str, str, str]:
    """Return the digits before and after the point."""
    whole, _, fraction = f"{number:.{digits}f}".partition(".")
    shortest = _shortest(number, double)
    exponent = int(shortest.partition("e")[2])
    behind = len(shortest.partition("e")[0].lstrip("-").replace(".", "")) - 1 - exponent
    if behind <= digits:  # fewer digits are enough to distinguish it from its neighbours
        whole, _, fraction = f"{float(shortest):.{max(behind, 0)}f}".partition(".")
    return whole, fraction.rstrip("0"), ""


def _scientific(number: float, digits: int, double: bool) -> tuple[str, str, str]:
    shortest = _shortest(number, double)
    mantissa, _, power = shortest.partition("e")
    if len(mantissa.lstrip("-")) - 2 > digits:
        mantissa, _, power = f"{number:.{digits}e}".partition("e")
    whole, _, fraction = mantissa.partition(".")
    return whole, fraction.rstrip("0"), f"e{power}"


def _shortest(number: float, double: bool) -> str:
    """Return the fewest digits that identify the number in its dtype, with a power of ten."""
    if double:
        digits = next(n for n in range(17) if float(f"{number:.{n}e}") == number)
    else:
        own = struct.pack("f", number)
        digits = next(n for n in range(10) if _in_single(f"{number:.{n}e}") == own)
    return f"{number:.{digits}e}"


def _in_single(text: str) -> bytes:
    try:
        return struct.pack("f", float(text))
    except OverflowError:  # rounded up beyond the largest
        return b""
