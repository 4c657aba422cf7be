"""Draw the loss as a landscape over two numbers: its slopes, and the path that training took."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import torch
from torch import Tensor

from qkvlib.figures import svg, theme
from qkvlib.figures.plot import LOOKS, MIDDLE, Json, Plot, ink, plain, scatter
from qkvlib.figures.tables import coordinates, written

_CELLS = 24  # cells of the surface along each number; the still picture has half as many
_SPAN = 3.0  # how far the surface goes from the middle along each number
_ARROW = 0.2  # the longest arrow, as a share of the landscape's width

Spot = tuple[float, float]
Loss = Callable[[Tensor, Tensor], Tensor]


def landscape(
    loss: Loss,
    names: tuple[str, str],
    *,
    paths: Mapping[str, Sequence[Spot]] | None = None,
    gradients_at: Sequence[Spot] = (),
) -> Plot:
    """Draw a loss over two numbers as a surface to rotate: `loss(a, b)` for each from -3 to 3.

    `names` are the names of the two numbers. A path is the sequence of points (a, b) that training
    visited. At each point of `gradients_at` an arrow points against the gradient: the way of a step.
    """
    ground = _Ground(loss)
    ways = {name: [ground.point(*spot) for spot in way] for name, way in (paths or {}).items()}
    slopes = [(ground.point(*spot), ground.gradient(*spot)) for spot in gradients_at]
    told = [
        f"{name}: from {coordinates(way[0])} to {coordinates(way[-1])} in {len(way) - 1} steps"
        for name, way in ways.items()
    ] + [f"gradient at {coordinates(point)}: {_both(slope)}" for point, slope in slopes]
    arrows = _arrows(slopes)
    title = f"loss over {names[0]} and {names[1]}"
    return Plot(
        [
            _surface(ground, names),
            _frame(ground),
            *(_way(name, way, LOOKS[k % len(LOOKS)]) for k, (name, way) in enumerate(ways.items())),
            *(_arrow(*arrow, slope) for arrow, (_, slope) in zip(arrows, slopes, strict=True)),
        ],
        _layout(ground, names, ways),
        _still(ground, names, ways, arrows),
        f"The {title}, from {written(ground.low, 1)} to {written(ground.high, 1)}. " + ". ".join(told),
        "\n".join([title, *told]),
    )


Point = tuple[float, float, float]
"""The two numbers and the loss there."""


@dataclass(frozen=True)
class _Ground:
    """A loss, and the square of numbers over which it is drawn."""

    loss: Loss

    def point(self, a: float, b: float) -> Point:
        loss = self.loss(torch.tensor(float(a)), torch.tensor(float(b)))
        return round(float(a), 3), round(float(b), 3), round(float(loss), 3)

    def gradient(self, a: float, b: float) -> Spot:
        """Return the slope of the loss in each of the two numbers."""
        numbers = [torch.tensor(float(number), requires_grad=True) for number in (a, b)]
        found = torch.autograd.grad(self.loss(*numbers), numbers)
        return round(float(found[0]), 3), round(float(found[1]), 3)

    @property
    def values(self) -> list[float]:
        return [round(_SPAN * (2 * k / _CELLS - 1), 3) for k in range(_CELLS + 1)]

    @cached_property
    def surface(self) -> list[list[float]]:
        """Return the losses: a row for each value of the second number, a column for each of the first."""
        return [[self.point(a, b)[2] for a in self.values] for b in self.values]

    @property
    def low(self) -> float:
        return min(map(min, self.surface))

    @property
    def high(self) -> float:
        return max(map(max, self.surface))

    @property
    def floor(self) -> float:
        """Return a height a little below the surface, where the names and numbers are drawn."""
        return self.low - 0.1 * (self.high - self.low)


def _surface(ground: _Ground, names: tuple[str, str]) -> Json:
    first, second = (plain(name) for name in names)
    hover = f"{first}: %{{x:.2f}}<br>{second}: %{{y:.2f}}<br>loss: %{{z:.1f}}<extra></extra>"
    line = {"show": True, "color": MIDDLE, "width": 1, "highlight": False}
    steps = {"start": -_SPAN, "end": _SPAN, "size": _SPAN / 6}
    return {
        "type": "surface",
        "x": ground.values,
        "y": ground.values,
        "z": ground.surface,
        "colorscale": [[0, theme.LIGHT.line], [1, theme.mix(theme.LIGHT.line, MIDDLE, 0.7)]],
        "showscale": False,
        "opacity": 0.95,
        "lighting": {"ambient": 0.85, "diffuse": 0.25, "specular": 0.0},
        "contours": {"x": {**line, **steps}, "y": {**line, **steps}},
        "hovertemplate": hover,
    }


def _frame(ground: _Ground) -> Json:
    """Draw the edges of the square below the surface, and a vertical edge for the loss."""
    far, low = _SPAN, ground.floor
    square = [(-far, -far), (-far, far), (far, far), (far, -far), (-far, -far)]
    corners = [*((a, b, low) for a, b in square), (-far, -far, ground.high)]
    return scatter(corners, "lines", line={"color": MIDDLE, "width": 2}, hoverinfo="skip")


def _way(name: str, way: Sequence[Point], look: tuple[str, str, str]) -> Json:
    colour, symbol, _ = look
    return scatter(
        way,
        "lines+markers",
        name=plain(name),
        text=[f"{plain(name)}<br>step {k}: loss {written(z, 1)}" for k, (*_, z) in enumerate(way)],
        hovertemplate="%{text}<extra></extra>",
        line={"color": colour, "width": 7},
        marker={"color": colour, "symbol": symbol if symbol in _SOLID else "circle", "size": 3},
    )


_SOLID = ("circle", "diamond", "square")  # the symbols of LOOKS that plotly can draw in 3D


def _arrows(slopes: Sequence[tuple[Point, Spot]]) -> list[tuple[Point, Point]]:
    """Return the start and end of each arrow: along the slope, and longer if it is steeper."""
    steepest = max((math.hypot(*slope) for _, slope in slopes), default=0.0) or 1.0
    scale = 2 * _SPAN * _ARROW / steepest
    return [
        ((a, b, z), (a - scale * da, b - scale * db, z - scale * (da**2 + db**2)))
        for (a, b, z), (da, db) in slopes
    ]


def _arrow(start: Point, end: Point, slope: Spot) -> Json:
    colour = theme.on_any_page("bad")
    ends = [[round(number, 3) for number in point] for point in (start, end)]
    told = f"gradient at {coordinates(start)}: {_both(slope)}<br>a step goes against it"
    return scatter(
        ends,
        "lines+markers",
        name="against the gradient",
        text=[told, told],
        hovertemplate="%{text}<extra></extra>",
        line={"color": colour, "width": 8},
        marker={"color": colour, "symbol": ["circle-open", "diamond"], "size": [6, 6]},
    )


def _layout(ground: _Ground, names: tuple[str, str], ways: Mapping[str, Sequence[Point]]) -> Json:
    far, low, high, floor = _SPAN, ground.low, ground.high, ground.floor
    words = [
        (0.0, -1.25 * far, floor, names[0]),
        (1.3 * far, 0.0, floor, names[1]),
        (-1.3 * far, -far, (low + high) / 2, "loss"),
        *((k * far, -1.1 * far, floor, written(k * far, 0)) for k in (-1, 1)),
        *((1.1 * far, k * far, floor, written(k * far, 0)) for k in (-1, 1)),
        *((-1.12 * far, -far, z, written(z, 0)) for z in (low, high)),
    ]
    starts = [
        {"x": a, "y": b, "z": z, "text": plain(name), **_LABEL} for name, ((a, b, z), *_) in ways.items()
    ]
    bare = {"visible": False, "showspikes": False}
    beyond = [-1.4 * far, 1.4 * far]  # points outside the axes are not drawn
    return {
        "height": 480,
        "margin": {"l": 0, "r": 0, "t": 30, "b": 0},
        "scene": {
            "xaxis": {**bare, "range": beyond},
            "yaxis": {**bare, "range": beyond},
            "zaxis": {**bare, "range": [floor - 0.01 * (high - low), high + 0.1 * (high - low)]},
            "aspectmode": "manual",
            "aspectratio": {"x": 1.5, "y": 1.5, "z": 0.8},
            "camera": {"eye": {"x": 0.6, "y": -1.6, "z": 0.85}, "center": {"z": -0.2}},
            "annotations": [
                *({"x": x, "y": y, "z": z, "text": ink(said), "showarrow": False} for x, y, z, said in words),
                *starts,
            ],
        },
    }


# Marks on the surface use the light theme's colours, whatever the page uses.
_LABEL = {
    "bgcolor": theme.LIGHT.paper,
    "font": {"color": theme.LIGHT.ink, "size": 13},
    "borderpad": 2,
    "showarrow": True,
    "arrowcolor": theme.LIGHT.ink,
    "arrowhead": 0,
    "ax": 0,
    "ay": -28,
}


def _still(
    ground: _Ground,
    names: tuple[str, str],
    ways: Mapping[str, Sequence[Point]],
    arrows: Sequence[tuple[Point, Point]],
) -> str:
    """Draw the surface as a mesh from back to front, so that near parts cover far ones."""

    def projected(a: float, b: float, z: float) -> tuple[float, float]:
        right, back = a / _SPAN, b / _SPAN
        up = (z - ground.low) / (ground.high - ground.low or 1.0)
        return 320 + 200 * right + 76 * back, 232 + 26 * right - 62 * back - 96 * up

    places = range(0, _CELLS, 2)
    parts = []
    for row, column in product(reversed(places), places):
        corners = [
            projected(ground.values[c], ground.values[r], ground.surface[r][c])
            for r, c in ((row, column), (row, column + 2), (row + 2, column + 2), (row + 2, column))
        ]
        parts.append("M" + "L".join(f"{x:.0f} {y:.0f}" for x, y in corners) + "Z")
    cells = "".join(f'<path d="{d}"/>' for d in parts)
    net = f'<g class="paper soft-line" stroke-width="0.7">{cells}</g>'
    drawn = [net]
    for place, (name, way) in enumerate(ways.items()):
        points = [projected(*point) for point in way]
        drawn += [
            svg.curve(points, "ink", ("", "8 4", "2 4")[place % 3]),
            svg.point(*points[0], 4),
            svg.text(points[0][0], points[0][1] - 10, name),
        ]
    for start, end in arrows:
        drawn += [svg.curve([projected(*start), projected(*end)], "bad"), svg.point(*projected(*end), 5)]
    far, low = _SPAN, ground.low
    drawn += [
        svg.text(*projected(0, -1.5 * far, low), names[0]),
        svg.text(*projected(1.45 * far, 0, low), names[1]),
        svg.text(72, 150, "loss", "soft"),
    ]
    return svg.drawing(640, 342, drawn, "loss as a landscape")


def _both(slope: Spot) -> str:
    return f"{written(slope[0])} and {written(slope[1])}"
