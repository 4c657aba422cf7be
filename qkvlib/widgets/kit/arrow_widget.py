"""The base of widgets in which a learner moves a few things and every number follows from them. `program.js`
is its half in the page.

Such a widget says what it starts with, and how to compute the rest (`_measure`). This class receives what a
hand has moved in the page.
"""

from __future__ import annotations

from typing import Any

from torch import Tensor

from qkvlib.learner import progress
from qkvlib.widgets.kit import points
from qkvlib.widgets.kit.goals import Goal
from qkvlib.widgets.kit.widget import Widget, tidy

# Everything that the numbers follow from, by name.
Place = dict[str, Any]


class Pursuit:
    """A widget's progress towards its goal: whether it is met, and which ways to it were found.

    A goal stays met until Reset. Once it has been met for the first time, everything can be moved.
    """

    def __init__(self, goal: Goal) -> None:
        self.goal = goal
        self.met = self.free = False
        before = progress.recall("ways", goal.name) if goal.ways else None
        self.found = sorted(i for i in before or [] if i in range(len(goal.ways)))

    def receive(self, told: dict[str, Any]) -> None:
        """Take in the progress that a page reports."""
        self.free |= told["free"]
        if told["met"] and not self.met:
            self.goal.record()
        self.met = told["met"]
        if found := {*told["found"]} - {*self.found}:
            self.found = sorted({*self.found, *found})
            progress.record("ways", self.goal.name, self.found)

    def for_page(self) -> dict[str, Any]:
        """Return the progress for a page that opens."""
        return {"met": self.met, "free": self.free, "found": self.found}


class Moved(Widget):
    """A widget of arrows and a few other things that a learner can move."""

    def __init__(self, start: Place, limit: float, goal: Goal | None) -> None:
        """`start`, already checked, is what Reset goes back to; no arrow gets longer than `limit`."""
        super().__init__()
        self._start, self._limit = start, limit
        self._pursuit = Pursuit(goal) if goal else None
        self._go(start)

    def receive(self, rest: dict[str, Any]) -> bool:
        moved = {name: self._checked(name, rest[name]) for name in self._start if name in rest}
        if self._pursuit:
            self._pursuit.receive(rest["goal"])
        self._go(moved)
        return False

    def as_json(self, place: Place) -> Place:
        """Return a state as JSON."""
        return {
            name: tidy(value.tolist()) if isinstance(value, Tensor) else value
            for name, value in place.items()
        }

    def pack(self) -> dict[str, Any]:
        with self.lock:
            return {
                **self.as_json({name: getattr(self, name) for name in self._start}),
                "limit": self._limit,
                "goal": self._pursuit and self._pursuit.for_page(),
            }

    def _measure(self) -> None:
        """Compute everything that follows from what can be moved."""
        raise NotImplementedError

    def _checked(self, name: str, value: Any) -> Any:
        start = self._start[name]
        return points.points(name, value, many=start.ndim > 1) if isinstance(start, Tensor) else value

    def _go(self, moved: Place) -> None:
        """Move everything at once, and compute once."""
        with self.hold_trait_notifications():
            for name, value in moved.items():
                self.set_trait(name, value)
            self._measure()
