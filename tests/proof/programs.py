"""Collect the programs of the whole bank, as texts that a learner could submit, for the proof."""

from __future__ import annotations

import inspect
import random
from collections.abc import Iterator
from dataclasses import dataclass
from types import FunctionType

from qkvlib.exercises import EXERCISES
from qkvlib.exercises.kit.exercise import Exercise
from tests.exercises.mutants import with_slips

MUTANTS = 1_000


@dataclass(frozen=True)
class Program:
    """An answer to an exercise, and its name in the table of differences."""

    exercise: str
    called: str
    text: str


def of_the_bank() -> Iterator[Program]:
    """Yield every reference, every right answer in another style, and every mistake."""
    for name, exercise in EXERCISES.items():
        found = f"from qkvlib.exercises import EXERCISES\n{name} = EXERCISES[{name!r}]"
        yield Program(name, "reference", f"{found}.reference")
        for i in range(len(exercise.alternatives)):
            yield Program(name, f"alternative {i}", f"{found}.alternatives[{i}]")
        for i, mistake in enumerate(exercise.mistakes):
            yield Program(name, f"mistake {mistake.name}", f"{found}.mistakes[{i}].program")


def mutants(how_many: int, seed: int) -> Iterator[Program]:
    """Yield right answers with one slip each, for exercises drawn with this seed."""
    drawn = random.Random(seed)
    names = [name for name, exercise in EXERCISES.items() if _functions(exercise)]
    for i in range(how_many):
        name = drawn.choice(names)
        function = drawn.choice(_functions(EXERCISES[name]))
        text, _ = with_slips(function, 1, drawn)
        yield Program(name, f"mutant {i} of {function.__name__}", _at_home(text, name, function))


def _functions(exercise: Exercise) -> list[FunctionType]:
    answers = map(inspect.unwrap, (exercise.reference, *exercise.alternatives))
    return [
        answer for answer in answers if isinstance(answer, FunctionType) and answer.__name__ != "<lambda>"
    ]


def _at_home(text: str, name: str, function: FunctionType) -> str:
    """Return a program that runs the text among its own module's names and gives it the task's name."""
    own = [
        "from __future__ import annotations",
        f"import {function.__module__} as home",
        "globals().update({k: v for k, v in vars(home).items() if not k.startswith('__')})",
        text,
    ]
    if function.__name__ != name:
        own.append(f"{name} = {function.__name__}")
    return "\n".join(own) + "\n"
