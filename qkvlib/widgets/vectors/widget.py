"""Vectors in the plane to move, with all their numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch
import traitlets
from jaxtyping import Float
from torch import Tensor

from qkvlib.attention import cosine_similarity, softmax
from qkvlib.figures.still import plane, table
from qkvlib.figures.theme import LIGHT
from qkvlib.widgets.kit import points
from qkvlib.widgets.kit.arrow_widget import Moved
from qkvlib.widgets.kit.goals import Goal


class Vectors(Moved):
    """A query and up to five keys in the plane: drag a tip and watch all their numbers change.

    For each key it shows the dot product with the query, the cosine, the angle, the length and the
    softmax weight. `query`, `keys`, `scores`, `cosines` and `weights` are tensors, and follow the
    hand. No hand makes an arrow longer than `limit`. With `regions` the plane shows
    where each key would win.

        scores[j] = keys[j] @ query
        weights   = softmax(scores)
    """

    front_end = "vectors"

    query = traitlets.Instance(Tensor, read_only=True)
    keys = traitlets.Instance(Tensor, read_only=True)
    scores = traitlets.Instance(Tensor, read_only=True)
    cosines = traitlets.Instance(Tensor, read_only=True)
    weights = traitlets.Instance(Tensor, read_only=True)

    def __init__(
        self,
        query: Float[Tensor, " 2"] | Sequence[float],
        keys: Float[Tensor, "n 2"] | Sequence[Sequence[float]],
        *,
        names: Sequence[str] | None = None,
        limit: float | None = None,
        regions: bool = False,
        goal: Goal | None = None,
    ) -> None:
        start = {
            "query": points.points("query", query, many=False),
            "keys": points.points("keys", keys, many=True),
        }
        self._names = points.names(names, len(start["keys"]))
        self._regions = regions
        super().__init__(start, points.limit(limit, **start), goal)

    def setup(self) -> dict[str, Any]:
        return {
            "names": self._names,
            "regions": self._regions,
            "start": self.as_json(self._start),
            "goal": self._pursuit and self._pursuit.goal.rules(self._names),
        }

    def static_html(self) -> str:
        query, keys = self.query.tolist(), self.keys.tolist()
        arrows = [(name, key, LIGHT.key) for name, key in zip(self._names, keys, strict=True)]
        columns = zip(
            self._names,
            [f"({x:.2f}, {y:.2f})" for x, y in keys],
            *(
                [f"{number:.2f}" for number in numbers.tolist()]
                for numbers in (self.scores, self.cosines, self.weights)
            ),
            strict=True,
        )
        heads = ["key", "(x, y)", "q · key", "cosine", "weight"]
        return plane([*arrows, ("q", query, LIGHT.query)], self._limit) + table(heads, [*columns])

    def __repr__(self) -> str:
        rows = zip(["query", *self._names], [self.query, *self.keys], strict=True)
        return f"Vectors({', '.join(f'{name}=({x:.2f}, {y:.2f})' for name, (x, y) in rows)})"

    def _measure(self) -> None:
        scores = self.keys @ self.query
        lengths = self.keys.norm(dim=-1) * self.query.norm()
        cosines = cosine_similarity(self.query[None], self.keys)[0]
        self.set_trait("scores", scores)
        self.set_trait("weights", softmax(scores))
        # A vector without length has no direction.
        self.set_trait("cosines", torch.where(lengths > 0, cosines, math.nan))
