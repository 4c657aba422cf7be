"""A soft lookup for places without scripts: two small pictures and a table."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Protocol

from torch import Tensor

from qkvlib.figures.still import image, plane, table
from qkvlib.figures.theme import LIGHT

_SIZE = 320


class Lookup(Protocol):
    """The numbers to draw."""

    query: Tensor
    keys: Tensor
    values: Tensor
    weights: Tensor
    output: Tensor


def picture(lookup: Lookup, names: Sequence[str], query_name: str, limit: float) -> str:
    """Draw the query and its keys, the blend among the values, and all their numbers."""
    keys, values = lookup.keys.tolist(), lookup.values.tolist()
    weights, output = lookup.weights.tolist(), lookup.output.tolist()
    arrows = [(name, key, LIGHT.key) for name, key in zip(names, keys, strict=True)]
    arrows.append((query_name, lookup.query.tolist(), LIGHT.query))
    rows = [
        [name, _point(key), f"{weight:.2f}", _point(value)]
        for name, key, weight, value in zip(names, keys, weights, values, strict=True)
    ]
    rows.append(["the blend", "", f"{sum(weights):.2f}", _point(output)])
    return (
        plane(arrows, limit)
        + _blend(names, values, weights, output)
        + table(["", "key", "weight", "value"], rows)
    )


def _point(numbers: Sequence[float]) -> str:
    return f"({numbers[0]:.2f}, {numbers[1]:.2f})"


def _blend(
    names: Sequence[str],
    values: Sequence[Sequence[float]],
    weights: Sequence[float],
    output: Sequence[float],
) -> str:
    """Draw the values as dots, the blend among them, and a line to each that is as thick as its weight."""
    left, bottom = (min(value[axis] for value in values) for axis in (0, 1))
    reach = max(max(value[axis] for value in values) - low for axis, low in ((0, left), (1, bottom)))
    scale = 0.72 * _SIZE / (reach or 1)

    def place(point: Sequence[float]) -> tuple[float, float]:
        x, y = (0.14 * _SIZE + scale * (n - low) for n, low in zip(point, (left, bottom), strict=True))
        return x, _SIZE - y

    x, y = place(output)
    parts = [f'<rect width="{_SIZE}" height="{_SIZE}" rx="6" fill="{LIGHT.paper}"/>']
    for value, weight in zip(values, weights, strict=True):
        end = "{:.1f} {:.1f}".format(*place(value))
        parts.append(
            f'<path d="M{x:.1f} {y:.1f}L{end}" stroke="{LIGHT.weight}" '
            f'stroke-width="{10 * weight:.1f}" opacity="0.5"/>'
        )
    for name, value in zip(names, values, strict=True):
        at_x, at_y = place(value)
        parts.append(
            f'<circle cx="{at_x:.1f}" cy="{at_y:.1f}" r="5" fill="{LIGHT.value}"/>'
            f'<text x="{at_x:.1f}" y="{at_y - 10:.1f}" fill="{LIGHT.value}">{escape(name)}</text>'
        )
    parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="7" fill="{LIGHT.ink}"/>')
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_SIZE}" height="{_SIZE}" '
        f'font-family="serif" font-size="17" font-style="italic" text-anchor="middle">'
        f"{''.join(parts)}</svg>"
    )
    shares = ", ".join(
        f"{weight:.2f} of {name} at {_point(value)}"
        for name, weight, value in zip(names, weights, values, strict=True)
    )
    return image(svg, f"The values, and their blend at {_point(output)}: {shares}.")
