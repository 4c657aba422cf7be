"""Draw the picture of a shared link as a PNG, without any library for images.

A chapter's card has its title, its question, and the model with the chapter's part highlighted. `letters.txt`
has the letters as dots; enlarging rounds them.
"""

from __future__ import annotations

import struct
import zlib
from functools import cache
from pathlib import Path

from qkvlib.figures import frame, theme
from qkvlib.figures.frame import PARTS, PLACES

WIDE, HIGH = 1200, 630
_EDGE = 72
_ROLES = {"Q": "query", "K": "key", "V": "value"}
_DOTS = {
    line[0]: line[2:].split(" ")
    for line in Path(__file__).with_name("letters.txt").read_text(encoding="utf-8").splitlines()
}

Colour = tuple[int, int, int]


class Canvas:
    """Rows of pixels, on which rectangles and letters are painted."""

    def __init__(self, wide: int, high: int, paper: str) -> None:
        self.wide = wide
        self._rows = [bytearray(bytes(_rgb(paper)) * wide) for _ in range(high)]

    def fill(self, x: float, y: float, wide: float, high: float, colour: str) -> None:
        """Paint a rectangle; anything outside the picture is cut off."""
        left, right = max(round(x), 0), min(round(x + wide), self.wide)
        line = bytes(_rgb(colour)) * max(right - left, 0)
        for row in self._rows[max(round(y), 0) : max(round(y + high), 0)]:
            row[3 * left : 3 * right] = line

    def outline(self, x: float, y: float, wide: float, high: float, colour: str, thick: int) -> None:
        """Paint the four sides of a rectangle."""
        for left, top, across, down in (
            (x, y, wide, thick),
            (x, y + high - thick, wide, thick),
            (x, y, thick, high),
            (x + wide - thick, y, thick, high),
        ):
            self.fill(left, top, across, down, colour)

    def write(self, x: float, y: float, words: str, colour: str, size: int) -> None:
        """Write a line of words with dots of `size` pixels."""
        ink = _rgb(colour)
        for letter in words:
            for down, cover in enumerate(_grown(letter, size)):
                row = self._rows[round(y) + down]
                for right, share in enumerate(cover):
                    if share:
                        at = 3 * (round(x) + right)
                        row[at : at + 3] = bytes(
                            round(old + (new - old) * share)
                            for old, new in zip(row[at : at + 3], ink, strict=True)
                        )
            x += _advance(letter) * size

    def png(self) -> bytes:
        """Return the picture as a file."""
        raw = b"".join(b"\0" + row for row in self._rows)
        head = struct.pack(">IIBBBBB", self.wide, len(self._rows), 8, 2, 0, 0, 0)
        parts = [(b"IHDR", head), (b"IDAT", zlib.compress(raw, 9)), (b"IEND", b"")]
        return b"\x89PNG\r\n\x1a\n" + b"".join(
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
            for kind, data in parts
        )


def card(title: str, question: str, here: str) -> bytes:
    """Return a page's picture: its title, its question, and where in the model it is."""
    paper = theme.LIGHT
    canvas = Canvas(WIDE, HIGH, paper.paper)
    for i, role in enumerate(_ROLES.values()):
        canvas.fill(i * WIDE / 3, 0, WIDE / 3 + 1, 14, getattr(paper, role))
    canvas.write(_EDGE, 56, "Queries, keys, values", paper.soft, 4)
    y = 124.0
    size = next(size for size in (11, 8, 6) if len(_lines(title, size)) == 1 or size == 6)
    for words, colour, dots in ((title, paper.ink, size), (question, paper.soft, 5)):
        for line in _lines(words, dots):
            canvas.write(_EDGE, y, line, colour, dots)
            y += dots * 10
        y += 22
    _draw_model(canvas, here, HIGH - 232)
    return canvas.png()


