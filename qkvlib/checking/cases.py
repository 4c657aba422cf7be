"""The cases of an exercise, and what the course's own programs make of them.

For one seed these never change, so they are worked out once: the second check of an answer compares with
the same numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

import torch
from torch import Tensor

from qkvlib.calling.call import Raised, Returned, call_own
from qkvlib.calling.plain import Opaque
from qkvlib.exercises import EXERCISES
from qkvlib.exercises.kit.comparison import Objection, Shifts, kind_of
from qkvlib.exercises.kit.exercise import Answer, Case, Exercise, Mistake

_NOT_RUN = ("generator", "coroutine", "async_generator")


@dataclass(frozen=True)
class DrawnCases:
    """The cases of one exercise under one seed, with the expected results."""

    exercise: Exercise
    seed: int
    cases: tuple[Case, ...]
    _mistaken: dict[tuple[str, int], tuple[Any, tuple[Any, ...]]] = field(default_factory=dict)
    _shifts: dict[int, Shifts] = field(default_factory=dict)

    @cached_property
    def expected(self) -> tuple[Any, ...]:
        """The result expected of each case."""
        reference = self.exercise.reference
        return tuple(expected_of(self.exercise, reference, case) for case in self.cases)

    def shifts(self, number: int) -> Shifts:
        """How far rounding may move the result of each case."""
        if self.cases[number].exact:
            return None
        if number not in self._shifts:
            pair = self.cases[number], self.expected[number]
            self._shifts[number] = _shifts(self.exercise, *pair)
        return self._shifts[number]

    def result_of(self, known: Mistake, number: int) -> Any:
        """Return what a known mistake gives for a case: the part of its value that is compared, or its
        error."""
        return self._made_by(known, number)[0]

    def inputs_after(self, known: Mistake, number: int) -> tuple[Any, ...]:
        """Return the inputs as a known mistake leaves them; none if it raises."""
        return self._made_by(known, number)[1]

    def _made_by(self, known: Mistake, number: int) -> tuple[Any, tuple[Any, ...]]:
        key = (known.name, number)
        if key not in self._mistaken:
            case = self.cases[number]
            reply = call_own(known.program, case.inputs)
            if isinstance(reply, Returned):
                self._mistaken[key] = what_counts(self.exercise, case, reply), reply.inputs
            else:
                self._mistaken[key] = reply, ()
        return self._mistaken[key]


@lru_cache(maxsize=256)  # above all for the seeds that confirm a mistake's name, which a class shares
def drawn_cases(name: str, seed: int) -> DrawnCases:
    """Draw the cases of an exercise for a seed, with their expected results."""
    exercise = EXERCISES[name]
    return DrawnCases(exercise, seed, tuple(exercise.draw(seed)))


def expected_of(exercise: Exercise, program: Answer, case: Case) -> Any:
    """Return what one of our own programs gives for a case; None if it raises."""
    reply = call_own(program, case.inputs)
    return what_counts(exercise, case, reply) if isinstance(reply, Returned) else None


# The inputs are moved by this many of the smallest steps that their dtype can represent.
_STEPS, _TRIES = 8, 3


def _shifts(exercise: Exercise, case: Case, expected: Any) -> Shifts:
    """Measure how far each part of the expected result moves with the last digits of the inputs.

    Two right programs differ by rounding along the way. If the result is a small difference of large numbers,
    rounding changes more than its last digits.
    """
    generator = torch.Generator().manual_seed(0)
    found: Shifts = None
    for _ in range(_TRIES):
        moved = Case(case.what, tuple(_moved(value, generator) for value in case.inputs))
        found = _largest(found, _shift_of(expected_of(exercise, exercise.reference, moved), expected))
    return found


def _moved(value: Any, generator: torch.Generator) -> Any:
    """Return the same inputs, with each number of each tensor moved in its last digits."""
    if isinstance(value, (list, tuple)):
        return type(value)(_moved(part, generator) for part in value)
    if not isinstance(value, Tensor) or not value.is_floating_point():
        return value
    by = 2 * torch.rand(value.shape, generator=generator, dtype=value.dtype) - 1
    step = _STEPS * torch.finfo(value.dtype).eps
    moved = (value.detach() * (1 + step * by)).requires_grad_(value.requires_grad)
    moved.grad = value.grad
    return moved


def _shift_of(moved: Any, expected: Any) -> Shifts:
    """Measure how far a result has moved, part by part."""
    if isinstance(expected, tuple):
        if not isinstance(moved, tuple) or len(moved) != len(expected):
            return None
        return tuple(map(_shift_of, moved, expected))
    if isinstance(expected, float) and isinstance(moved, float):
        return abs(moved - expected)
    if not isinstance(expected, Tensor) or not isinstance(moved, Tensor):
        return None
    if not expected.is_floating_point() or expected.shape != moved.shape or not expected.numel():
        return None
    return float((moved.detach() - expected.detach()).abs().nan_to_num(0.0, 0.0, 0.0).max())


def _largest(one: Shifts, other: Shifts) -> Shifts:
    if isinstance(one, tuple) and isinstance(other, tuple):
        return tuple(map(_largest, one, other))
    return max((found for found in (one, other) if isinstance(found, float)), default=other)


def what_counts(exercise: Exercise, case: Case, reply: Returned) -> Any:
    """Return what is compared: the value, or what the exercise's own judge turns it into."""
    if isinstance(reply.value, Opaque) and reply.value.type_name in _NOT_RUN:
        return Objection(
            f"Your function returned {kind_of(reply.value)}: with `yield` or `async`, a function "
            "returns before its code has run. Leave out `yield` and `async`."
        )
    if exercise.judged_by is None:
        return reply.value
    inputs = [
        after if name in exercise.changes else before
        for name, before, after in zip(exercise.arguments, case.inputs, reply.inputs, strict=False)
    ]
    try:
        return exercise.judged_by(reply.value, *inputs)
    except Exception:  # an odd value from a learner is a wrong answer, and not an error of ours
        returned = kind_of(reply.value)
        return Objection(f"Your function returned {returned}, but the exercise asks for something else.")


def on_copies(exercise: Exercise) -> Answer:
    """Return the reference, working on copies, so that it writes into nobody's inputs. It raises ValueError
    if it fails."""

    def reference(*inputs: Any) -> Any:
        reply = call_own(exercise.reference, inputs)
        if isinstance(reply, Raised):
            raise ValueError(reply.message)
        return reply.value

    return reference
