"""One table of all exercises: `python -m tests.exercises`.

`python -m tests.exercises 500 dot nearest` tries instead whether a verdict hangs on the seed: the
right answers and the mistakes on so many seeds, of these exercises or of all.
"""

from __future__ import annotations

import sys
import time
import warnings
from statistics import median

import torch

from qkvlib.checking import verdict
from qkvlib.exercises import EXERCISES
from qkvlib.exercises.kit.exercise import Answer, Exercise
from tests.exercises import excuses
from tests.exercises.mutants import survives

SEEDS = range(5)
HEAD = (
    f"{'exercise':30}{'points':>7}{'cases':>6}{'wrong answers':>15}{'right answers':>15}"
    f"{'mutants killed':>16}{'equal':>7}{'ms right':>10}{'ms wrong':>10}"
)


def milliseconds(exercise: Exercise, answer: Answer) -> float:
    started = time.perf_counter()
    verdict(exercise.name, answer)
    return 1000 * (time.perf_counter() - started)


def caught_and_named(exercise: Exercise) -> int:
    """How many mistakes are named on every seed."""
    return sum(
        all(verdict(exercise.name, one.program, seed).mistake is one for seed in SEEDS)
        for one in exercise.mistakes
    )


def passing(exercise: Exercise, answers: tuple[Answer, ...]) -> int:
    """How many right answers pass on every seed."""
    return sum(
        all(verdict(exercise.name, answer, seed).outcome == "right" for seed in SEEDS)
        for answer in answers
    )


def row(exercise: Exercise) -> tuple[str, list[int]]:
    """A line of the table, and its counts."""
    answers = (exercise.reference, *exercise.alternatives)
    mutants = excuses.count(exercise, excuses.excuses_of(exercise.name))
    counts = [
        exercise.points, len(exercise.mistakes), caught_and_named(exercise), len(answers),
        passing(exercise, answers),
        mutants.mutants - mutants.excused, mutants.killed, mutants.excused,
    ]  # fmt: skip
    right = median(milliseconds(exercise, answer) for answer in answers)
    wrong = max(milliseconds(exercise, one.program) for one in exercise.mistakes)
    points, wrongs, named, rights, passed, real, killed, same = counts
    return (
        f"{exercise.chapter:02} {exercise.name:27}{points:7}{len(exercise.draw(0)):6}"
        f"{f'{named} of {wrongs}':>15}{f'{passed} of {rights}':>15}"
        f"{f'{killed} of {real}':>16}{same:7}{right:10.0f}{wrong:10.0f}"
    ), counts


def hanging_on_the_seed(exercise: Exercise, seeds: range) -> list[str]:
    """The right answers that a seed refuses, and the mistakes that one accepts."""
    found = []
    for answer in (exercise.reference, *exercise.alternatives):
        refused = [seed for seed in seeds if not survives(exercise, answer, seed)]
        if refused:
            found.append(
                f"{answer.__name__} is refused on {len(refused)} seeds, first {refused[0]}"
            )
    for known in exercise.mistakes:
        accepted = [seed for seed in seeds if survives(exercise, known.program, seed, 0.5)]
        if accepted:
            found.append(f"{known.name} is accepted on {len(accepted)} seeds, first {accepted[0]}")
    return found


def main() -> None:
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    if len(sys.argv) > 1:
        for name in sys.argv[2:] or EXERCISES:
            found = hanging_on_the_seed(EXERCISES[name], range(int(sys.argv[1])))
            print(f"{name}: {'; '.join(found) or 'the same on every seed'}", flush=True)
        return
    print(f"Wrong answers caught and named, right answers passed: on {len(SEEDS)} seeds.\n{HEAD}")
    totals = [0] * 8
    for exercise in EXERCISES.values():
        line, counts = row(exercise)
        totals = [total + count for total, count in zip(totals, counts, strict=True)]
        print(line, flush=True)
    points, wrongs, named, rights, passed, real, killed, same = totals
    print(
        f"{f'{len(EXERCISES)} exercises':30}{points:7}{'':6}{f'{named} of {wrongs}':>15}"
        f"{f'{passed} of {rights}':>15}{f'{killed} of {real}':>16}{same:7}"
    )


if __name__ == "__main__":
    main()
