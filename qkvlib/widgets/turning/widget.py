"""A query and a key, rotated by their positions, so that their score depends only on the distance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch
import traitlets
from jaxtyping import Float
from torch import Tensor

from qkvlib.attention import softmax
from qkvlib.figures.still import plane, table
from qkvlib.figures.theme import LIGHT
from qkvlib.widgets.kit import points
from qkvlib.widgets.kit.arrow_widget import Moved, Place
from qkvlib.widgets.kit.goals import Goal

_PLACES = 8
_WIDEST = 90.0


class Turning(Moved):
    """The same query and the same key at every position, each rotated by an angle per position.

    The query stands at `place`, and sees the key at its own place and at all before. `query` and
    `key` are as they are before any turn, `angle` is in degrees. All four follow the hand, and so do
    `scores` and `weights`, in the order of the distance: 0 back, 1 back, ... What lies before the first place
    has the weight 0.

        scores[d] = turned(query, place * angle) . turned(key, (place - d) * angle)
        weights   = softmax(scores[: place + 1])
    """

    front_end = "turning"

    query = traitlets.Instance(Tensor, read_only=True)
    key = traitlets.Instance(Tensor, read_only=True)
    place = traitlets.Int(read_only=True)
    angle = traitlets.Float(read_only=True)
    scores = traitlets.Instance(Tensor, read_only=True)
    weights = traitlets.Instance(Tensor, read_only=True)

    def __init__(
        self,
        query: Float[Tensor, " 2"] | Sequence[float],
        key: Float[Tensor, " 2"] | Sequence[float],
        *,
        place: int = 0,
        angle: float = 30.0,
        goal: Goal | None = None,
    ) -> None:
        if not 0 <= place < _PLACES:
            raise ValueError(f"place is {place}, but the positions go from 0 to {_PLACES - 1}")
        if not 0 <= angle <= _WIDEST:
            raise ValueError(f"angle is {angle:g}, but it must be between 0 and {_WIDEST:g}")
        start: Place = {
            "query": points.points("query", query, many=False),
            "key": points.points("key", key, many=False),
            "place": place,
            "angle": float(angle),
        }
        self._names = [f"{distance} back" for distance in range(_PLACES)]
        super().__init__(start, points.limit(None, start["query"], start["key"][None]), goal)

    def setup(self) -> dict[str, Any]:
        return {
            "names": self._names,
            "widest": _WIDEST,
            "start": self.as_json(self._start),
            "goal": self._pursuit and self._pursuit.goal.rules(self._names),
        }

    def static_html(self) -> str:
        keys = [
            (str(place), turned(self.key, self.angle * place).tolist(), LIGHT.key)
            for place in range(self.place + 1)
        ]
        asks = ("q", turned(self.query, self.angle * self.place).tolist(), LIGHT.query)
        rows = [
            [name, str(self.place - d), f"{self.angle * d:g}°", f"{score:.2f}", f"{weight:.2f}"]
            for d, (name, score, weight) in enumerate(
                zip(self._names, self.scores.tolist(), self.weights.tolist(), strict=True)
            )
            if d <= self.place
        ]
        heads = ["the key", "at position", "rotated apart by", "q · k", "weight"]
        return plane([*keys, asks], self._limit) + table(heads, rows)

    def __repr__(self) -> str:
        scores = ", ".join(f"{score:.2f}" for score in self.scores.tolist()[: self.place + 1])
        return f"Turning(place={self.place}, angle={self.angle:g}, scores by distance: {scores})"

    def _measure(self) -> None:
        """Rotate both by their positions, and multiply: no shortcut."""
        asks = turned(self.query, self.angle * self.place)
        places = [self.place - distance for distance in range(len(self._names))]
        scores = torch.stack([turned(self.key, self.angle * place) @ asks for place in places])
        seen = torch.tensor([place >= 0 for place in places])
        self.set_trait("scores", scores)
        self.set_trait("weights", softmax(scores.masked_fill(~seen, -math.inf)))


def turned(point: Float[Tensor, " 2"], degrees: float) -> Float[Tensor, " 2"]:
    """Rotate a point of the plane anticlockwise about the origin."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return torch.stack([point[0] * cos - point[1] * sin, point[0] * sin + point[1] * cos])
