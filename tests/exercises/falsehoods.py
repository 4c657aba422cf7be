"""Check the feedback on a wrong answer with new cases, which were not used to produce it."""

from __future__ import annotations

import inspect
import random
import warnings
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

from qkvlib.calling.call import Returned, call
from qkvlib.checking import probes, verdict
from qkvlib.checking.cases import drawn_cases
from qkvlib.checking.verdicts import _all_replies, _behaves_like, _what_counts_of, complaint
from qkvlib.exercises.kit.exercise import Exercise
from tests.exercises.mutants import mutants_of, mutants_of_function, with_slips

# Far from the seeds that confirm a mistake's name.
OTHER_SEEDS = (1001, 1002)
SECONDS = 0.5

Program = Callable[..., Any]


def wrong_programs(exercise: Exercise) -> Iterator[tuple[str, Program]]:
    """Yield slips in right answers, and slips in mistakes, which are two errors at once."""
    for mutant in mutants_of(exercise):
        yield f"{mutant.origin}: {mutant.after}", mutant.program
    for known in exercise.mistakes:
        function = inspect.unwrap(known.program)
        if isinstance(function, FunctionType):
            for mutant in mutants_of_function(function):
                yield f"{known.name}: {mutant.after}", mutant.program


def triples(exercise: Exercise, how_many: int) -> Iterator[tuple[str, Program]]:
    """Yield programs with three errors: mistakes with two extra slips, right answers with three."""
    drawn = random.Random(exercise.name)
    wrong = [(inspect.unwrap(known.program), 2) for known in exercise.mistakes]
    answers = (exercise.reference, *exercise.alternatives)
    right = [(inspect.unwrap(answer), 3) for answer in answers]
    programs = [
        (program, slips)
        for program, slips in wrong + right
        if isinstance(program, FunctionType) and program.__name__ != "<lambda>"
    ]
    for _ in range(how_many if programs else 0):
        program, slips = drawn.choice(programs)
        yield with_slips(program, slips, drawn)


def falsehoods(exercise: Exercise, program: Program) -> list[str]:
    """Return the statements of a program's verdict that other cases refute."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        judged = verdict(exercise.name, program, seconds=SECONDS)
        if judged.outcome != "wrong":
            return []
        return [words for seed in OTHER_SEEDS for words in _refuted(exercise, program, judged, seed)]


def _refuted(exercise: Exercise, program: Program, judged: Any, seed: int) -> Iterator[str]:
    drawn = drawn_cases(exercise.name, seed)
    replies = _all_replies(program, drawn.cases, SECONDS, Returned(None))
    if not replies:
        return
    if judged.mistake is not None:
        if not _behaves_like(drawn, judged.mistake, _what_counts_of(drawn, replies)):
            yield f"{judged.mistake.name}: {judged.mistake.diagnosis}"
        return
    failures = []
    for i, (case, reply) in enumerate(zip(drawn.cases, replies, strict=True)):
        if complaint(drawn, i, reply) is not None:
            if not isinstance(reply, Returned):
                return
            failures.append(probes.Failure(case.inputs, reply.value, drawn.expected[i]))
    for line in judged.message.splitlines():
        if "does not depend on" in line:
            ignored = line.split("`")[1]
            if _depends(exercise, program, ignored, [case.inputs for case in drawn.cases]):
                yield line
        elif _is_a_probes(line) and failures and not _holds(line, exercise, failures):
            yield line


def _holds(line: str, exercise: Exercise, failures: list[probes.Failure]) -> bool:
    """Return whether a sentence holds in all of these cases; it may begin with the part it is about."""
    names = exercise.arguments
    if not isinstance(failures[0].expected, tuple):
        return any(line in claims for claims in probes.claims_by_family(failures, names))
    label, words = line.removeprefix("`").split("`: ")
    place = exercise.returns.index(label)
    wrong = [one for one in failures if not _is_right(one, place, place)]
    if words.startswith("Your result is what"):
        other = exercise.returns.index(words.split("`")[1])
        return all(_is_right(one, place, other) for one in wrong)
    own = [probes.Failure(one.inputs, one.got[place], one.expected[place]) for one in wrong]
    return not own or any(words in claims for claims in probes.claims_by_family(own, names))


def _is_right(one: probes.Failure, place: int, wanted: int) -> bool:
    """Return whether one part of a result is what that part, or another, should be."""
    return probes._is_right(probes.Failure((), one.got[place], one.expected[wanted]))


def _is_a_probes(line: str) -> bool:
    words = line.split("`: ")[-1]
    starts = (
        "Your result is the expected",
        "Your result is what",
        "Each row ",
        "Each column ",
        "Your columns ",
        "The rows sum",
        "The numbers ",
        "Your result holds the right",
        "All wrong numbers",
    )
    return words.startswith(starts)


def _depends(exercise: Exercise, program: Program, name: str, cases: list[Any]) -> bool:
    def value(inputs: tuple[Any, ...]) -> Any:
        reply = call(program, inputs, SECONDS)
        return reply.value if isinstance(reply, Returned) else None

    place = exercise.arguments.index(name)
    return any(
        not probes._same(value(inputs), value((*inputs[:place], other, *inputs[place + 1 :])))
        for inputs in cases
        if place < len(inputs) and isinstance(inputs[place], probes.Tensor)
        for other in probes._others(inputs[place])
    )
