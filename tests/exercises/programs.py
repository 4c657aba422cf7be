"""A program of the bank on its way through many cases, judged as a learner's would be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from qkvlib.calling.call import Raised, Returned, call, call_own
from qkvlib.checking.cases import DrawnCases
from qkvlib.checking.verdicts import complaint

# The one exercise with a loop that a mutant can make endless, and how long a call may take there.
ENDLESS, SECONDS = "greedy_decode", 0.5


@dataclass
class Program:
    """One program on its way through the seeds: those that took it for right, those that did not.

    `first` is the case that caught it last: mostly it does so again. The cases in which it did not
    end are tried last, because that takes long.
    """

    what: str
    run: Callable[..., Any]
    seconds: float | None = None
    first: int = 0
    endless: set[int] = field(default_factory=set)
    accepted: list[int] = field(default_factory=list)
    refused: list[int] = field(default_factory=list)

    def meet(self, drawn: DrawnCases) -> None:
        """Have the cases of a seed judge it."""
        order = range(len(drawn.cases))
        order = sorted(order, key=lambda i: (i in self.endless, i != self.first))
        is_caught = any(self._is_caught_by(drawn, i) for i in order)
        (self.refused if is_caught else self.accepted).append(drawn.seed)

    def _is_caught_by(self, drawn: DrawnCases, i: int) -> bool:
        inputs = drawn.cases[i].inputs
        # This call costs less, and leaves out only the limit, and whether the inputs are as they
        # were.
        if self.seconds is None and _is_wrong(drawn, i, call_own(self.run, inputs)):
            self.first = i
            return True
        reply = call(self.run, inputs, self.seconds)
        if not _is_wrong(drawn, i, reply):
            return False
        if getattr(reply, "kind", "") == "TookTooLong":
            self.endless.add(i)
        else:
            self.first = i
        return True


def _is_wrong(drawn: DrawnCases, i: int, reply: Returned | Raised) -> bool:
    return isinstance(reply, Raised) or complaint(drawn, i, reply) is not None
