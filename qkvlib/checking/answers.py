"""Judge an answer as its lesson shows it, and choose the function that the lesson goes on with."""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import Any

from qkvlib.calling.call import Returned, call_own
from qkvlib.calling.plain import plain
from qkvlib.calling.session import put_back
from qkvlib.checking import going_on
from qkvlib.checking.shown import Verdict
from qkvlib.checking.verdicts import SECONDS_A_CALL, verdict
from qkvlib.exercises import EXERCISES
from qkvlib.exercises.kit.comparison import as_expected
from qkvlib.exercises.kit.exercise import Answer


def judge(name: str, function: Answer, seconds: float = SECONDS_A_CALL) -> tuple[Verdict, tuple[str, ...]]:
    """Return the verdict with all the remarks below it, and what later cells need that the function cannot
    do."""
    exercise, judged = EXERCISES[name], verdict(name, function, seconds=seconds)
    is_right = judged.outcome == "right"
    lacks = going_on.lacking(exercise, _with_its_care(function, judged)) if is_right else ()
    words = "\n".join([judged.message, *going_on.remarks(lacks)])
    return replace(judged, message=words, hints=() if is_right else exercise.hints), lacks


def to_go_on_with(function: Answer, judged: Verdict, lacks: tuple[str, ...]) -> Answer:
    """Return the function itself if it is right, and otherwise the course's own."""
    reference = EXERCISES[judged.exercise].reference
    if judged.outcome != "right":
        return reference
    function = _with_its_care(going_on.under_the_tasks_names(function, reference), judged)
    return going_on.lent_where_lacking(function, reference, lacks) if lacks else function


def _with_its_care(function: Answer, judged: Verdict) -> Answer:
    """Return the same function. If it needs care, wrap it: what it changes globally is restored after each
    call, and its result is of the kind that the course's own gives for these inputs."""
    if not judged.needs_care:
        return function
    exercise = EXERCISES[judged.exercise]

    @functools.wraps(function)
    def careful(*inputs: Any, **named: Any) -> Any:
        with put_back([]):
            value = function(*inputs, **named)
        if exercise.judged_by is not None:
            return value
        wanted = call_own(functools.partial(exercise.reference, **named), inputs)
        return as_expected(plain(value), wanted.value if isinstance(wanted, Returned) else None)

    return careful
