"""Test every exercise of the bank; a new one joins these tests automatically.

Right answers in any style pass, and wrong ones are caught and named: so any two mistakes of the bank
can be told apart.
"""

from __future__ import annotations

import sys
from typing import Any

import pytest

from qkvlib.checking import verdict
from qkvlib.exercises import EXERCISES
from qkvlib.exercises.kit.exercise import Answer, Exercise, Mistake
from tests.exercises import __main__ as table

# The grader draws its seeds from a secret, so the tests must pass for any seed.
SEEDS = (0, 1, 2, 99, 2**31)

exercises = pytest.mark.parametrize("exercise", EXERCISES.values(), ids=lambda e: e.name)
mistakes = pytest.mark.parametrize(
    ("exercise", "mistake"),
    [(exercise, mistake) for exercise in EXERCISES.values() for mistake in exercise.mistakes],
    ids=lambda x: x.name,
)
right_answers = pytest.mark.parametrize(
    ("exercise", "answer"),
    [
        (exercise, answer)
        for exercise in EXERCISES.values()
        for answer in (exercise.reference, *exercise.alternatives)
    ],
    ids=lambda x: getattr(x, "name", None) or x.__name__,
)


@pytest.fixture
def seeds(swept_too: bool) -> tuple[int, ...]:
    """Return the seeds: one in `make test`, more with the sweeps."""
    return SEEDS if swept_too else SEEDS[:1]


@exercises
def test_an_untouched_answer_is_not_attempted(exercise: Exercise) -> None:
    def untouched(*_: Any) -> Any:
        raise NotImplementedError

    judged = verdict(exercise.name, untouched)
    assert (judged.outcome, judged.points, judged.mistake) == ("not attempted", 0, None)


@right_answers
def test_a_right_answer_in_any_style_passes(
    exercise: Exercise, answer: Answer, seeds: tuple[int, ...]
) -> None:
    for seed in seeds:
        judged = verdict(exercise.name, answer, seed)
        assert judged.outcome == "right", judged
        assert judged.points == exercise.points


@mistakes
def test_a_known_mistake_is_caught_and_named(
    exercise: Exercise, mistake: Mistake, seeds: tuple[int, ...]
) -> None:
    for seed in seeds[:3]:
        judged = verdict(exercise.name, mistake.program, seed)
        assert judged.outcome in ("wrong", "raised")
        assert judged.points == 0
        assert judged.mistake is mistake, f"seed {seed}: taken for {judged.mistake}"


@exercises
def test_the_bank_has_what_every_exercise_needs(exercise: Exercise) -> None:
    assert len(exercise.mistakes) >= 4, "an exercise has at least four named mistakes"
    assert len(exercise.alternatives) >= 3, "an exercise has at least three other right answers"
    assert len(exercise.hints) == 3, "an exercise has three hints"
    assert exercise.points >= 1
    assert set(exercise.builds_on) <= set(EXERCISES)
    for mistake in exercise.mistakes:
        assert mistake.diagnosis.endswith(".")
        assert mistake.question.endswith("?")


@exercises
def test_other_seeds_draw_other_cases(exercise: Exercise) -> None:
    """Answers cannot be memorised, unless the question is the same for everyone."""
    if not exercise.arguments:
        return
    drawn = [str([case.inputs for case in exercise.draw(seed)]) for seed in SEEDS]
    assert len(set(drawn)) == len(SEEDS)


@pytest.mark.whole
def test_the_table_has_a_row_for_each_exercise(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One exercise is enough, and quick."""
    monkeypatch.setattr(table, "EXERCISES", {"queries": EXERCISES["queries"]})
    monkeypatch.setattr(sys, "argv", ["tests.exercises"])
    table.main()
    _, row = capsys.readouterr().out.splitlines()
    assert row.startswith("00 queries")
