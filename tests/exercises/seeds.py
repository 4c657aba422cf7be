"""Test that no verdict depends on the seed, because the grader draws a new one each time.

Right answers, mistakes and mutants run on all the seeds. Each seed's cases are drawn only once for
all programs of an exercise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from qkvlib.checking.cases import drawn_cases
from qkvlib.exercises.kit.exercise import Exercise
from tests.exercises import excuses
from tests.exercises.mutants import Mutant, mutants_of
from tests.exercises.programs import ENDLESS, SECONDS, Program

HEAD = (
    f"{'exercise':30}{'right answers':>15}{'mistakes':>10}{'mutants':>9}{'seeds':>7}"
    f"{'right refused':>15}{'wrong accepted':>16}"
)


@dataclass(frozen=True)
class Tried:
    """The programs of an exercise after they have run on all the seeds."""

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
        return "\n".join(
            [
                tried,
                *(f"  {one.what} is refused on {_some(one.refused)}" for one in refused),
                *(f"  {one.what} is accepted on {_some(one.accepted)}" for one in accepted),
            ]
        )

    @property
    def refused(self) -> list[Program]:
        """Return the right answers that some seed refuses."""
        return [one for one in self.right if one.refused]

    @property
    def accepted(self) -> list[Program]:
        """Return the mistakes and the mutants that some seed accepts."""
        return [one for one in self.mistakes + self.mutants if one.accepted]


def _some(seeds: list[int]) -> str:
    return f"{len(seeds)} seed{'s' * (len(seeds) != 1)}, first {seeds[0]}"


def tried_on(exercise: Exercise, seeds: Sequence[int]) -> Tried:
    """Run all the programs of an exercise on all the seeds, one seed after another."""
    answers = (exercise.reference, *exercise.alternatives)
    right = tuple(Program(answer.__name__, answer) for answer in answers)
    limit = SECONDS if exercise.name == ENDLESS else None
    mistakes = tuple(Program(known.name, known.program, limit) for known in exercise.mistakes)
    mutants = tuple(
        Program(f"{mutant.origin} with {mutant.after!r}", mutant.program, limit)
        for mutant in changed_mutants(exercise)
    )
    for seed in seeds:
        drawn = drawn_cases(exercise.name, seed)
        for program in right + mistakes + mutants:
            program.meet(drawn)
    return Tried(exercise.name, len(seeds), right, mistakes, mutants)


def changed_mutants(exercise: Exercise) -> Iterator[Mutant]:
    """Yield the mutants that are not equal to the right answer."""
    excused = excuses.excuses_of(exercise.name)
    for mutant in mutants_of(exercise):
        if not any(excuse.holds_for(mutant) for excuse in excused):
            yield mutant
