"""The lab for places without a kernel: its matrices as one still picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import torch
from torch import Tensor

from qkvlib.figures import theme
from qkvlib.figures.still import image
from qkvlib.figures.theme import LIGHT
from qkvlib.figures.words import quoted
from qkvlib.gradients import Gradients, Trace

_WIDE, _HIGH, _HEAD, _GAP, _NAMES = 44, 24, 24, 30, 60
_ROLES = (("Q", LIGHT.query), ("K", LIGHT.key), ("V", LIGHT.value))


@dataclass(frozen=True)
class _Block:
    title: str
    numbers: Tensor
    colour: str = LIGHT.ink
    names: Sequence[str] = ()

    @property
    def height(self) -> float:
        return _HEAD + len(self.numbers) * _HIGH + 14


def picture(
    seen: Trace,
    slopes: Gradients | None,
    loss: float | None,
    tokens: Sequence[str],
    features: Sequence[str],
) -> str:
    """Draw X, the weights, Q, K, V, the attention of each head and the output; and the gradients, if there
    are any."""
    attention = seen.weights.reshape(-1, *seen.weights.shape[-2:])
    columns = [
        [_Block("X", seen.x, names=tokens)],
        [
            _Block(f"W {role}", getattr(seen, f"w_{role.lower()}"), colour, features)
            for role, colour in _ROLES
        ],
        [_Block(role, _side_by_side(getattr(seen, role.lower())), colour, tokens) for role, colour in _ROLES],
        [
            *(
                _Block(name, each, LIGHT.weight, tokens)
                for name, each in zip(_of_heads("A", attention), attention, strict=True)
            ),
            _Block("O", _side_by_side(seen.heads)),
        ],
    ]
    if slopes:
        found = [(role, getattr(slopes, f"d_w_{role.lower()}")) for role, _ in _ROLES]
        columns.append([_Block(f"dL / dW {role}", numbers) for role, numbers in found])
    return image(_svg(columns), _words(attention, loss, tokens))


def _side_by_side(numbers: Tensor) -> Tensor:
    """Put the heads' columns into one matrix, as the weight matrices do."""
    return torch.cat(list(numbers), dim=-1) if numbers.ndim == 3 else numbers


def _of_heads(title: str, heads: Tensor) -> list[str]:
    return [title] if len(heads) == 1 else [f"{title} {i + 1}" for i in range(len(heads))]


def _svg(columns: Sequence[Sequence[_Block]]) -> str:
    heights = [sum(block.height for block in column) for column in columns]
    parts, left = [], 8
    for column, height in zip(columns, heights, strict=True):
        left += _beside(column[0].names)
        top = (max(heights) - height) / 2
        for block in column:
            parts.append(f'<g transform="translate({left} {top:.0f})">{_drawn(block)}</g>')
            top += block.height
        left += max(block.numbers.shape[1] for block in column) * _WIDE + _GAP
    # Attributes shared by all cells are written once, which saves two thirds of the size.
    style = (
        f"rect{{width:{_WIDE - 2}px;height:{_HIGH - 2}px;rx:3px;stroke:{LIGHT.line}}}"
        f"text{{fill:{LIGHT.ink};text-anchor:middle}}.n{{fill:{LIGHT.soft};text-anchor:end}}"
        ".t{font:italic 15px serif;text-anchor:start}"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left}" height="{max(heights):.0f}" '
        f'font-family="sans-serif" font-size="12" style="background:{LIGHT.paper}">'
        f"<style>{style}</style>{''.join(parts)}</svg>"
    )


def _beside(names: Sequence[str]) -> int:
    """Return the room for the names of a column's rows."""
    return max(_NAMES, 8 + 7 * max(map(len, names))) if names else 0


def _drawn(block: _Block) -> str:
    reach = max(1.0, block.numbers.abs().max().item())
    parts = [f'<text class="t" y="16" style="fill:{block.colour}">{block.title}</text>']
    for i, row in enumerate(block.numbers.tolist()):
        y = _HEAD + i * _HIGH
        if block.names:
            parts.append(f'<text class="n" x="-6" y="{y + 15}">{escape(block.names[i])}</text>')
        for j, number in enumerate(row):
            share = 0.7 * number
            shade = theme.weight(share) if block.title.startswith("A") else theme.signed(share / reach)
            shown = round(number, 2) + 0  # avoids -0.00
            parts.append(
                f'<rect x="{j * _WIDE}" y="{y}" fill="{shade}"/>'
                f'<text x="{j * _WIDE + _WIDE // 2 - 1}" y="{y + 15}">{shown:.2f}</text>'
            )
    return "".join(parts)


def _words(attention: Tensor, loss: float | None, tokens: Sequence[str]) -> str:
    """Describe the picture for a reader who cannot see it: which word gives most weight to which."""
    told = []
    for name, weights in zip(_of_heads("head", attention), attention, strict=True):
        most = [
            f"{quoted(token)} gives most weight to {quoted(tokens[row.index(max(row))])}"
            for token, row in zip(tokens, weights.tolist(), strict=True)
        ]
        told.append(("" if len(attention) == 1 else f"{name}: ") + "; ".join(most))
    ends = "" if loss is None else f" The loss is {loss:.4f}."
    return f"Attention, number by number: {'. '.join(told)}.{ends}"
