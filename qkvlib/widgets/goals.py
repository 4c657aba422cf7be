"""A goal is data: what to do in words, what must hold, what may be touched, what must stay.

Goal(
    "01-third-key",
    "Make the query prefer the third key, without changing the query's length.",
    conditions=[Prefers(column=2)],
    touch=["query"],
    keep_lengths=True,
)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from jaxtyping import Float
from torch import Tensor

from qkvlib import progress


@dataclass(frozen=True)
class Standing:
    """How far a condition has come: whether it holds, the share of the way there, and words."""

    holds: bool
    share: float
    words: str


class Condition(Protocol):
    """Something that must hold for attention weights, one row a query, one column a key."""

    def standing(self, weights: Float[Tensor, "n m"], columns: Sequence[str]) -> Standing: ...


@dataclass(frozen=True)
class Prefers:
    """The row gives more weight to this column than to any other."""

    column: int
    row: int = 0

    def standing(self, weights: Float[Tensor, "n m"], columns: Sequence[str]) -> Standing:
        row = weights[self.row].tolist()
        wanted, mine = columns[self.column], row[self.column]
        rival = max((i for i in range(len(row)) if i != self.column), key=lambda i: row[i])
        if mine > row[rival]:
            return Standing(True, 1.0, f"{wanted} has the most weight, {mine:.2f}.")
        words = f"{columns[rival]} has weight {row[rival]:.2f}, {wanted} {mine:.2f}."
        return Standing(False, mine / row[rival] if row[rival] > 0 else 0.0, words)


@dataclass(frozen=True)
class Goal:
    """Something to reach with a widget; reaching it is kept as progress under `name`.

    `touch` names what may be moved: the rest is held still until the goal is met. With
    `keep_lengths` a vector can be turned, but not made longer or shorter.
    """

    name: str
    words: str
    conditions: Sequence[Condition]
    touch: Sequence[str]
    keep_lengths: bool = False

    def standing(self, weights: Float[Tensor, "n m"], columns: Sequence[str]) -> Standing:
        """All conditions together: the words of the first that does not hold yet."""
        each = [condition.standing(weights, columns) for condition in self.conditions]
        short = [standing for standing in each if not standing.holds]
        share = sum(standing.share for standing in each) / len(each)
        return Standing(not short, share, short[0].words if short else each[-1].words)

    def record(self) -> None:
        """Keep that this learner has met the goal."""
        progress.record("goals", self.name, True)

    @property
    def met_before(self) -> bool:
        """Whether this learner has met the goal already, today or on another day."""
        return progress.recall("goals", self.name) is True
