"""The widget for places without scripts: the sentence, the query among the keys, and the weights as knobs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import torch

from qkvlib.attention import attention_weights
from qkvlib.figures.still import image, plane
from qkvlib.figures.theme import LIGHT

Rows = Sequence[Sequence[float]]

_ROW, _RAIL, _MATRIX = 42, 62, 196


def picture(setup: Mapping[str, Any]) -> str:
    """Draw the parts in the order of the page."""
    words, asker, weights, bounds = (setup[name] for name in ("words", "asker", "start", "bounds"))
    query, keys = weights["w_q"][-1], weights["w_k"][:-1]
    attention = attention_weights(torch.tensor([query]), torch.tensor(keys))[0].tolist()
    shares = ", ".join(f"“{word}” {weight:.2f}" for word, weight in zip(words, attention, strict=True))
    arrows = [(word, key, LIGHT.key) for word, key in zip(words, keys, strict=True)]
    arrows.append((asker, query, LIGHT.query))
    return (
        f"<p>{escape(setup['sentence'])} <b>{escape(setup['endings'][0])}.</b></p>"
        f"<p>“{escape(asker)}” attends to {escape(shares)}.</p>"
        '<div style="display: flex; flex-wrap: wrap; gap: 16px; align-items: center">'
        + plane(arrows, bounds["w_q"])
        + _matrices([*words, asker], weights, bounds)
        + "</div>"
    )


def _matrices(words: Sequence[str], weights: Mapping[str, Rows], bounds: Mapping[str, float]) -> str:
    """Draw the three matrices side by side, each number as a knob on its rail."""
    tints = {"w_q": LIGHT.query, "w_k": LIGHT.key, "w_v": LIGHT.value}
    parts, said = [], []
    for place, (name, rows) in enumerate(weights.items()):
        shown = range(len(words) - 1) if name != "w_q" else [len(words) - 1]
        left = place * _MATRIX + 8
        parts.append(
            f'<text x="{left}" y="22" font-size="18" font-style="italic" fill="{tints[name]}">W'
            f'<tspan font-size="12" dy="4">{name[-1].upper()}</tspan></text>'
        )
        for line, row in enumerate(shown):
            y = 48 + line * _ROW
            parts.append(f'<text x="{left + 34}" y="{y + 5}" text-anchor="end">{escape(words[row])}</text>')
            parts += [
                _knob(left + 48 + column * (_RAIL + 14), y, number, bounds[name], tints[name])
                for column, number in enumerate(rows[row])
            ]
        numbers = "; ".join(f"{words[row]} {rows[row][0]:g}, {rows[row][1]:g}" for row in shown)
        said.append(f"W {name[-1].upper()}: {numbers}")
    wide, high = 3 * _MATRIX + 16, 48 + 3 * _ROW
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" '
        f'font-family="sans-serif" font-size="12" fill="{LIGHT.soft}">'
        f'<rect width="{wide}" height="{high}" rx="6" fill="{LIGHT.paper}"/>{"".join(parts)}</svg>'
    )
    return image(svg, f"The weight matrices. {'. '.join(said)}.")


def _knob(left: float, y: float, number: float, bound: float, tint: str) -> str:
    x = left + _RAIL * (number / bound + 1) / 2
    return (
        f'<path d="M{left} {y}h{_RAIL}" stroke="{LIGHT.line}" stroke-width="3"/>'
        f'<circle cx="{x:.1f}" cy="{y}" r="6" fill="{LIGHT.paper}" stroke="{tint}" stroke-width="2.5"/>'
        f'<text x="{x:.1f}" y="{y + 21}" text-anchor="middle">{number:g}</text>'
    )
