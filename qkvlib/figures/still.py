"""Draw still pictures of widgets, for pages without a kernel: GitHub, a saved page, a printout."""

from __future__ import annotations

import base64
import math
import struct
import zlib
from collections.abc import Mapping, Sequence
from html import escape

from qkvlib.figures.theme import LIGHT, weight
from qkvlib.figures.words import quoted

Arrow = tuple[str, Sequence[float], str]  # name, tip, colour

_SIZE = 320
_PLAIN = 'font-family="sans-serif" font-size="12"'

# The note above the still picture of a movable widget. A page that wakes the widget omits it.
ASLEEP = "<p><em>This is a picture. Run its cell in JupyterLab (Shift+Enter), and it comes to life.</em></p>"


def image(svg: str, alt: str) -> str:
    """Return an SVG as an <img>, which every notebook viewer shows, even if it removes <svg>."""
    data = base64.b64encode(svg.encode()).decode()
    return f'<img alt="{escape(alt)}" src="data:image/svg+xml;base64,{data}">'


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a plain table."""
    head = "".join(f"<th>{escape(text)}</th>" if text else "<td></td>" for text in heads)
    body = "".join("<tr>" + "".join(f"<td>{escape(text)}</td>" for text in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def plane(arrows: Sequence[Arrow], limit: float) -> str:
    """Draw arrows from one point in the plane."""
    middle, scale = _SIZE / 2, _SIZE / 2 / limit
    words = "; ".join(f"{name} points to ({tip[0]:.2f}, {tip[1]:.2f})" for name, tip, _ in arrows)
    parts = [
        f'<path d="M0 {middle}H{_SIZE}M{middle} 0V{_SIZE}" stroke="{LIGHT.line}"/>',
        *(
            _arrow(name, middle + scale * tip[0], middle - scale * tip[1], colour)
            for name, tip, colour in arrows
        ),
    ]
    look = 'font-family="serif" font-size="17" font-style="italic" text-anchor="middle"'
    return _picture(_SIZE, _SIZE, look, parts, f"Arrows in the plane: {words}.")


def _picture(wide: int, high: int, look: str, parts: Sequence[str], alt: str) -> str:
    """Draw parts on paper. `look` is the style of their words."""
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" {look}>'
        f'<rect width="{wide}" height="{high}" rx="6" fill="{LIGHT.paper}"/>{"".join(parts)}</svg>'
    )
    return image(svg, alt)


def _pixels(weights: Sequence[Sequence[float]]) -> str:
    """Return a PNG with one pixel for each weight: a thousand weights take less than a kilobyte."""
    lines = [b"\0" + b"".join(bytes.fromhex(weight(value)[1:]) for value in row) for row in weights]

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    size = struct.pack(">IIBBBBB", len(weights[0]), len(weights), 8, 2, 0, 0, 0)
    parts = [(b"IHDR", size), (b"IDAT", zlib.compress(b"".join(lines))), (b"IEND", b"")]
    png = b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*part) for part in parts)
    return base64.b64encode(png).decode()


def _arrow(name: str, x: float, y: float, colour: str) -> str:
    start = _SIZE / 2
    direction = math.atan2(y - start, x - start)
    wings = [
        f"{x - 11 * math.cos(direction + turn):.1f} {y - 11 * math.sin(direction + turn):.1f}"
        for turn in (0.4, -0.4)
    ]
    text_x, text_y = x + 15 * math.cos(direction), y + 15 * math.sin(direction) + 5
    return (
        f'<path d="M{start:.0f} {start:.0f}L{x:.1f} {y:.1f}" stroke="{colour}" stroke-width="3"/>'
        f'<path d="M{x:.1f} {y:.1f}L{wings[0]}L{wings[1]}Z" fill="{colour}"/>'
        f'<text x="{text_x:.1f}" y="{text_y:.1f}" fill="{colour}">{escape(name)}</text>'
    )


def curves(lines: Mapping[str, Sequence[Sequence[float | None]]], what: str) -> str:
    """Draw one or more curves over the steps of a run, named at their ends; None leaves a gap."""
    wide, high, top = 480, 160, 24
    known = [(x, y) for line in lines.values() for x, y in line if x is not None and y is not None]
    right, most = max(x for x, _ in known) or 1, max(y for _, y in known) or 1
    parts = [
        f'<path d="M40 {top}V{high}H{wide - 20}" fill="none" stroke="{LIGHT.line}"/>',
        f'<g fill="{LIGHT.soft}"><text x="6" y="{top + 4}">{most:.2f}</text>'
        f'<text x="6" y="{high + 4}">0</text><text x="40" y="{high + 18}">step 0</text>'
        f'<text x="{wide - 20}" y="{high + 18}" text-anchor="end">{right:.0f}</text></g>',
    ]
    for number, (name, line) in enumerate(lines.items()):
        points = [
            f"{40 + (wide - 60) * x / right:.0f} {high - (high - top) * y / most:.0f}"
            for x, y in line
            if x is not None and y is not None
        ]
        dash = ' stroke-dasharray="6 3"' if number else ""
        y = high + 34
        parts.append(
            f'<path d="M{"L".join(points)}" fill="none" stroke="{LIGHT.ink}"{dash}/>'
            f'<path d="M{40 + 200 * number} {y - 4}h24" stroke="{LIGHT.ink}"{dash}/>'
            f'<text x="{70 + 200 * number}" y="{y}" fill="{LIGHT.ink}">{escape(name)}</text>'
        )
    words = "; ".join(
        f"{name}: {_rounded(line[0][1])} at step {line[0][0]}, {_rounded(line[-1][1])} at step {line[-1][0]}"
        for name, line in lines.items()
    )
    return _picture(wide, high + 40, _PLAIN, parts, f"The {what} over the run. {words}.")


def _rounded(value: float | None) -> str:
    return "nothing" if value is None else f"{value:.2f}"


def sides(x: int, y: int, cell: int, rows: Sequence[str], columns: Sequence[str]) -> str:
    """Draw the row and column words to the left of and above a map that begins at (x, y)."""
    beside = "".join(
        f'<text x="{x - 6}" y="{y + cell * (k + 0.5) + 4:g}">{escape(word)}</text>'
        for k, word in enumerate(rows)
    )
    above = "".join(
        f'<text x="{6 - y}" y="{x + cell * (k + 0.5) + 4:g}">{escape(word)}</text>'
        for k, word in enumerate(columns)
    )
    return f'<g text-anchor="end">{beside}</g><g transform="rotate(-90)">{above}</g>'


def heatmap(
    weights: Sequence[Sequence[float]], rows: Sequence[str], columns: Sequence[str], title: str
) -> str:
    """Draw attention weights as a map with its words; darker means more."""
    size, left, top = 22, 8 + 7 * max(map(len, rows)), 16 + 6 * max(map(len, columns))
    words = sides(left, top, size, rows, columns)
    wide, high = left + size * len(columns) + 8, top + size * len(rows) + 8
    place = f'x="{left}" y="{top}" width="{size * len(columns)}" height="{size * len(rows)}"'
    pixels = f"data:image/png;base64,{_pixels(weights)}"
    parts = [
        f'<image {place} style="image-rendering: pixelated" href="{pixels}"/>',
        f'<rect {place} fill="none" stroke="{LIGHT.line}"/>{words}',
    ]
    most = [max(zip(row, columns, strict=True)) for row in weights]
    looks = [
        f"{quoted(word)} looks most at {quoted(other)} ({value:.1f})"
        for word, (value, other) in zip(rows, most, strict=True)
        if value >= 0.5
    ]
    spread = len(rows) - len(looks)
    looks += [f"{spread} of {len(rows)} rows spread their weight"] if spread else []
    look = f'{_PLAIN} fill="{LIGHT.ink}"'
    return _picture(wide, high, look, parts, f"{title}: {'; '.join(looks)}.")
