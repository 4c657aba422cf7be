"""The picture "you are here" for a phone: its two halves one below the other, at their full size.

`figures/frame.py` draws it. The block, which is as wide as a phone, is below the rest, and the words "you are
here" are above the half in which they point at something.
"""

from __future__ import annotations

import re

from qkvlib.figures.frame import PARTS

WIDE, HIGH = 328, 278
BELOW = 559  # pixels; the widest window with the narrow picture
_FLAG = re.compile(
    r'<path class="ink-line" d="M(?P<x>[\d.]+) 20L\S+ (?P<foot>[\d.]+)".*?\n'
    r'<rect class="ink"[^>]*>\n<text class="paper"[^>]*>(?P<says>[^<]*)</text>\n',
    re.DOTALL,
)
_HEAD = re.compile(
    r'<svg [^>]*aria-label="(?P<about>[^"]*)"[^>]*>\n(?P<style>.*?</style>\n)<rect[^>]*>\n', re.DOTALL
)
_BACKWARDS = "M494 72.5L476"
_BLOCK, _NEXT = PARTS["block"].box, PARTS["next word"].box
_TOP, _FOOT = 26, 146
_SHIFT = 130  # how far down the block moves
_MIDDLE = 72.5  # the height of the lines between the parts


def narrow(svg: str) -> str:
    """The picture in its narrow form."""
    head, flag = _HEAD.match(svg), _FLAG.search(svg)
    if not head or not flag:
        raise ValueError("this is no picture that says where you are")
    drawn = svg[head.end() : flag.start()] + svg[flag.end() :].removesuffix("</svg>\n")
    x = float(flag["x"])
    in_block = _BLOCK.x <= x <= _BLOCK.right
    up = -18 if in_block else 4
    left = 12 - (_BLOCK.x - 4)
    parts = [
        _piece("words", 0, 168, 0, up),
        _piece("next", _NEXT.x - 2, _NEXT.wide + 4, 182, up),
        _piece("block", _BLOCK.x - 4, 304, 12, _SHIFT),
        *_ways(up, backwards=_BACKWARDS in svg),
        _flag(
            flag["says"],
            x + left if in_block else _moved(x),
            132 if in_block else 5,
            float(flag["foot"]) + (_SHIFT if in_block else up),
        ),
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDE}" height="{HIGH}" viewBox="0 0 {WIDE} {HIGH}" '
        f'role="img" aria-label="{head["about"]}" font-family="system-ui, sans-serif" font-size="14">\n'
        f"{head['style']}"
        f'<rect class="panel line-line" x="0.5" y="0.5" width="{WIDE - 1}" height="{HIGH - 1}" rx="8"/>\n'
        f'<defs><g id="drawn">\n{drawn}</g></defs>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def _moved(x: float) -> float:
    """Return the new position of a part of the upper half."""
    return x if x < _BLOCK.x else x - _NEXT.x + 184


def _piece(name: str, x: float, wide: float, to: float, down: float) -> str:
    """A part of the drawing, moved."""
    high = _FOOT - _TOP
    return (
        f'<svg id="{name}" x="{to:g}" y="{_TOP + down:g}" width="{wide:g}" height="{high}" '
        f'viewBox="{x:g} {_TOP} {wide:g} {high}"><use href="#drawn"/></svg>'
    )


def _ways(up: float, backwards: bool) -> list[str]:
    """Draw the paths from the vectors into the block, and from the block to the next word; the loss comes
    back there."""
    here, there = _MIDDLE + up, _MIDDLE + _SHIFT
    between = _FOOT + up + (1 if up < 0 else 3)
    into = f"M166 {here:g}V{between:g}H6V{there:g}H13"
    out = f"M314 {there:g}H322V{here:g}H{'300' if backwards else '306'}"
    colour, heavy = ("ink", 2.5) if backwards else ("soft", 1.5)
    tip = (312, there) if backwards else (300, here)
    return [
        f'<path class="soft-line" d="{into}" fill="none" stroke-width="1.5"/>',
        f'<path class="{colour}-line" d="{out}" fill="none" stroke-width="{heavy}"/>',
        f'<path class="{colour}" d="M{tip[0]} {tip[1]:g}l6 4v-8Z"/>',
    ]


def _flag(says: str, x: float, y: float, foot: float) -> str:
    """Draw the words "you are here", with a line down to the highlighted part."""
    wide = 7.1 * len(says) + 16
    middle = min(max(x, wide / 2 + 10), WIDE - wide / 2 - 10)
    return (
        f'<path class="ink-line" d="M{x:g} {y + 17:g}V{foot:g}" fill="none" stroke-width="2.5"/>'
        f'<path class="ink" d="M{x:g} {foot + 6:g}l4 -6h-8Z"/>'
        f'<rect class="ink" x="{middle - wide / 2:g}" y="{y}" width="{wide:g}" height="18" rx="9"/>'
        f'<text class="paper" x="{middle:g}" y="{y + 13.5:g}" font-size="12" font-weight="bold">{says}</text>'
    )
