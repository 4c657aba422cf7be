"""Test that common mistakes are named, in whatever style, and that all feedback on them is true."""

from __future__ import annotations

import pytest

from qkvlib.checking import verdict
from qkvlib.exercises import EXERCISES
from tests.exercises.classics import CLASSICS
from tests.exercises.falsehoods import falsehoods

pytestmark = pytest.mark.whole

WANTED = 0.9


@pytest.mark.sweep(keep=10)
@pytest.mark.parametrize("name", CLASSICS)
def test_a_classic_mistake_is_wrong_and_hears_nothing_false(name: str) -> None:
    for what, program in CLASSICS[name].items():
        for seed in (0, 7):
            judged = verdict(name, program, seed)
            assert judged.outcome in ("wrong", "raised"), what
            assert "TypeError: _" not in judged.message, f"{what}: a slip of ours, and no learner's"
        assert falsehoods(EXERCISES[name], program) == [], what


def test_nine_of_ten_classic_mistakes_are_named() -> None:
    judged = {
        (name, what): verdict(name, program)
        for name, programs in CLASSICS.items()
        for what, program in programs.items()
    }
    unnamed = [place for place, one in judged.items() if one.mistake is None]
    assert len(judged) >= 120
    assert len(unnamed) <= (1 - WANTED) * len(judged), unnamed


def test_every_exercise_with_code_has_classics() -> None:
    code = [name for name, exercise in EXERCISES.items() if not exercise.is_secret]
    assert list(CLASSICS) == code
    assert min(map(len, CLASSICS.values())) >= 3
