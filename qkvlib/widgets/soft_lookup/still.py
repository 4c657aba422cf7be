"""The blend among the values, for places without scripts."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from qkvlib.figures.still import image
from qkvlib.figures.theme import LIGHT

_SIZE = 320

Point = Sequence[float]


def blend(names: Sequence[str], values: Sequence[Point], weights: Sequence[float], output: Point) -> str:
    """Draw the values as dots, the blend among them, and a line to each that is as thick as its weight."""
    left, bottom = (min(value[axis] for value in values) for axis in (0, 1))
    reach = max(max(value[axis] for value in values) - low for axis, low in ((0, left), (1, bottom)))
    scale = 0.72 * _SIZE / (reach or 1)

    def place(point: Point) -> tuple[float, float]:
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
        f"{weight:.2f} of {name} at {written(value)}"
        for name, weight, value in zip(names, weights, values, strict=True)
    )
    return image(svg, f"The values, and their blend at {written(output)}: {shares}.")


def written(point: Point) -> str:
    """Write a point as the page does."""
    return f"({point[0]:.2f}, {point[1]:.2f})"
