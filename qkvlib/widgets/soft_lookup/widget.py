"""A soft lookup to move: the query chooses, and the blend moves among the values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
import traitlets
from jaxtyping import Float
from torch import Tensor

from qkvlib.attention import softmax
from qkvlib.widgets.kit import points
from qkvlib.widgets.kit.arrow_widget import Moved, Place
from qkvlib.widgets.kit.goals import Goal
from qkvlib.widgets.soft_lookup import presets, still

_COLDEST, _HOTTEST = 0.05, 20.0
_MOVABLE = ("query", "keys", "temperature", "hard")


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
            "coldest": _COLDEST,
            "hottest": _HOTTEST,
        }
        super().__init__(start, points.limit(limit, start["query"], start["keys"]), goal)

    @classmethod
    def of(cls, preset: str) -> SoftLookup:
        """Return a ready-made lookup: `SoftLookup.of("first")`."""
        if preset not in presets.PRESETS:
            raise ValueError(f"there is no {preset!r}: choose among {sorted(presets.PRESETS)}")
        return cls(**presets.PRESETS[preset])

    def setup(self) -> dict[str, Any]:
        return {
            **self._look,
            "names": self._names,
            "start": self.as_json(self._start),
            "goal": self._pursuit and self._pursuit.goal.rules(self._names),
        }

    def static_html(self) -> str:
        return still.picture(self, self._names, self._query_name, self._limit)

    def __repr__(self) -> str:
        shares = zip(self._names, self.weights.tolist(), strict=True)
        x, y = self.output.tolist()
        weights = ", ".join(f"{name}={weight:.2f}" for name, weight in shares)
        return f"SoftLookup({weights}, output=({x:.2f}, {y:.2f}))"

    def _measure(self) -> None:
        scores = self.keys @ self.query
        weights = softmax(scores / self.temperature)
        if self.hard:
            weights = torch.nn.functional.one_hot(scores.argmax(), len(scores)).to(scores.dtype)
        self.set_trait("scores", scores)
        self.set_trait("weights", weights)
        self.set_trait("output", weights @ self.values)
