"""Test that hints come one at a time and that their number is recorded."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from qkvlib import hint
from qkvlib.checking.shown import Verdict
from qkvlib.exercises import EXERCISES
from qkvlib.figures.words import marked_up
from qkvlib.learner import progress


def test_each_request_shows_one_hint_more_and_is_counted(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hints = EXERCISES["dot"].hints
    for asked, shown in ((1, 1), (2, 2), (3, 3), (4, 3)):
        hint("dot")
        said = capsys.readouterr().out
        assert [words in said for words in hints] == [i < shown for i in range(3)]
        assert progress.recall("hints", "dot") == min(asked, 3)


def test_a_hint_may_be_asked_for_with_the_function_itself(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def softmax() -> None:
        raise NotImplementedError

    hint(softmax)
    assert EXERCISES["softmax"].hints[0] in capsys.readouterr().out


def test_a_misspelt_name_is_guessed(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hint("softmaxx")
    assert "Did you mean `softmax`?" in capsys.readouterr().out


def test_a_verdict_has_the_hints_folded_each_in_the_one_before_it() -> None:
    hints = EXERCISES["dot"].hints
    folded = replace(Verdict("dot", "wrong", 0, 1, "No."), hints=hints)._repr_html_()
    before = [folded[: folded.index(marked_up(words))].count("<details") for words in hints]
    assert before == [1, 2, 3]
    assert "<details" not in Verdict("dot", "right", 1, 1, "Yes.")._repr_html_()
