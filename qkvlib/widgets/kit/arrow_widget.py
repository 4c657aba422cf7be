"""The base of widgets in which a learner moves a few things and every number follows from them. `program.js`
is its half in the page.

Such a widget names what can be moved (`_MOVABLE`), what else a lesson may assign (`_GIVEN`), and how to
compute the rest (`_measure`). This class handles what a page sends, and assignments from Python.
"""

from __future__ import annotations

from typing import Any, ClassVar

from torch import Tensor

from qkvlib.widgets.kit import points
from qkvlib.widgets.kit.goals import Goal, same
from qkvlib.widgets.kit.pursuit import Pursuit
from qkvlib.widgets.kit.widget import Widget, tidy

# Everything that can be moved, by name.
Place = dict[str, Any]


class Moved(Widget):
    """A widget of arrows and a few other things that a learner or a cell can move."""

    _MOVABLE: ClassVar[tuple[str, ...]]
    _GIVEN: ClassVar[tuple[str, ...]] = ()

    _limit: float

    def __init__(self, start: Place, goal: Goal | None) -> None:
        """`start`, already checked, is the state that Reset goes back to."""
        super().__init__()
        self._start = start
        self._pursuit = Pursuit(goal) if goal else None
        self._measured: Place = {}
        self.observe(self._moved_from_python, [*self._MOVABLE, *self._GIVEN])

    def receive(self, rest: dict[str, Any]) -> bool:
        moved = {name: rest[name] for name in self._MOVABLE if name in rest}
        if self._pursuit:
            self._pursuit.receive(rest["goal"])
        return self._place(moved)

    def as_json(self, place: Place) -> Place:
        """Return what can be moved, as JSON."""
        return {
            name: tidy(value.tolist()) if isinstance(value, Tensor) else value
            for name, value in place.items()
        }

    def pack(self) -> dict[str, Any]:
        with self.lock:
            return {
                **self.as_json(self._all()),
                "limit": self._limit,
                "goal": self._pursuit and self._pursuit.for_page(),
            }

    def _arrows(self) -> tuple[Tensor, Tensor]:
        """Return the query and all the keys: every arrow that has to fit into the plane."""
        raise NotImplementedError

    def _measure(self) -> None:
        """Compute everything that follows from what can be moved."""
        raise NotImplementedError

    def _place(self, place: Place) -> bool:
        """Move everything at once and measure once. Return whether an observer has then moved something
        else."""
        with self.hold_trait_notifications():
            for name, value in place.items():
                setattr(self, name, value)
            self._follow()
            placed = self._measured
        return self._measured is not placed

    def _moved_from_python(self, change: Any) -> None:
        """React to an assignment by a cell, or by an observer that was just notified of a move."""
        with self.lock:
            if all(map(same, self._measured.values(), self._all().values())):
                return
            with self.hold_trait_notifications():
                self._follow()
            self._limit = points.grown(self._limit, *self._arrows())
            self.push()

    def _all(self) -> Place:
        return {name: getattr(self, name) for name in (*self._MOVABLE, *self._GIVEN)}

    def _follow(self) -> None:
        self._measured = self._all()
        self._measure()
