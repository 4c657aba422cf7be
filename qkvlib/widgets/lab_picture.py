"""The lab where there is no kernel: its matrices as one still picture."""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor

from qkvlib import theme
from qkvlib.theme import LIGHT
from qkvlib.widgets.lab_bench import Bench
from qkvlib.widgets.pictures import image

_CELL, _HIGH, _HEAD, _GAP, _NAMES = 46, 24, 24, 34, 62


def picture(bench: Bench) -> str:
    """X, the weights, Q, K, V, the attention and the output; the first head where there are more."""
    found = bench.trace
    if found is None:
        return f"<p>{bench.error}</p>"
    first = {name: value[0] if value.ndim == 3 else value
             for name, value in vars(found).items() if isinstance(value, Tensor)}  # fmt: skip
    names = bench.tokens
    columns: list[list[_Block]] = [
        [("X", first["x"], LIGHT.ink, names)],
        [(f"W_{role}", first[f"w_{role.lower()}"], colour, []) for role, colour in _ROLES],
        [(role, first[role.lower()], colour, []) for role, colour in _ROLES],
        [
            ("attention", first["weights"], LIGHT.weight, names),
            ("output", first["output"], LIGHT.ink, []),
        ],
    ]
    parts, left, tallest = [], 0.0, max(sum(map(_height, column)) for column in columns)
    for column in columns:
        left += _NAMES if column[0][3] else 0
        top = (tallest - sum(map(_height, column))) / 2
        for block in column:
            parts.append(_drawn(block, left, top))
            top += _height(block)
        left += max(block[1].shape[1] for block in column) * _CELL + _GAP
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left:.0f}" height="{tallest:.0f}" '
        f'font-family="sans-serif" font-size="12"><rect width="100%" height="100%" rx="6" '
        f'fill="{LIGHT.paper}"/>{"".join(parts)}</svg>'
    )
    return image(svg, _words(bench, first["weights"]))


_Block = tuple[str, Tensor, str, Sequence[str]]  # title, numbers, its colour, names of rows
_ROLES = (("Q", LIGHT.query), ("K", LIGHT.key), ("V", LIGHT.value))


def _height(block: _Block) -> float:
    return _HEAD + len(block[1]) * _HIGH + 14


def _drawn(block: _Block, left: float, top: float) -> str:
    title, numbers, colour, names = block
    reach = max(1.0, numbers.abs().max().item())
    parts = [
        f'<text x="{left}" y="{top + 16}" fill="{colour}" font-style="italic" font-size="15" '
        f'font-family="serif">{title}</text>'
    ]
    for i, name in enumerate(names):
        y = top + _HEAD + i * _HIGH + 16
        parts.append(
            f'<text x="{left - 6}" y="{y}" text-anchor="end" fill="{LIGHT.soft}">{_plain(name)}</text>'
        )
    for i, row in enumerate(numbers.tolist()):
        for j, number in enumerate(row):
            x, y = left + j * _CELL, top + _HEAD + i * _HIGH
            fill = (
                theme.weight(0.6 * number)
                if title == "attention"
                else theme.signed(0.7 * number / reach)
            )
            parts.append(
                f'<rect x="{x}" y="{y}" width="{_CELL - 2}" height="{_HIGH - 2}" rx="3" '
                f'fill="{fill}" stroke="{LIGHT.line}"/><text x="{x + _CELL / 2 - 1}" y="{y + 15}" '
                f'text-anchor="middle" fill="{LIGHT.ink}">{number:.2f}</text>'
            )
    return "".join(parts)


def _words(bench: Bench, weights: Tensor) -> str:
    """What a reader without the picture is told: who gives most weight to whom."""
    most = [
        f"{token} gives most weight to {bench.tokens[row.index(max(row))]}"
        for token, row in zip(bench.tokens, weights.tolist(), strict=True)
    ]
    loss = "" if bench.loss is None else f" The loss is {bench.loss:.4f}."
    return f"Attention, number by number: {'; '.join(most)}.{loss}"


def _plain(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")
