"""Test that a slip in a right answer is either caught, or changes nothing and has an excuse."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import pytest

from qkvlib.exercises import EXERCISES
from qkvlib.exercises.kit.exercise import Exercise
from tests.exercises import excuses
from tests.exercises.excuses import Excuse, excuses_of

pytestmark = pytest.mark.whole


def _faults(exercise: Exercise, excused: Sequence[Excuse]) -> tuple[str, ...]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return excuses.count(exercise, excused).faults


@pytest.mark.sweep(keep=10)
@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=lambda e: e.name)
def test_every_mutant_is_caught_or_excused_by_its_own_text(exercise: Exercise) -> None:
    faults = _faults(exercise, excuses_of(exercise.name))
    assert not faults, "\n\n".join(faults)


def test_every_file_of_excuses_belongs_to_an_exercise_and_has_some() -> None:
    names = {file.stem for file in excuses.FOLDER.iterdir()}
    assert names <= set(EXERCISES)
    assert all(excuses_of(name) for name in names)


# --- The first test above can fail in each of its ways ------------------------------------------

DOT = EXERCISES["dot"]


def test_a_survivor_without_an_excuse_is_a_fault() -> None:
    first, *others = excuses_of("dot")
    (fault,) = _faults(DOT, others)
    assert "survives with [0, 1]" in fault
    assert str(first) in fault


FIRST = excuses_of("dot")[0]


@pytest.mark.parametrize(
    ("excuse", "words"),
    [
        (Excuse("It was there once.", "", "return a @ b", "return b @ a"), "an excuse for no mutant"),
        (
            Excuse("Nobody will see it.", "", "total = total + a[i] * b[i]", "total = total - a[i] * b[i]"),
            "survives only with [] of",
        ),
        (Excuse("Another reason.", "", FIRST.before, FIRST.after), "excused 2 times"),
    ],
)
def test_an_excuse_that_does_not_hold_is_a_fault(excuse: Excuse, words: str) -> None:
    (fault,) = _faults(DOT, [*excuses_of("dot"), excuse])
    assert words in fault
    assert str(excuse) in fault


def test_an_excuse_for_two_mutants_at_once_is_a_fault() -> None:
    step = EXERCISES["training_step"]
    plain = [Excuse(one.why, "", one.before, one.after) for one in excuses_of(step.name)]
    assert any("an excuse for 2 mutants" in fault for fault in _faults(step, plain))


@pytest.mark.parametrize("text", ["- x = 1\n+ x = 2", "Why.\n+ x = 2", "Why.\n-x = 1\n+ x = 2"])
def test_an_excuse_that_is_not_written_as_one_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="a reason, a line with"):
        excuses.read(text)
