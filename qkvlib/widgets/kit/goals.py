"""A goal is data: what to do in words, what must hold, what may be touched, what must stay.

Goal(
    "01-third-key",
    "Make the query prefer the third key, without changing the query's length.",
    conditions=[Prefers(column=2)],
    touch=["query"],
    keep_lengths=True,
)

Goal(
    "03-its-law",
    "Make *its* give most weight to *law*, while *law* does not look at *its*.",
    conditions=[Prefers("law", row="its"), AtMost("its", 0.1, row="law")],
    touch=["w_q", "w_k"],
)

Goal(
    "02-sharper",
    "Move the blue arrow q until law has at least 0.95 of the weight. There are two ways.",
    conditions=[AtLeast("law", 0.95)],
    touch=["query"],
    ways=[Way("by turning q", keeps="lengths"), Way("by making q longer", keeps="directions")],
)
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, Protocol

import torch
from jaxtyping import Float
from torch import Tensor

from qkvlib.figures.words import quoted
from qkvlib.learner import progress


@dataclass(frozen=True)
class Standing:
    """How far a condition or a goal has come: whether it holds, its share of the way, words."""

    holds: bool
    share: float
    words: str

    def shown(self, met: bool) -> dict[str, Any]:
        """For the page's strip; a goal stays met."""
        return {"met": met, "share": self.share, "words": self.words}

    def kept(self) -> Standing:
        """What stands from the moment it is met: its numbers may be others a moment later."""
        return replace(self, words="Now move whatever you like.")


@dataclass(frozen=True, eq=False)
class Seen:
    """What conditions look at: attention weights with named rows and columns, and the loss.

    There is one matrix of weights a head; a row is a query, a column a key.
    """

    weights: Float[Tensor, "h n m"]
    columns: Sequence[str]
    rows: Sequence[str] = ()
    loss: float | None = None

    def row(self, row: int | str, head: int) -> list[float]:
        """The weights that one query gives, named or by its number."""
        return self.weights[head, place(row, self.rows)].tolist()


class Condition(Protocol):
    """Something that must hold for what is seen."""

    def standing(self, seen: Seen) -> Standing: ...


@dataclass(frozen=True)
class Prefers:
    """The row gives more weight to this column than to any other. Names or numbers will do."""

    column: int | str
    row: int | str = 0
    head: int = 0

    def standing(self, seen: Seen) -> Standing:
        row, column = seen.row(self.row, self.head), place(self.column, seen.columns)
        wanted, mine = quoted(seen.columns[column]), row[column]
        rival = max((i for i in range(len(row)) if i != column), key=lambda i: row[i])
        if mine > row[rival]:
            words = f"{wanted} has the most weight, {mine:.2f}."
            return Standing(True, 1.0, _asks(self, seen) + words)
        words = f"{quoted(seen.columns[rival])} has weight {row[rival]:.2f}, {wanted} {mine:.2f}."
        share = mine / row[rival] if row[rival] > 0 else 0.0
        return Standing(False, share, _asks(self, seen) + words)


@dataclass(frozen=True)
class AtLeast:
    """The row gives this column at least so much weight."""

    column: int | str
    weight: float
    row: int | str = 0
    head: int = 0

    def standing(self, seen: Seen) -> Standing:
        mine = seen.row(self.row, self.head)[place(self.column, seen.columns)]
        holds = mine >= self.weight
        told = _told(mine, self.weight, "" if holds else "just under ")
        words = f"{_pair(self, seen)} {told}, at least {self.weight:.2f} is wanted."
        return Standing(holds, min(mine / self.weight, 1.0), words)


@dataclass(frozen=True)
class AtMost:
    """The row gives this column at most so much weight: it looks away."""

    column: int | str
    weight: float
    row: int | str = 0
    head: int = 0

    def standing(self, seen: Seen) -> Standing:
        mine = seen.row(self.row, self.head)[place(self.column, seen.columns)]
        holds = mine <= self.weight
        told = _told(mine, self.weight, "" if holds else "just over ")
        words = f"{_pair(self, seen)} {told}, at most {self.weight:.2f} is wanted."
        return Standing(holds, 1.0 if holds else (1 - mine) / (1 - self.weight), words)


@dataclass(frozen=True)
class LossBelow:
    """The loss is below a bound."""

    bound: float

    def standing(self, seen: Seen) -> Standing:
        if seen.loss is None:
            return Standing(False, 0.0, "There is no loss.")
        words = f"The loss is {seen.loss:.4f}, below {self.bound:g} is wanted."
        return Standing(seen.loss < self.bound, min(self.bound / max(seen.loss, 1e-12), 1), words)


@dataclass(frozen=True)
class Aim:
    """What the goal of every widget has: what to do in words, and the name it is kept under."""

    name: str
    words: str

    def record(self) -> None:
        """Keep that this learner has met the goal."""
        progress.record("goals", self.name, True)

    @property
    def met_before(self) -> bool:
        """Whether this learner has met the goal already, today or on another day."""
        return progress.recall("goals", self.name) is True

    def told(self) -> dict[str, Any]:
        """For a page: under which name it is kept, what to do, and whether that was done before."""
        return {"name": self.name, "words": self.words, "met_before": self.met_before}


@dataclass(frozen=True)
class Way:
    """One of several ways to a goal, told from the others by what it leaves as it was.

    The words say what was done: "by turning q".
    """

    words: str
    keeps: Literal["lengths", "directions"]


