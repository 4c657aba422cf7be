"""Print one table of all exercises: `python -m tests.exercises`.

`python -m tests.exercises 500 dot nearest` instead tests whether a verdict depends on the seed: it
tries right answers, mistakes and mutants on 500 seeds, for these exercises or for all. All of them
take half an hour.
"""

from __future__ import annotations

import random
import sys
import time
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median

import torch

from qkvlib.checking import verdict
from qkvlib.exercises import EXERCISES
from qkvlib.exercises.kit.exercise import Answer, Exercise
from tests.exercises import excuses, seeds
from tests.exercises.classics import CLASSICS, Programs
from tests.exercises.falsehoods import falsehoods, triples, wrong_programs

SEEDS = range(5)
SLIPS = 6  # how many slips, and how many triple slips, are sampled to look for false feedback
HEAD = (
    f"{'exercise':30}{'right answers':>15}{'mistakes named':>16}{'mutants caught':>16}{'equal':>7}"
    f"{'seeds':>7}{'classics named':>16}{'false names':>13}{'ms right':>10}{'ms wrong':>10}"
)


def milliseconds(exercise: Exercise, answer: Answer) -> float:
    """Return the processor time, which other programs on the machine do not affect."""
    started = time.process_time()
    verdict(exercise.name, answer)
    return 1000 * (time.process_time() - started)


def caught_and_named(exercise: Exercise) -> int:
    """Return the number of mistakes that are named on every seed."""
    return sum(
        all(verdict(exercise.name, one.program, seed).mistake is one for seed in SEEDS)
        for one in exercise.mistakes
    )


def passing(exercise: Exercise, answers: tuple[Answer, ...]) -> int:
    """Return the number of right answers that pass on every seed."""
    return sum(
        all(verdict(exercise.name, answer, seed).outcome == "right" for seed in SEEDS) for answer in answers
    )


def false_names(exercise: Exercise, classics: Programs) -> int:
    """Return how many wrong programs get false feedback: classics, and those with one to three slips."""
    if exercise.is_secret:
        return 0
    slips = list(wrong_programs(exercise))
    tried = [*classics.items(), *random.Random(1).sample(slips, min(SLIPS, len(slips)))]
    return sum(bool(falsehoods(exercise, program)) for _, program in (*tried, *triples(exercise, SLIPS)))


@dataclass(frozen=True)
class Row:
    """The numbers of one exercise: what was tried, and the results."""

    name: str
    right: tuple[int, int]
    named: tuple[int, int]
    mutants: tuple[int, int]
    equal: int
    classics: tuple[int, int]
    false: int
    ms_right: tuple[float, ...]
    ms_wrong: tuple[float, ...]

    def __str__(self) -> str:
        pairs = [f"{one} of {all_}" for one, all_ in (self.right, self.named, self.mutants)]
        return (
            f"{self.name:30}{pairs[0]:>15}{pairs[1]:>16}{pairs[2]:>16}{self.equal:7}"
            f"{len(SEEDS):7}{f'{self.classics[0]} of {self.classics[1]}':>16}{self.false:13}"
            f"{median(self.ms_right):10.1f}{median(self.ms_wrong):10.1f}"
        )


def row(exercise: Exercise) -> Row:
    answers = (exercise.reference, *exercise.alternatives)
    mutants = excuses.count(exercise, excuses.excuses_of(exercise.name))
    classics = CLASSICS.get(exercise.name, {})
    named = [verdict(exercise.name, program).mistake for program in classics.values()]
    return Row(
        f"{exercise.chapter:02} {exercise.name}",
        (passing(exercise, answers), len(answers)),
        (caught_and_named(exercise), len(exercise.mistakes)),
        (mutants.killed, mutants.mutants - mutants.excused),
        mutants.excused,
        (len(named) - named.count(None), len(named)),
        false_names(exercise, classics),
        tuple(milliseconds(exercise, answer) for answer in answers),
        tuple(milliseconds(exercise, one.program) for one in exercise.mistakes),
    )


def total(rows: list[Row]) -> Row:
    """Return the sum over all exercises."""

    def summed(pairs: Iterable[tuple[int, int]]) -> tuple[int, int]:
        one, other = zip(*pairs, strict=True)
        return sum(one), sum(other)

    return Row(
        f"{len(rows)} exercises",
        *(summed(getattr(one, field) for one in rows) for field in ("right", "named", "mutants")),
        sum(one.equal for one in rows),
        summed(one.classics for one in rows),
        sum(one.false for one in rows),
        tuple(ms for one in rows for ms in one.ms_right),
        tuple(ms for one in rows for ms in one.ms_wrong),
    )


def hang_on_the_seed(many: int, names: list[str]) -> int:
    """Return the number of exercises that reject a right answer or accept a wrong one on some seed."""
    print(seeds.HEAD)
    found = 0
    for name in names:
        tried = seeds.tried_on(EXERCISES[name], range(many))
        print(tried, flush=True)
        found += bool(tried.refused or tried.accepted)
    return found


def main() -> None:
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    asked = sys.argv[1:]
    if asked:
        sys.exit(hang_on_the_seed(int(asked[0]), asked[1:] or list(EXERCISES)))
    else:
        print(HEAD)
        rows = []
        for exercise in EXERCISES.values():
            rows.append(row(exercise))
            print(rows[-1], flush=True)
        print(total(rows))


if __name__ == "__main__":
    main()
