"""Record what a page reports about a goal as this learner's progress; `pursuit.js` judges it."""

from __future__ import annotations

from typing import Any

from qkvlib.learner import progress
from qkvlib.widgets.kit.goals import Goal


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
