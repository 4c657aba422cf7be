"""Run a program of the bank through many cases, and judge it as a learner's program."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from qkvlib.calling.call import Raised, Returned, call, call_own
from qkvlib.checking.cases import DrawnCases
from qkvlib.checking.verdicts import complaint

# The only exercise with a loop that a mutant can make endless, and the time limit for a call there.
ENDLESS, SECONDS = "greedy_decode", 0.5


@dataclass
class Program:
    """One program, and the seeds that have judged it so far: those that accept it, those that refuse it.

    `first` is the case that caught it last, tried first because it usually does so again. The cases in
    which it did not end are tried last, because they take long.
    """

    what: str
    run: Callable[..., Any]
    seconds: float | None = None
    first: int = 0
    endless: set[int] = field(default_factory=set)
    accepted: list[int] = field(default_factory=list)
    refused: list[int] = field(default_factory=list)

    def meet(self, drawn: DrawnCases) -> None:
        """Judge it on the cases of one seed."""
        order = range(len(drawn.cases))
        order = sorted(order, key=lambda i: (i in self.endless, i != self.first))
        is_caught = any(self._is_caught_by(drawn, i) for i in order)
        (self.refused if is_caught else self.accepted).append(drawn.seed)

    def _is_caught_by(self, drawn: DrawnCases, i: int) -> bool:
        inputs = drawn.cases[i].inputs
        # This call costs less: it only omits the time limit and the check whether the inputs have
        # changed.
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
