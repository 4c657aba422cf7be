"""The lab where there is no kernel: its matrices as one still picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from torch import Tensor

from qkvlib.figures import theme
from qkvlib.figures.still import image
from qkvlib.figures.theme import LIGHT
from qkvlib.figures.words import quoted
from qkvlib.widgets.lab.checks import WEIGHTS
from qkvlib.widgets.lab.state import LabState

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


def picture(state: LabState) -> str:
    """X, the weights, Q, K, V, the attention and the output; of several heads the first."""
    if state.trace is None:
        return f"<p>{escape(state.error)}</p>"
    seen = state.trace
    weights = {name: getattr(state, name).chunk(state.n_heads, dim=1)[0] for name in WEIGHTS}
    parts = {"q": seen.q, "k": seen.k, "v": seen.v, "weights": seen.weights, "output": seen.heads}
    if state.n_heads > 1:
        parts = {name: part[0] for name, part in parts.items()}
    first = {"x": state.x, **weights, **parts}
    tokens, features = state.tokens, state.features or ()
    columns = [
        [_Block("X", first["x"], names=tokens)],
        [
            _Block(f"W {role}", first[f"w_{role.lower()}"], colour, features)
            for role, colour in _ROLES
        ],
        [_Block(role, first[role.lower()], colour, tokens) for role, colour in _ROLES],
        [_Block("A", first["weights"], LIGHT.weight, tokens), _Block("O", first["output"])],
    ]
    return image(_svg(columns), _words(state, first["weights"]))


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
    # Named once, what all cells share takes a third of the room.
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
    """The room for the names of a column's rows."""
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
            shade = theme.weight(share) if block.title == "A" else theme.signed(share / reach)
            parts.append(
                f'<rect x="{j * _WIDE}" y="{y}" fill="{shade}"/>'
                f'<text x="{j * _WIDE + _WIDE // 2 - 1}" y="{y + 15}">{number:.2f}</text>'
            )
    return "".join(parts)


def _words(state: LabState, weights: Tensor) -> str:
    """What a reader without the picture is told: who gives most weight to whom."""
    most = [
        f"{quoted(token)} gives most weight to {quoted(state.tokens[row.index(max(row))])}"
        for token, row in zip(state.tokens, weights.tolist(), strict=True)
    ]
    loss = "" if state.loss is None else f" The loss is {state.loss:.4f}."
    return f"Attention, number by number: {'; '.join(most)}.{loss}"
