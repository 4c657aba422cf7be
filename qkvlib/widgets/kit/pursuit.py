"""What a page says of a goal, kept as this learner's progress; `pursuit.js` judges it."""

from __future__ import annotations

from typing import Any

from qkvlib.learner import progress
from qkvlib.widgets.kit.goals import Goal


class Pursuit:
    """What a widget remembers of its goal: whether it is met, and which ways to it were found.

    A goal stays met until Reset. From the first time on everything is free to move.
    """

    def __init__(self, goal: Goal) -> None:
        self.goal = goal
        self.met = self.free = False
        before = progress.recall("ways", goal.name) if goal.ways else None
        self.found = sorted(i for i in before or [] if i in range(len(goal.ways)))

    def receive(self, told: dict[str, Any]) -> None:
        """How far one has come in a page."""
        self.free |= told["free"]
        if told["met"] and not self.met:
            self.goal.record()
        self.met = told["met"]
        if found := {*told["found"]} - {*self.found}:
            self.found = sorted({*self.found, *found})
            progress.record("ways", self.goal.name, self.found)

    def told(self) -> dict[str, Any]:
        """For a page that opens."""
        return {"met": self.met, "free": self.free, "found": self.found}
