"""The base of widgets in which a learner moves a few things and every number follows from them. `program.js`
is its half in the page.

Such a widget says what it starts with, and how to compute the rest (`_measure`). This class receives what a
hand has moved in the page.
"""

from __future__ import annotations

from typing import Any

from torch import Tensor

from qkvlib.widgets.kit import points
from qkvlib.widgets.kit.goals import Goal
from qkvlib.widgets.kit.pursuit import Pursuit
from qkvlib.widgets.kit.widget import Widget, tidy

# Everything that the numbers follow from, by name.
Place = dict[str, Any]


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
