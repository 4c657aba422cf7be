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


def row(exercise: Exercise) -> str:
    """Return the line of one exercise: what was tried, and the results."""
    answers = (exercise.reference, *exercise.alternatives)
    mutants = excuses.count(exercise, excuses.excuses_of(exercise.name))
    classics = CLASSICS.get(exercise.name, {})
    named = [verdict(exercise.name, program).mistake for program in classics.values()]
    pairs = [
        f"{passing(exercise, answers)} of {len(answers)}",
        f"{caught_and_named(exercise)} of {len(exercise.mistakes)}",
        f"{mutants.killed} of {mutants.mutants - mutants.excused}",
        f"{len(named) - named.count(None)} of {len(named)}",
    ]
    ms_right, ms_wrong = (
        median(milliseconds(exercise, program) for program in programs)
        for programs in (answers, [one.program for one in exercise.mistakes])
    )
    return (
        f"{f'{exercise.chapter:02} {exercise.name}':30}{pairs[0]:>15}{pairs[1]:>16}{pairs[2]:>16}"
        f"{mutants.excused:7}{len(SEEDS):7}{pairs[3]:>16}{false_names(exercise, classics):13}"
        f"{ms_right:10.1f}{ms_wrong:10.1f}"
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
        for exercise in EXERCISES.values():
            print(row(exercise), flush=True)


if __name__ == "__main__":
    main()
