"""Draw how words' vectors move during training, from the first step to the last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import torch
from jaxtyping import Float
from torch import Tensor

from qkvlib.figures import svg, theme
from qkvlib.figures.plot import LOOKS, MIDDLE, Json, Plot, axis, ink, plain, scatter
from qkvlib.figures.tables import coordinates

if TYPE_CHECKING:  # drawing must not load the training code
    from qkvlib.training.recording import Recording

_HIGH = 480
_FRAME = 120  # milliseconds for each kept step

Spot = tuple[float, float]


def journey(recording: Recording, words: Sequence[str]) -> Plot:
    """Draw the vectors of the first words of the embedding, at every step that a recording kept.

    A vector may have more than two numbers. The figure shows its projection onto one plane: the plane in
    which these vectors are longest at the end. Play goes through the steps, and the slider stops at
    any of them.
    """
    moved = recording.weights["embedding"][:, : len(words)].double()
    plane = _plane(moved[-1])
    kept = float((moved[-1] @ plane).square().sum() / moved[-1].square().sum())
    shadows = (moved @ plane).round(decimals=3)
    ways = {word: [(x, y) for x, y in shadows[:, place].tolist()] for place, word in enumerate(words)}
    steps = recording.steps.tolist()
    told = [f"{word}: from {coordinates(way[0])} to {coordinates(way[-1])}" for word, way in ways.items()]
    title = f"{len(words)} vectors from step {steps[0]} to step {steps[-1]}"
    shadow = f"the plane holds {kept:.0%} of their squared length at the end"
    return Plot(
        [*(_trail(word, way) for word, way in ways.items()), _heads(ways, steps[-1])],
        _layout(ways, steps),
        _still(ways),
        f"The {title}; {shadow}. {'; '.join(told)}.",
        "\n".join([title, shadow, *told]),
        [
            {"name": str(step), "data": [_at_step(ways, step, place)], "traces": [len(words)]}
            for place, step in enumerate(steps)
        ],
    )


def _plane(vectors: Float[Tensor, "words d"]) -> Float[Tensor, "d 2"]:
    """Return the two perpendicular directions along which the vectors are longest.

    A direction and its opposite are equally good. We take the one that puts the first words on the right,
    or at the top, so that the picture is not upside down on another machine.
    """
    *_, directions = torch.linalg.svd(vectors, full_matrices=False)
    plane = directions[:2].mT
    along = vectors @ plane
    first = along.gather(0, along.abs().argmax(dim=0, keepdim=True))
    return plane * first.sign()


def _trail(word: str, way: Sequence[Spot]) -> Json:
    look = {"color": theme.veil(MIDDLE, 0.6), "width": 2}
    return scatter(way, "lines", name=plain(word), line=look, hoverinfo="skip")


def _heads(ways: dict[str, list[Spot]], last: int) -> Json:
    """Draw the words at their final positions."""
    colour, symbol, _ = LOOKS[1]
    return {
        "type": "scatter",
        "mode": "markers+text",
        **_at_step(ways, last, -1),
        "text": [ink(word) for word in ways],
        "textposition": "top center",
        "hovertemplate": "%{customdata}<extra></extra>",
        "marker": {"color": colour, "symbol": symbol, "size": 10},
        "cliponaxis": False,
    }


def _at_step(ways: dict[str, list[Spot]], step: int, place: int) -> Json:
    """Return what a step changes: the positions of the words, and the text at the pointer."""
    spots = {word: way[place] for word, way in ways.items()}
    return {
        "x": [x for x, _ in spots.values()],
        "y": [y for _, y in spots.values()],
        "customdata": [f"{plain(word)}, step {step}<br>{coordinates(at)}" for word, at in spots.items()],
    }


def _layout(ways: dict[str, list[Spot]], steps: Sequence[int]) -> Json:
    crossing = {"zeroline": True, "zerolinecolor": MIDDLE, "dtick": 1}
    at_once = {"mode": "immediate", "transition": {"duration": 0}}
    still = {**at_once, "frame": {"duration": 0, "redraw": False}}
    moving = {**at_once, "frame": {"duration": _FRAME, "redraw": False}}
    return {
        "height": _HIGH,
        "xaxis": axis("", **crossing, range=_ends(ways, 0)),
        "yaxis": axis("", **crossing, range=_ends(ways, 1), scaleanchor="x"),
        "hovermode": "closest",
        "updatemenus": [
            {
                "type": "buttons",
                "direction": "left",
                "showactive": False,
                "x": 0,
                "y": -0.16,
                "xanchor": "left",
                "yanchor": "top",
                "bgcolor": "rgba(0, 0, 0, 0)",
                "bordercolor": MIDDLE,
                "buttons": [
                    {"label": ink("Play"), "method": "animate", "args": [None, moving]},
                    {"label": ink("Stop"), "method": "animate", "args": [[None], still]},
                ],
            }
        ],
        "sliders": [
            {
                "active": len(steps) - 1,
                "x": 0.28,
                "len": 0.72,
                "y": -0.1,
                "pad": {"t": 10},
                "currentvalue": {"prefix": ink("step ")},
                "font": {"size": 12, "color": MIDDLE},
                "bgcolor": MIDDLE,
                "activebgcolor": MIDDLE,
                "bordercolor": MIDDLE,
                "tickcolor": MIDDLE,
                "steps": [
                    {"label": ink(str(step)), "method": "animate", "args": [[str(step)], still]}
                    for step in steps
                ],
            }
        ],
    }


def _ends(ways: dict[str, list[Spot]], side: int) -> list[float]:
    """Return the horizontal or vertical range of the words, with zero and with space for names."""
    numbers = [0.0, *(spot[side] for way in ways.values() for spot in way)]
    room = 0.15 * (max(numbers) - min(numbers)) or 1.0
    return [round(min(numbers) - room, 3), round(max(numbers) + room, 3)]


def _still(ways: dict[str, list[Spot]]) -> str:
    """Draw a still picture: each word's path, and its name at the end."""
    (left, right), (low, high) = _ends(ways, 0), _ends(ways, 1)
    scale = min(640 / (right - left), 420 / (high - low))
    wide, tall = round(scale * (right - left)), round(scale * (high - low))

    def at(spot: Spot) -> tuple[float, float]:
        return scale * (spot[0] - left), scale * (high - spot[1])

    x, y = at((0.0, 0.0))
    parts = [svg.curve([(8, y), (wide - 8, y)], "line"), svg.curve([(x, 8), (x, tall - 8)], "line")]
    for word, way in ways.items():
        x, y = at(way[-1])
        parts += [
            svg.curve([at(spot) for spot in way], "soft"),
            svg.point(x, y, 4),
            svg.text(x, y - 10, word),
        ]
    return svg.drawing(wide, tall, parts, "words' vectors while they learn")
