"""What widgets share whose numbers all follow from a few that a hand moves; `local.js` in a page.

Such a widget says what can be moved (`_MOVABLE`), what else a lesson may assign (`_GIVEN`), how an
edit is meant (`_edited`) and what follows (`_measure`). Here is the rest: moving several at once,
Undo and Reset, assignments from Python, and the goal.
"""

from __future__ import annotations

from typing import Any, ClassVar

from torch import Tensor

from qkvlib.widgets.kit import points
from qkvlib.widgets.kit.goals import Goal, Standing, same
from qkvlib.widgets.kit.history import History
from qkvlib.widgets.kit.pursuit import Pursuit
from qkvlib.widgets.kit.widget import Widget

# Everything that can be moved, by name: what Undo takes back and a page is told of.
Place = dict[str, Any]


class Moved(Widget):
    """A widget of arrows and a few other things that a hand, or a cell, can move."""

    _MOVABLE: ClassVar[tuple[str, ...]]
    _GIVEN: ClassVar[tuple[str, ...]] = ()

    _names: list[str]
    _limit: float
    weights: Any

    def __init__(self, start: Place, goal: Goal | None) -> None:
        """`start` is where Reset goes back to, checked already."""
        super().__init__()
        self._start = start
        self._pursuit = Pursuit(goal) if goal else None
        self._history: History[Place] = History()
        self._moving = False
        self._measured: Place = {}
        self.observe(self._moved_from_python, [*self._MOVABLE, *self._GIVEN])

    def carry_out(self, request: dict[str, Any]) -> None:
        if edit := request.get("edit"):
            self._history.remember(self._now(), request["gesture"])
            self._place(self._edited(edit))
        elif request["do"] == "undo":
            if before := self._history.back():
                self._place(before)
        elif request["do"] == "reset":
            self._history.remember(self._now(), "reset")
            if self._pursuit:
                self._pursuit.again()
            self._place(self._start)

    def _edited(self, edit: dict[str, Any]) -> Place:
        """What a page's edit moves, as it is meant here."""
        return edit

    def _arrows(self) -> tuple[Tensor, Tensor]:
        """The query and all the keys, which have to find room in the plane."""
        raise NotImplementedError

    def _measure(self) -> None:
        """Everything that follows from what can be moved."""
        raise NotImplementedError

    def _now(self) -> Place:
        return {name: getattr(self, name) for name in self._MOVABLE}

    def _place(self, place: Place) -> None:
        """Move everything at once, and measure once; whoever asked shows the result."""
        self._moving = True
        try:
            with self.hold_trait_notifications():
                for name, value in place.items():
                    setattr(self, name, value)
                self._follow()
        finally:
            self._moving = False

    def _moved_from_python(self, change: Any) -> None:
        """A cell, or an observer of one that has just heard of a move, has assigned something."""
        with self.lock:
            if all(map(same, self._measured.values(), self._all().values())):
                return
            with self.hold_trait_notifications():
                self._follow()
            self._limit = points.grown(self._limit, *self._arrows())
            if not self._moving:
                self.push()

    def _all(self) -> Place:
        return {name: getattr(self, name) for name in (*self._MOVABLE, *self._GIVEN)}

    def _follow(self) -> None:
        self._measured = self._all()
        self._measure()
        if self._pursuit:
            goal = self._pursuit.goal
            now, then = self._of_a_goal(self._now()), self._of_a_goal(self._start)
            self._pursuit.judge(self._standing(goal, now, then), goal.kept(now, then))

    def _of_a_goal(self, place: Place) -> Place:
        """What can be moved, by the names that goals use."""
        return place

    def _standing(self, goal: Goal, now: Place, then: Place) -> Standing:
        return goal.broken(now, then) or goal.standing(self.weights[None], self._names)