def icon(size: int) -> bytes:
    """Return the course's logo, three columns, as a picture of that size."""
    canvas = Canvas(size, size, theme.LIGHT.paper)
    for i, role in enumerate(_ROLES.values()):
        canvas.fill(
            (3 + 3.6 * i) * size / 16, size / 6, 2.8 * size / 16, size * 2 / 3, theme.on_any_page(role)
        )
    return canvas.png()


def _draw_model(canvas: Canvas, here: str, top: float) -> None:
    """Draw the parts of the model as boxes. Highlighted parts are dark, and Q, K and V have their colours."""
    scale = (WIDE - 2 * _EDGE) / frame.WIDE
    lit = PLACES[here].lit if here else ()
    for name, part in PARTS.items():
        if name in ("W", "places"):
            continue
        box = part.box
        at = (_EDGE + box.x * scale, top + (box.y - 20) * scale, box.wide * scale, box.high * scale)
        role, bright = _ROLES.get(name), not here or _is_lit(name, lit)
        for behind in range(part.sheets, 0, -1):
            moved = (at[0] + 7 * behind, at[1] + 7 * behind, at[2], at[3])
            canvas.fill(*moved, theme.LIGHT.paper)
            canvas.outline(*moved, theme.LIGHT.line, 2)
        if role:
            canvas.fill(*at, getattr(theme.LIGHT, role) if bright else theme.LIGHT.soft)
            canvas.write(at[0] + at[2] / 2 - 8, at[1] + 4, name, theme.LIGHT.paper, 3)
            continue
        canvas.fill(*at, theme.LIGHT.paper)
        canvas.outline(*at, theme.LIGHT.ink if name in lit else theme.LIGHT.line, 5 if name in lit else 2)
        words = part.label or ((name,) if not part.sheets else ())
        for i, word in enumerate(words):
            x = at[0] + (at[2] - _width(word) * 2) / 2
            y = at[1] + at[3] / 2 + (i - len(words) / 2) * 22 + 3
            canvas.write(x, y, word, theme.LIGHT.ink if bright else theme.LIGHT.soft, 2)


def _is_lit(name: str, lit: tuple[str, ...]) -> bool:
    """Tell whether a part is highlighted, or a part that contains it."""
    return bool(name) and (name in lit or _is_lit(PARTS[name].inside, lit))


def _lines(words: str, size: int) -> list[str]:
    """Break the words into lines that fit."""
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and _width(longer) * size > WIDE - 2 * _EDGE:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def _width(words: str) -> float:
    return sum(map(_advance, words))


def _advance(letter: str) -> float:
    return 3 if letter == " " else len(_dots(letter)[0]) + 1


def _dots(letter: str) -> list[str]:
    return _DOTS.get(letter, _DOTS["?"])


@cache
def _grown(letter: str, size: int) -> tuple[tuple[float, ...], ...]:
    """Return how much of each pixel an enlarged letter covers: interpolate between its dots, and cut at one
    half."""
    dots = [] if letter == " " else _dots(letter)
    wide = (len(dots[0]) + 1) * size if dots else 0

    def dot(row: int, column: int) -> float:
        there = 0 <= row < len(dots) and 0 <= column < len(dots[row])
        return float(there and dots[row][column] == "#")

    def cover(down: int, right: int) -> float:
        y, x = (down + 0.5) / size - 0.5, (right + 0.5) / size - 0.5
        row, column = int(y // 1), int(x // 1)
        low, far = y - row, x - column
        shade = sum(
            dot(row + i, column + j) * (low if i else 1 - low) * (far if j else 1 - far)
            for i in (0, 1)
            for j in (0, 1)
        )
        return min(max((shade - 0.42) * max(size / 2, 1.4) + 0.5, 0.0), 1.0)

    return tuple(tuple(cover(down, right) for right in range(wide)) for down in range(9 * size))


def _rgb(colour: str) -> Colour:
    red, green, blue = bytes.fromhex(colour.removeprefix("#"))
    return red, green, blue
