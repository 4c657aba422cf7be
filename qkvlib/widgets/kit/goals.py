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

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from qkvlib.learner import progress


@dataclass(frozen=True)
class Prefers:
    """The row gives more weight to this column than to any other. Use names or numbers."""

    column: int | str
    row: int | str = 0
    head: int = 0


@dataclass(frozen=True)
class AtLeast:
    """The row gives this column at least this much weight."""

    column: int | str
    weight: float
    row: int | str = 0
    head: int = 0


@dataclass(frozen=True)
class AtMost:
    """The row gives this column at most this much weight."""

    column: int | str
    weight: float
    row: int | str = 0
    head: int = 0


@dataclass(frozen=True)
class LossBelow:
    """The loss is below a bound."""

    bound: float


Condition = Prefers | AtLeast | AtMost | LossBelow


@dataclass(frozen=True)
class Aim:
    """The part that every widget's goal has: what to do, in words, and the name under which it is
    recorded."""

    name: str
    words: str

    def record(self) -> None:
        """Keep that this learner has met the goal."""
        progress.record("goals", self.name, True)

    @property
    def met_before(self) -> bool:
        """Tell whether this learner has met the goal before, today or on another day."""
        return progress.recall("goals", self.name) is True

    def for_page(self) -> dict[str, Any]:
        """Return what a page needs: everything that the goal says, and whether it has been met before."""
        return {**asdict(self), "met_before": self.met_before}


@dataclass(frozen=True)
class Way:
    """One of several ways to a goal, recognised by what it leaves unchanged.

    `words` says what the learner did: "by turning q".
    """

    words: str
    keeps: Literal["lengths", "directions"]


@dataclass(frozen=True)
class Goal(Aim):
    """Something to reach with a widget; reaching it is recorded as progress under `name`.

    `touch` names what may be moved; everything else is locked until the goal is met. With `keep_lengths` a
    vector can be turned, but not made longer or shorter. A goal with `ways` is met once every way has been
    found, and the ways that were found are recorded, too.
    """

    conditions: Sequence[Condition]
    touch: Sequence[str]
    keep_lengths: bool = False
    ways: Sequence[Way] = ()

    def rules(self, columns: Sequence[str], rows: Sequence[str] = ()) -> dict[str, Any]:
        """Return the goal's rules, from which a page can judge it by itself: `goals.js`."""
        conditions = [_packed(condition, columns, rows) for condition in self.conditions]
        return {**self.for_page(), "conditions": conditions}


def _packed(condition: Condition, columns: Sequence[str], rows: Sequence[str]) -> dict[str, Any]:
    """Return a condition for goals.js, with its row and column as numbers."""
    data = {"kind": type(condition).__name__, **asdict(condition)}
    for part, names in (("row", rows), ("column", columns)):
        if part in data:
            data[part] = place(data[part], names)
    return data


def place(name: int | str, names: Sequence[str]) -> int:
    """Return the index of a row or column, given its name or its number."""
    if isinstance(name, int):
        return name
    if name not in names:
        raise ValueError(f"there is no {name!r} among {list(names)}: name one of these")
    return list(names).index(name)
