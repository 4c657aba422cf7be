"""Draw all heads as one still picture: a few with their words, or many as small maps, layer by layer."""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Sequence
from functools import cache
from html import escape
from itertools import chain

import torch
from jaxtyping import Float
from torch import Tensor

from qkvlib.figures.still import image, sides
from qkvlib.figures.theme import LIGHT, weight

FEW = 6

_SHADES = 16  # so that a picture of 72 heads stays below 30 kilobytes
_ACROSS = 2
_WIDEST, _LARGEST_CELL = 300, 22
_SMALL = 48

Map = Float[Tensor, "n m"]


def of_few(
    names: Sequence[Sequence[str]],
    layers: Sequence[Sequence[Map]],
    rows: Sequence[str],
    columns: Sequence[str],
) -> str:
    """Draw each head with its name above it and the words at its sides."""
    cell = min(_LARGEST_CELL, max(12, _WIDEST // len(columns)))
    left, top = 10 + 7 * max(map(len, rows)), 28 + 7 * max(map(len, columns))
    wide, high = cell * len(columns), cell * len(rows)
    each = list(chain(*names))
    parts = []
    for i, (name, weights) in enumerate(zip(each, chain(*layers), strict=True)):
        x, y = left + (i % _ACROSS) * (left + wide), top + (i // _ACROSS) * (top + high)
        parts.append(
            f'<text x="{x}" y="{y - top + 16}" font-weight="bold">{escape(name)}</text>'
            f"{sides(x, y, cell, rows, columns)}{_map(weights, x, y, wide, high)}"
        )
    across, down = min(len(each), _ACROSS), -(-len(each) // _ACROSS)
    size = (across * (left + wide) + 8, down * (top + high) + 8)
    return image(_svg("".join(parts), *size), f"Attention of {', '.join(each)}.")


def of_many(
    names: Sequence[Sequence[str]],
    layers: Sequence[Sequence[Map]],
    rows: Sequence[str],
    columns: Sequence[str],
) -> str:
    """Draw a row of small maps for each layer, as a single picture; the row is named after its first head."""
    most = max(map(len, layers))
    down, across = len(rows) + 1, len(columns) + 1  # with a blank line between two maps
    whole = torch.zeros(len(layers) * down, most * across)
    for i, maps in enumerate(layers):
        for k, weights in enumerate(maps):
            whole[i * down : (i + 1) * down - 1, k * across : (k + 1) * across - 1] = weights
    left = 10 + 7 * max(len(first) for first, *_ in names)
    words = "".join(
        f'<text x="6" y="{_SMALL * i + _SMALL // 2 + 4}">{escape(first)}</text>'
        for i, (first, *_) in enumerate(names)
    )
    wide, high = most * _SMALL, len(layers) * _SMALL
    lines = "".join(f"M{left + k * _SMALL} 0v{high}" for k in range(1, most))
    lines += "".join(f"M{left} {i * _SMALL}h{wide}" for i in range(1, len(layers)))
    grid = f'<path d="{lines}" stroke="{LIGHT.line}"/>'
    content = f"{_map(whole, left, 0, wide, high)}{grid}{words}"
    what = f"Attention of {sum(map(len, names))} heads over {len(rows)} words: a row of maps for each layer"
    return image(_svg(content, left + wide, high), f"{what}, from {names[0][0]} to {names[-1][-1]}.")


def _svg(content: str, wide: int, high: int) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" '
        f'font-family="sans-serif" font-size="12" fill="{LIGHT.ink}">'
        f'<rect width="{wide}" height="{high}" rx="6" fill="{LIGHT.paper}"/>{content}</svg>'
    )


def _map(weights: Map, x: int, y: int, wide: int, high: int) -> str:
    box = f'x="{x}" y="{y}" width="{wide}" height="{high}"'
    return (
        f'<image {box} preserveAspectRatio="none" style="image-rendering: pixelated" '
        f'href="data:image/png;base64,{_png(weights)}"/>'
        f'<rect {box} fill="none" stroke="{LIGHT.line}"/>'
    )


def _png(weights: Map) -> str:
    """Return a picture with one pixel for each weight, in a few shades, so that it takes few bytes."""
    shades = (weights * (_SHADES - 1)).round().to(torch.uint8)
    padded = torch.cat([shades, shades.new_zeros(len(shades), shades.shape[1] % 2)], dim=1)
    pairs = (padded[:, ::2] << 4) | padded[:, 1::2]  # two pixels in one byte
    lines = b"".join(b"\0" + bytes(row) for row in pairs.tolist())
    size = struct.pack(">IIBBBBB", weights.shape[1], weights.shape[0], 4, 3, 0, 0, 0)
    parts = [(b"IHDR", size), (b"PLTE", _palette()), (b"IDAT", zlib.compress(lines, 9))]
    png = b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*part) for part in [*parts, (b"IEND", b"")])
    return base64.b64encode(png).decode()


@cache
def _palette() -> bytes:
    shades = [weight(i / (_SHADES - 1)) for i in range(_SHADES)]
    return b"".join(bytes.fromhex(colour[1:]) for colour in shades)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
