"""The table of all exercises names what holds each point, and that is there."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

from tests.exercises import __main__ as table
from tests.exercises.points import POINTS

ROOT = Path(__file__).parents[2]


def functions_of(file: str) -> set[str]:
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    return {one.name for one in tree.body if isinstance(one, ast.FunctionDef)}


def test_each_point_is_held_by_a_test_that_is_there() -> None:
    for held in POINTS.values():
        for point, test in held.items():
            file, _, name = test.partition("::")
            assert name in functions_of(file), point


@pytest.mark.whole
def test_the_table_says_all_that_was_tried(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of one exercise, which is quick."""
    monkeypatch.setattr(table, "EXERCISES", {"queries": table.EXERCISES["queries"]})
    monkeypatch.setattr(table, "seconds_of_first_use", lambda: 1.234)
    monkeypatch.setattr(sys, "argv", ["tests.exercises"])
    table.main()
    head, row, whole, seconds, *points = capsys.readouterr().out.splitlines()
    for column in ("right answers", "mistakes", "mutants", "seeds", "named", "false names"):
        assert column in head
    assert row.startswith("00 queries")
    assert whole.startswith("1 exercises")
    assert "in a process 1.23 (1.5)" in seconds
    assert len([line for line in points if "::test_" in line]) == sum(map(len, POINTS.values()))