@dataclass(frozen=True)
class Goal(Aim):
    """Something to reach with a widget; reaching it is kept as progress under `name`.

    `touch` names what may be moved: the rest is held still until the goal is met. With
    `keep_lengths` a vector can be turned, but not made longer or shorter. A goal with `ways` is met
    when each of them has been found; those found are kept, too.
    """

    conditions: Sequence[Condition]
    touch: Sequence[str]
    keep_lengths: bool = False
    ways: Sequence[Way] = ()

    def standing(
        self,
        weights: Float[Tensor, "*h n m"],
        columns: Sequence[str],
        rows: Sequence[str] = (),
        loss: float | None = None,
    ) -> Standing:
        """All conditions together: the words of the first that does not hold yet."""
        seen = Seen(weights.reshape(-1, *weights.shape[-2:]), columns, rows, loss)
        each = [condition.standing(seen) for condition in self.conditions]
        short = [standing for standing in each if not standing.holds]
        share = sum(standing.share for standing in each) / len(each)
        return Standing(not short, share, short[0].words if short else each[-1].words)

    def rules(self, columns: Sequence[str], rows: Sequence[str] = ()) -> dict[str, Any]:
        """For a page, which can then tell by itself how far one has come: `goals.js`."""
        return {
            **self.told(),
            "touch": list(self.touch),
            "keep_lengths": self.keep_lengths,
            "ways": [asdict(way) for way in self.ways],
            "conditions": packed(self.conditions, columns, rows),
        }

    def broken(self, now: Mapping[str, Any], then: Mapping[str, Any]) -> Standing | None:
        """What stands where something was moved that may not be, from Python or before a Reset.

        Both name what can be moved: "query" and "keys", and what else the widget has.
        """
        for name, words in _NOT_AS_IT_WAS.items():
            if name in now and name not in self.touch and not same(now[name], then[name]):
                return Standing(False, 0.0, f"{words} Reset to try for the goal.")
        if self.keep_lengths:
            lengths, were = (_arrows(each).norm(dim=-1) for each in (now, then))
            if not torch.allclose(lengths, were, rtol=1e-3):
                return Standing(False, 0.0, "A length has changed. Reset to try for the goal.")
        return None

    def kept(self, now: Mapping[str, Any], then: Mapping[str, Any]) -> list[str]:
        """What of all arrows is nearly as it was: lengths, directions, or both."""
        arrows, before = _arrows(now), _arrows(then)
        lengths, were = arrows.norm(dim=-1), before.norm(dim=-1)
        along = (arrows * before).sum(dim=-1)
        names = []
        if ((lengths - were).abs() <= _LENGTH_STAYS * were).all():
            names.append("lengths")
        if (along >= math.cos(math.radians(_DIRECTION_STAYS)) * lengths * were).all():
            names.append("directions")
        return names


_NOT_AS_IT_WAS = {
    "query": "The query is not where it was.",
    "keys": "The keys are not where they were.",
    "temperature": "The temperature is not what it was.",
    "hard": "The lookup is not of the kind it was.",
    "place": "The query does not stand where it stood.",
    "angle": "The angle is not what it was.",
}
# A free hand leaves nothing exactly as it was.
_LENGTH_STAYS = 0.1  # of the length
_DIRECTION_STAYS = 5.0  # degrees


def packed(
    conditions: Sequence[Condition], columns: Sequence[str], rows: Sequence[str]
) -> list[dict[str, Any]] | None:
    """The conditions for goals.js, rows and columns by their numbers; None if it lacks a kind."""
    found = []
    for condition in conditions:
        if not isinstance(condition, Prefers | AtLeast | AtMost | LossBelow):
            return None
        data = {"kind": type(condition).__name__, **asdict(condition)}
        for part, names in (("row", rows), ("column", columns)):
            if part in data:
                data[part] = place(data[part], names)
        found.append(data)
    return found


def place(name: int | str, names: Sequence[str]) -> int:
    """The index of a row or column, given its name or its number."""
    if isinstance(name, int):
        return name
    if name not in names:
        raise ValueError(f"there is no {name!r} among {list(names)}: name one of these")
    return list(names).index(name)


def _arrows(points: Mapping[str, Any]) -> Float[Tensor, "n 2"]:
    return torch.cat([points["query"][None], points["keys"]])


def same(one: Any, other: Any) -> bool:
    return torch.equal(one, other) if isinstance(one, Tensor) else bool(one == other)


def _asks(condition: Prefers, seen: Seen) -> str:
    """Who looks, where there are several who do."""
    return f"When {_who(condition, seen)} looks: " if seen.rows else ""


def _told(mine: float, bound: float, edge: str) -> str:
    """A weight in words: where it only looks like its bound, with the side on which it is."""
    return f"{edge if f'{mine:.2f}' == f'{bound:.2f}' else ''}{mine:.2f}"


def _pair(condition: AtLeast | AtMost, seen: Seen) -> str:
    whom = quoted(seen.columns[place(condition.column, seen.columns)])
    return f"{_who(condition, seen) if seen.rows else 'The query'} gives {whom}"


def _who(condition: Prefers | AtLeast | AtMost, seen: Seen) -> str:
    return quoted(seen.rows[place(condition.row, seen.rows)])
