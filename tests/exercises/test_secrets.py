"""Test that no message gives an answer away if the question is the same for everyone."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
import torch

from qkvlib.checking import verdict
from qkvlib.exercises import EXERCISES
from qkvlib.exercises.kit.comparison import show
from qkvlib.exercises.kit.exercise import Exercise
from tests.exercises.mutants import mutants_of
from tests.exercises.test_garbage import GARBAGE

SECRET = [exercise for exercise in EXERCISES.values() if exercise.is_secret]
each = pytest.mark.parametrize("exercise", SECRET, ids=lambda e: e.name)
POINTER = re.compile(r"chapter\s+\d+")


def right_answers(exercise: Exercise) -> list[str]:
    """Return the texts that no message may contain: the answer in each form that it could take."""
    value = exercise.reference()
    if isinstance(value, (int, float)):
        return [f"{value:g}", str(value), f"{value:,}"]
    if all(isinstance(part, int) for part in value) and not isinstance(value, str):
        return [show(value), *map(str, value)]
    return [value if isinstance(value, str) else show(part) for part in value]


def wrong_answers(exercise: Exercise) -> Iterator[Any]:
    """Yield known mistakes, slips, values near the answer, and values of another kind."""
    yield from (known.program() for known in exercise.mistakes)
    for mutant in mutants_of(exercise):
        with suppress(Exception):  # a slip may also raise an error
            yield mutant.program()
    value = exercise.reference()
    if isinstance(value, (int, float)):
        yield from (value + 1, value - 1, 2 * value, value / 2, -value, value + 0.5, [value] * 2)
        yield from (torch.full((3,), float(value)), f"about {value}", (value, None), {"it": value})
    elif isinstance(value, str):
        yield from (value[::-1], value[:-1], value + value[0], list(value[1:]), value.lower() + "z")
    else:
        yield from (value[::-1], value[:-1], [*value, *value], value[0], {"it": value})
    for make in GARBAGE.values():
        yield make()


@each
def test_no_message_of_a_wrong_answer_holds_the_right_one(exercise: Exercise) -> None:
    for wrong in wrong_answers(exercise):
        judged = verdict(exercise.name, lambda wrong=wrong: wrong)
        if judged.outcome == "right":
            continue
        given = show(wrong)
        for text in (str(judged), judged._repr_html_()):
            assert not given_away(exercise, text, given), (wrong, text)


def given_away(exercise: Exercise, text: str, given: str = "") -> list[str]:
    """Return the right answers in a text, except those that the learner wrote."""
    text = POINTER.sub("", text.replace(given, " ") if given else text)
    text = re.sub(r"<[^>]*>|\(\d+ of \d+ points?\)", " ", text)
    return [
        answer
        for answer in right_answers(exercise)
        if re.search(rf"(?<![\w.]){re.escape(answer)}(?![\w]|\.\d)", text)
    ]


@each
def test_no_hint_holds_the_answer(exercise: Exercise) -> None:
    value = exercise.reference()
    whole = right_answers(exercise)[:1] if isinstance(value, tuple) else right_answers(exercise)
    text = "\n".join(exercise.hints)
    assert not set(given_away(exercise, text)) & set(whole)


@pytest.mark.parametrize("name", ["quiz_score", "quiz_cross_shape", "order_the_heads"])
def test_an_answer_that_is_told_is_found(name: str) -> None:
    exercise = EXERCISES[name]
    for answer, end in itertools.product(right_answers(exercise)[:1], (".", ",", " is right")):
        assert given_away(exercise, f"Your result is 1. Expected {answer}{end}")
