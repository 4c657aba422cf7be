"""What was missed, made into a question.

A named mistake comes back as a call with new numbers, on which the mistake gives another result
than a right answer. Where no call shows the difference, the mistake is there to be read. A missed
prediction comes back in new words.
"""

from __future__ import annotations

import inspect
import random
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from qkvlib.calling.call import Raised
from qkvlib.checking.cases import DrawnCases, drawn_cases
from qkvlib.course.review.again import in_new_words
from qkvlib.exercises import EXERCISES
from qkvlib.exercises.kit.comparison import show
from qkvlib.exercises.kit.exercise import Exercise, Mistake
from qkvlib.learner.memory import Missed

_MOST_SHOWN = 700  # letters of a call and two results: more than that, nobody reads
_MOST_CHOICES = 4
_DRAWS = 3  # of numbers, before a mistake is taken to show in no call


@dataclass(frozen=True)
class Question:
    """A few choices, one of which is right."""

    asked: str
    given: str
    """What it is about, in lines to be shown as they are: a call, or a program."""
    choices: tuple[str, ...]
    answer: int
    because: str
    before: str = ""
    """The choice that the learner made, or would have made, when it was missed; if it is here."""


def make(missed: Missed, seed: int) -> Question | None:
    """A question for what was missed; None where this version of the course has it no more."""
    return _of_mistake(missed, seed) if missed.kind == "mistakes" else _of_miss(missed, seed)


def _of_mistake(missed: Missed, seed: int) -> Question | None:
    name, _, mistake = missed.name.partition(".")
    exercise = EXERCISES.get(name)
    known = next((one for one in exercise.mistakes if one.name == mistake), None) if exercise else None
    if exercise is None or known is None:
        return None
    return _of_call(exercise, known, seed) or _of_reading(exercise, known, seed)


@dataclass(frozen=True)
class _Call:
    """A case on which a mistake differs visibly, and the part of the result where it does."""

    number: int
    part: int | None
    given: str
    right: str
    theirs: str

    @property
    def length(self) -> int:
        return len(self.given) + len(self.right) + len(self.theirs)


def _of_call(exercise: Exercise, known: Mistake, seed: int) -> Question | None:
    for tried in range(seed, seed + _DRAWS):
        drawn = drawn_cases(exercise.name, tried)
        calls = [call for call in _calls(drawn, known) if call.length <= _MOST_SHOWN]
        if calls:
            break
    else:
        return None
    call = min(calls, key=lambda one: one.length)
    others = [call.theirs]
    for other in exercise.mistakes:
        value = drawn.result_of(other, call.number)
        text = None if isinstance(value, Raised) else _text_of(value, call.part)
        if text and text not in (call.right, *others) and len(others) < _MOST_CHOICES - 1:
            others.append(text)
    about = inspect.getdoc(exercise.reference) or ""
    if exercise.is_secret:
        asked = " ".join(about.split())
    else:
        what = about.split("\n\n")[0].replace("\n", " ")
        part = "" if call.part is None else f" as `{exercise.returns[call.part]}`"
        asked = f"`{exercise.name}`: {what} What does this call return{part}?"
    return _shuffled(
        f"Chapter {exercise.chapter}. {asked}",
        call.given,
        call.right,
        others,
        f"A check once said about one of your answers: “{known.diagnosis}”",
        call.theirs,
        seed,
    )


def _calls(drawn: DrawnCases, known: Mistake) -> Iterator[_Call]:
    """Every case of the seed that shows the difference, with numbers that no lesson has shown."""
    exercise, before = drawn.exercise, drawn_cases(drawn.exercise.name, 0)
    shown_before = {_inputs_by_name(exercise, case.inputs) for case in before.cases}
    for i, case in enumerate(drawn.cases):
        theirs, expected = drawn.result_of(known, i), drawn.expected[i]
        given = _inputs_by_name(exercise, case.inputs)
        if isinstance(theirs, Raised) or (given and given in shown_before):
            continue
        part = _part_that_differs(exercise, expected, theirs)
        texts = _text_of(expected, part), _text_of(theirs, part)
        if texts[0] and texts[1] and texts[0] != texts[1]:
            yield _Call(i, part, given, texts[0], texts[1])


def _part_that_differs(exercise: Exercise, expected: Any, theirs: Any) -> int | None:
    """The first part of a result of several that is seen to differ; None where there is one."""
    parts = len(exercise.returns)
    if not parts or not all(isinstance(v, tuple) and len(v) == parts for v in (expected, theirs)):
        return None
    return next((i for i in range(parts) if show(expected[i]) != show(theirs[i])), None)


def _text_of(value: Any, part: int | None) -> str | None:
    if part is None:
        return show(value)
    return show(value[part]) if isinstance(value, tuple) and len(value) > part else None


def _inputs_by_name(exercise: Exercise, inputs: tuple[Any, ...]) -> str:
    """The inputs of a call by name, the rows of a matrix one below another."""
    lines = []
    for name, value in zip(exercise.arguments, inputs, strict=False):
        head = f"{name} = "
        lines.append(head + show(value).replace("\n", "\n" + " " * len(head)))
    return "\n".join(lines)


def _of_reading(exercise: Exercise, known: Mistake, seed: int) -> Question | None:
    """The mistake as a program: what is wrong with it?"""
    try:
        source = textwrap.dedent(inspect.getsource(known.program))
    except (OSError, TypeError):
        return None
    source = source[source.index("def ") :] if "def " in source else source
    source = re.sub(rf"\b{re.escape(known.name)}\b", exercise.name, source).rstrip()
    others = [one.diagnosis for one in exercise.mistakes if one is not known]
    wrong = random.Random(seed).sample(others, _MOST_CHOICES - 2)
    asked = f"Chapter {exercise.chapter}. What would you say to the person who wrote this?"
    return _shuffled(asked, source, known.diagnosis, wrong, known.question, "", seed)


def _of_miss(missed: Missed, seed: int) -> Question | None:
    fact, again = missed.fact, in_new_words(missed.name)
    about = f"Chapter {missed.chapter}. "
    if again is not None:
        asked, right, wrong = again.question, again.right, list(again.wrong)
        return _shuffled(about + asked, "", right, wrong, again.because, "", seed)
    try:
        choices, answer, asked = list(fact["choices"]), fact["answer"], fact["question"]
        choices.remove(answer)
        because = f"What happened in the lesson: {answer}"
        before = str(fact["chose"])
        return _shuffled(f"{about}{asked}", "", answer, choices, because, before, seed)
    except (KeyError, TypeError, ValueError):
        return None


def _shuffled(
    asked: str, given: str, right: str, wrong: list[str], because: str, before: str, seed: int
) -> Question:
    choices = [right, *wrong]
    random.Random(seed).shuffle(choices)
    return Question(asked, given, tuple(choices), choices.index(right), because, before)
