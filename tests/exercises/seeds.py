"""Whether a verdict hangs on the seed: the grader draws its own, and each must judge alike.

Right answers, mistakes and mutants are tried on all the seeds. The cases of a seed are drawn once
for all the programs of an exercise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from qkvlib.calling import Raised, Returned, call, call_own
from qkvlib.checking.cases import DrawnCases, drawn_cases
from qkvlib.checking.verdicts import complaint
from qkvlib.exercises.kit.exercise import Exercise
from tests.exercises import excuses
from tests.exercises.mutants import Mutant, mutants_of

# Only greedy_decode has a loop that a mutant can make endless.
_SECONDS = 0.5
_ENDLESS = "greedy_decode"

HEAD = (
    f"{'exercise':30}{'right answers':>15}{'mistakes':>10}{'mutants':>9}{'seeds':>7}"
    f"{'right refused':>15}{'wrong accepted':>16}"
)


@dataclass
class Program:
    """One program on its way through the seeds: those that took it for right, those that did not.

    `first` is the case that caught it last: mostly it does so again. The cases in which it did not
    end are tried last, because that takes long.
    """

    what: str
    run: Callable[..., Any]
    is_right: bool = False
    first: int = 0
    endless: set[int] = field(default_factory=set)
    accepted: list[int] = field(default_factory=list)
    refused: list[int] = field(default_factory=list)

    def meet(self, drawn: DrawnCases) -> None:
        """Have the cases of a seed judge it."""
        if self._caught_by(drawn) is None:
            self.accepted.append(drawn.seed)
        else:
            self.refused.append(drawn.seed)

    def _caught_by(self, drawn: DrawnCases) -> int | None:
        order = range(len(drawn.cases))
        for i in sorted(order, key=lambda i: (i in self.endless, i != self.first)):
            if self._is_caught_by(drawn, i):
                return i
        return None

    def _is_caught_by(self, drawn: DrawnCases, i: int) -> bool:
        inputs = drawn.cases[i].inputs
        if drawn.exercise.name != _ENDLESS or self.is_right:
            # This call costs less, and leaves out only whether the inputs are as they were.
            if _is_wrong(drawn, i, call_own(self.run, inputs)):
                self.first = i
                return True
            reply = call(self.run, inputs, None)
        else:
            reply = call(self.run, inputs, _SECONDS)
        if not _is_wrong(drawn, i, reply):
            return False
        if getattr(reply, "kind", "") == "TookTooLong":
            self.endless.add(i)
        else:
            self.first = i
        return True


def _is_wrong(drawn: DrawnCases, i: int, reply: Returned | Raised) -> bool:
    return isinstance(reply, Raised) or complaint(drawn, i, reply) is not None


@dataclass(frozen=True)
class Tried:
    """The programs of an exercise, when they have met all the seeds."""

    exercise: str
    seeds: int
    right: tuple[Program, ...]
    mistakes: tuple[Program, ...]
    mutants: tuple[Program, ...]

    def __str__(self) -> str:
        refused, accepted = self.refused, self.accepted
        tried = (
            f"{self.exercise:30}{len(self.right):15}{len(self.mistakes):10}{len(self.mutants):9}"
            f"{self.seeds:7}{len(refused):15}{len(accepted):16}"
        )
        return "\n".join([
            tried,
            *(f"  {one.what} is refused on {_some(one.refused)}" for one in refused),
            *(f"  {one.what} is accepted on {_some(one.accepted)}" for one in accepted),
        ])  # fmt: skip

    @property
    def refused(self) -> list[Program]:
        """The right answers that a seed refuses."""
        return [one for one in self.right if one.refused]

    @property
    def accepted(self) -> list[Program]:
        """The mistakes and the mutants that a seed takes for right."""
        return [one for one in self.mistakes + self.mutants if one.accepted]


def _some(seeds: list[int]) -> str:
    return f"{len(seeds)} seed{'s' * (len(seeds) != 1)}, first {seeds[0]}"


def tried_on(exercise: Exercise, seeds: Sequence[int]) -> Tried:
    """All the programs of an exercise on all the seeds, one seed after the other."""
    answers = (exercise.reference, *exercise.alternatives)
    right = tuple(Program(answer.__name__, answer, is_right=True) for answer in answers)
    mistakes = tuple(Program(known.name, known.program) for known in exercise.mistakes)
    mutants = tuple(
        Program(f"{mutant.origin} with {mutant.after!r}", mutant.program)
        for mutant in changed_mutants(exercise)
    )
    for seed in seeds:
        drawn = drawn_cases(exercise.name, seed)
        for program in right + mistakes + mutants:
            program.meet(drawn)
    return Tried(exercise.name, len(seeds), right, mistakes, mutants)


def changed_mutants(exercise: Exercise) -> Iterator[Mutant]:
    """The mutants that change something."""
    excused = excuses.excuses_of(exercise.name)
    for mutant in mutants_of(exercise):
        if not any(excuse.holds_for(mutant) for excuse in excused):
            yield mutant
