"""A soft lookup to move: the query chooses, and the blend moves among the values."""

from __future__ import annotations

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
from qkvlib.widgets.soft_lookup.still import blend, written

_MOVABLE = ("query", "keys", "temperature", "hard")

# Ready-made lookups, by name, so that a lesson's cell need only give the name. The first is the first widget
# in the course with an attention lookup: a word asks, three words can answer, and the output says which of
# them it means. The numbers are made up.
PRESETS: dict[str, dict[str, Any]] = {
    "first": {
        "query": [1.1, 0.9],
        "keys": [[2.0, 0.7], [-0.5, 2.0], [-1.3, -1.5]],
        "values": [[8.0, 1.0], [1.0, 8.0], [1.0, 1.0]],
        "names": ["cat", "milk", "bowl"],
        "query_name": "it",
        "touch": ["query"],
        "axes": ("alive", "drinkable"),
        "sentence": "The cat left the milk in the bowl, because it was",
        "endings": ["full", "sour", "cracked"],
        "invitation": "Drag the blue arrow. “it” asks the other words: whom do I mean?",
    },
}


class SoftLookup(Moved):
    """One query looks up some keys, and what comes back is a blend of their values.

    On the left the query and the keys, on the right the values with the blend among them, and the
    weights between. `query`, `keys`, `values`, `temperature`, `hard`, `scores`, `weights` and
    `output` follow the hand.

        scores  = keys @ query
        weights = softmax(scores / temperature)     hard: 1 for the best key, 0 for the others
        output  = weights @ values
    """

    front_end = "soft_lookup"

    query = traitlets.Instance(Tensor, read_only=True)
    keys = traitlets.Instance(Tensor, read_only=True)
    values = traitlets.Instance(Tensor, read_only=True)
    temperature = traitlets.Float(read_only=True)
    hard = traitlets.Bool(read_only=True)
    scores = traitlets.Instance(Tensor, read_only=True)
    weights = traitlets.Instance(Tensor, read_only=True)
    output = traitlets.Instance(Tensor, read_only=True)

    def __init__(
        self,
        query: Float[Tensor, " 2"] | Sequence[float],
        keys: Float[Tensor, "n 2"] | Sequence[Sequence[float]],
        values: Float[Tensor, "n 2"] | Sequence[Sequence[float]],
        *,
        names: Sequence[str] | None = None,
        query_name: str = "q",
        touch: Sequence[str] = _MOVABLE,
        axes: tuple[str, str] | None = None,
        sentence: str = "",
        endings: Sequence[str] | None = None,
        invitation: str = "",
        limit: float | None = None,
        goal: Goal | None = None,
    ) -> None:
        """`touch` says what a hand may move; `axes` what the values' two numbers mean.

        In a `sentence` the keys' names are marked as strongly as they weigh, and it ends with the
        ending of the key that has most of the weight. The `invitation` stands above everything.
        """
        if strange := set(touch) - set(_MOVABLE):
            raise ValueError(f"touch names {sorted(strange)}: choose among {list(_MOVABLE)}")
        start: Place = {
            "query": points.points("query", query, many=False),
            "keys": points.points("keys", keys, many=True),
            "values": points.points("values", values, many=True),
            "temperature": 1.0,
            "hard": False,
        }
        if len(start["values"]) != len(start["keys"]):
            raise ValueError(
                f"values has {len(start['values'])} rows, but there are {len(start['keys'])} keys with a "
                "value each"
            )
        self._names = points.names(names, len(start["keys"]))
        (self._query_name,) = points.names([query_name], 1)
        self._look = {
            "query_name": self._query_name,
            "touch": list(touch),
            "axes": list(axes) if axes else None,
            "sentence": sentence,
            "endings": list(endings) if endings else None,
            "invitation": invitation,
        }
        super().__init__(start, points.limit(limit, start["query"], start["keys"]), goal)

    @classmethod
    def of(cls, preset: str) -> SoftLookup:
        """Return a ready-made lookup: `SoftLookup.of("first")`."""
        if preset not in PRESETS:
            raise ValueError(f"there is no {preset!r}: choose among {sorted(PRESETS)}")
        return cls(**PRESETS[preset])

    def setup(self) -> dict[str, Any]:
        return {
            **self._look,
            "names": self._names,
            "start": self.as_json(self._start),
            "goal": self._pursuit and self._pursuit.goal.rules(self._names),
        }

    def static_html(self) -> str:
        keys, values, output = self.keys.tolist(), self.values.tolist(), self.output.tolist()
        weights = self.weights.tolist()
        arrows = [(name, key, LIGHT.key) for name, key in zip(self._names, keys, strict=True)]
        asks = (self._query_name, self.query.tolist(), LIGHT.query)
        rows = [
            [name, written(key), f"{weight:.2f}", written(value)]
            for name, key, weight, value in zip(self._names, keys, weights, values, strict=True)
        ]
        rows.append(["the blend", "", f"{sum(weights):.2f}", written(output)])
        return (
            plane([*arrows, asks], self._limit)
            + blend(self._names, values, weights, output)
            + table(["", "key", "weight", "value"], rows)
        )

    def __repr__(self) -> str:
        shares = zip(self._names, self.weights.tolist(), strict=True)
        weights = ", ".join(f"{name}={weight:.2f}" for name, weight in shares)
        return f"SoftLookup({weights}, output={written(self.output.tolist())})"

    def _measure(self) -> None:
        scores = self.keys @ self.query
        weights = softmax(scores / self.temperature)
        if self.hard:
            weights = torch.nn.functional.one_hot(scores.argmax(), len(scores)).to(scores.dtype)
        self.set_trait("scores", scores)
        self.set_trait("weights", weights)
        self.set_trait("output", weights @ self.values)
