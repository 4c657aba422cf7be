"""Whether a verdict hangs on the seed: the grader draws its own, and each must judge alike.

Right answers and mistakes are tried on all the seeds, and the mutants, of which there are twenty
times as many, on every fifth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from qkvlib.calling import call
from qkvlib.checking.cases import drawn_cases
from qkvlib.checking.verdicts import complaint
from qkvlib.exercises.kit.exercise import Exercise
from tests.exercises import excuses
from tests.exercises.mutants import Mutant, mutants_of, survives

_SECONDS = 0.3
_MOST_ENDLESS = 2  # a program that did not end on so many seeds is not waited for again


def hanging_on_the_seed(exercise: Exercise, seeds: Sequence[int]) -> Iterator[str]:
    """The right answers that a seed refuses; the mistakes and the mutants that one accepts."""
    for answer in (exercise.reference, *exercise.alternatives):
        refused = [seed for seed in seeds if not survives(exercise, answer, seed)]
        if refused:
            yield f"{answer.__name__} is refused on {len(refused)} seeds, first {refused[0]}"
    for known in exercise.mistakes:
        yield from _told(known.name, accepting(exercise, known.program, seeds))
    for mutant in changed_mutants(exercise):
        what = f"{mutant.origin} with {mutant.after!r}"
        yield from _told(what, accepting(exercise, mutant.program, seeds[::5]))


def _told(what: str, accepted: list[int]) -> Iterator[str]:
    if accepted:
        yield f"{what} is accepted on {len(accepted)} seeds, first {accepted[0]}"


def changed_mutants(exercise: Exercise) -> Iterator[Mutant]:
    """The mutants that change something."""
    excused = excuses.excuses_of(exercise.name)
    for mutant in mutants_of(exercise):
        if not any(excuse.holds_for(mutant) for excuse in excused):
            yield mutant


def accepting(exercise: Exercise, program: Callable[..., Any], seeds: Sequence[int]) -> list[int]:
    """The seeds whose cases take the program for right.

    The case that caught it on the last seed is tried first: mostly it does so on the next.
    """
    accepted, first, endless = [], 0, 0
    for seed in seeds:
        drawn = drawn_cases(exercise.name, seed)
        for i in (first, *(i for i in range(len(drawn.cases)) if i != first)):
            reply = call(program, drawn.cases[i].inputs, _SECONDS)
            if complaint(drawn, i, reply):
                first, endless = i, endless + (getattr(reply, "kind", "") == "TookTooLong")
                break
        else:
            accepted.append(seed)
        if endless == _MOST_ENDLESS:
            break
    return accepted
