"""The cases of an exercise, and what the course's own programs make of them.

For one seed these never change, so they are worked out once: the second check of an answer, and
every submission of a class, compares with the same numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from qkvlib.calling import Raised, Returned, call
from qkvlib.exercises import EXERCISES
from qkvlib.exercises.kit.comparison import Objection, kind_of
from qkvlib.exercises.kit.exercise import Answer, Case, Exercise, Mistake


@dataclass(frozen=True)
class DrawnCases:
    """The cases of one exercise under one seed, with the expected results."""

    exercise: Exercise
    cases: tuple[Case, ...]
    expected: tuple[Any, ...]
    _mistaken: dict[tuple[str, int], Any] = field(default_factory=dict)

    def mistaken(self, known: Mistake, number: int) -> Any:
        """What a known mistake gives for a case: what counts of its value, or how it raised."""
        key = (known.name, number)
        if key not in self._mistaken:
            case = self.cases[number]
            reply = call(known.program, case.inputs, None)
            if isinstance(reply, Returned):
                self._mistaken[key] = what_counts(self.exercise, case, reply)
            else:
                self._mistaken[key] = reply
        return self._mistaken[key]


@lru_cache(maxsize=256)  # more than there are exercises
def drawn_cases(name: str, seed: int) -> DrawnCases:
    """The cases of an exercise for a seed, with the results expected."""
    exercise = EXERCISES[name]
    cases = exercise.draw(seed)
    expected = (expected_of(exercise, exercise.reference, case) for case in cases)
    return DrawnCases(exercise, tuple(cases), tuple(expected))


def expected_of(exercise: Exercise, program: Answer, case: Case) -> Any:
    """What a program of our own gives for a case; None when it raises."""
    reply = call(program, case.inputs, None)
    return what_counts(exercise, case, reply) if isinstance(reply, Returned) else None


def what_counts(exercise: Exercise, case: Case, reply: Returned) -> Any:
    """What is compared: the value, or what the exercise makes of it."""
    if exercise.judged_by is None:
        return reply.value
    inputs = [
        after if name in exercise.changes else before
        for name, before, after in zip(exercise.arguments, case.inputs, reply.inputs, strict=False)
    ]
    try:
        return exercise.judged_by(reply.value, *inputs)
    except Exception:  # whatever a learner's value does, it is an answer and no fault of ours
        return Objection(f"Your function returned {kind_of(reply.value)}, which does not fit here.")


def on_copies(exercise: Exercise) -> Answer:
    """The reference, which then writes into nobody's inputs; ValueError where it raises."""

    def reference(*inputs: Any) -> Any:
        reply = call(exercise.reference, inputs, None)
        if isinstance(reply, Raised):
            raise ValueError(reply.message)
        return reply.value

    return reference
