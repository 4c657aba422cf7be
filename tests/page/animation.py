"""Write an animated PNG with few colours, so that it is small. A pixel is one number, its RGBA."""

from __future__ import annotations

import json
import re
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Pixels = npt.NDArray[np.uint32]

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_MOST = 256  # colours; the first is fully transparent
_WORDS = b"Words\0\0\0\0\0"  # the head of a text that is not compressed and names no language
_OVER = 1  # a frame is drawn over the picture before it


@dataclass
class Frame:
    """The changed pixels of a picture, 0 for the others, and the milliseconds that it stays on screen."""

    left: int
    top: int
    pixels: Pixels
    stays: int


def animated(frames: Sequence[Frame], words: Sequence[str]) -> bytes:
    """Return a film that repeats forever, with a text chunk of the words seen in it."""
    known, numbers, colours = _few_colours(frames)
    high, wide = frames[0].pixels.shape
    parts = [
        _chunk(b"IHDR", struct.pack(">IIBBBBB", wide, high, 8, 3, 0, 0, 0)),
        _chunk(b"acTL", struct.pack(">II", len(frames), 0)),
        _chunk(b"iTXt", _WORDS + json.dumps(words, ensure_ascii=False).encode()),
        _chunk(b"PLTE", colours[:, :3].tobytes()),
        _chunk(b"tRNS", b"\0"),
    ]
    order = 0
    for frame in frames:
        high, wide = frame.pixels.shape
        lines = np.zeros((high, 1 + wide), np.uint8)  # each row begins with its filter: none
        lines[:, 1:] = numbers[np.searchsorted(known, frame.pixels)]
        data = zlib.compress(lines.tobytes(), 9)
        place = (wide, high, frame.left, frame.top, frame.stays, 1000, 0, _OVER)
        parts.append(_chunk(b"fcTL", struct.pack(">IIIIIHHBB", order, *place)))
        parts.append(_chunk(b"fdAT", struct.pack(">I", order + 1) + data) if order else _chunk(b"IDAT", data))
        order += 2 if order else 1
    return _SIGNATURE + b"".join([*parts, _chunk(b"IEND", b"")])


def words_of(film: bytes) -> list[str]:
    """Return the words seen in a film."""
    at = film.index(_WORDS)
    size = int.from_bytes(film[at - 8 : at - 4], "big")
    words: list[str] = json.loads(film[at + len(_WORDS) : at + size])
    return words


def milliseconds_of(film: bytes) -> int:
    """Return the duration of a film."""
    return sum(
        int.from_bytes(film[one.end() + 20 : one.end() + 22], "big") for one in re.finditer(b"fcTL", film)
    )


def _few_colours(frames: Sequence[Frame]) -> tuple[Pixels, npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
    """Return all colours, sorted; the number that each gets; and the colour that each number means.

    The most frequent colours stay as they are; any other is replaced by the nearest of them.
    """
    each = [np.unique(frame.pixels, return_counts=True) for frame in frames]
    known, where = np.unique(np.concatenate([colours for colours, _ in each]), return_inverse=True)
    counts = np.bincount(where, weights=np.concatenate([counts for _, counts in each]))
    counts[known == 0] = np.inf
    kept = known[np.argsort(-counts, kind="stable")[:_MOST]]
    parts, choice = (array.view(np.uint8).reshape(-1, 4) for array in (known, kept))
    far = ((parts[:, None].astype(np.int32) - choice.astype(np.int32)) ** 2).sum(axis=2)
    return known, far.argmin(axis=1).astype(np.uint8), choice


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
