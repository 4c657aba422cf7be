"""How a widget follows one who is after its goal; `pursuit.js` does the same in a page."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from qkvlib.learner import progress
from qkvlib.widgets.kit.goals import Goal, Standing


class Pursuit:
    """What a widget remembers of its goal: whether it is met, and which ways to it were found.

    A goal stays met until Reset. From the first time on everything is free to move.
    """

    def __init__(self, goal: Goal) -> None:
        self.goal = goal
        self.met = self.free = False
        before = progress.recall("ways", goal.name) if goal.ways else None
        self.found = {i for i in before or [] if i in range(len(goal.ways))}
        self.standing = Standing(False, 0.0, "")

    def judge(self, standing: Standing, kept: Collection[str] = ()) -> None:
        """Where one stands after a move, which has left as it was what `kept` names."""
        if self.met:
            return
        self.standing = standing
        if standing.holds and not self._is_a_way_missing(kept):
            self.met = self.free = True
            self.standing = standing.kept()
            self.goal.record()

    def again(self) -> None:
        """From the start, by Reset: what was found stays found."""
        self.met = False

    def shown(self) -> dict[str, Any]:
        """For the page."""
        return {
            **self.standing.shown(self.met),
            "free": self.free,
            "found": sorted(self.found),
        }

    def _is_a_way_missing(self, kept: Collection[str]) -> bool:
        ways = self.goal.ways
        way = next((i for i, way in enumerate(ways) if way.keeps in kept), None)
        if way is not None and way not in self.found:
            self.found.add(way)
            progress.record("ways", self.goal.name, sorted(self.found))
        if len(self.found) == len(ways):
            return False
        words = (
            "It is enough, but you did two things at once. Reset, and do only one of them."
            if way is None
            else f"Found: {ways[way].words}. Reset, and find another way."
        )
        self.standing = Standing(False, self.standing.share, words)
        return True
