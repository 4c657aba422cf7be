"""Test that a record's values are read with their own types, or refused, but never misread."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from qkvlib.tools.grading.results import (
    Result,
    ResultError,
    Row,
    ShownCase,
    WrittenAnswer,
    from_json,
    to_json,
)

# A line of the record.
WRITTEN = (
    '{"key": "0a", "student": "ada_7", "name": "ada", "number": "7", "handed_in": '
    '"2026-11-20T12:00:00", "late_days": 1, "late_factor": 0.9, "files": ["01"], "earlier": '
    '["01, 2026-11-19T12:00:00"], "seed": 5, "problems": [], "answers": [{"name": "why-dot", '
    '"points": 2, "text": "It grows."}], "fault": "", "exercises": [{"exercise": "dot", "chapter": '
    '1, "outcome": "wrong", "points": 0, "possible": 1, "message": "Your result is 1.", "mistake": '
    '"average", "diagnosis": "You average.", "question": "Why?", "evidence": {"case": "two", '
    '"inputs": [["a", "[1]"]], "got": "1", "expected": "2"}, "file": "01"}], "points": '
    '0, "possible": 1, "walls": ["files", "limits"], "seconds": 0.07}'
)
LOST = (
    '{"key": "0b", "student": "bob", "name": "bob", "number": "", "handed_in": "2026", "late_days":'
    ' 0, "late_factor": 1.0, "files": ["01"], "earlier": [], "seed": 5, "fault": "3 workers lost"}'
)


def test_a_line_of_the_record_is_read() -> None:
    read = from_json(Result, json.loads(WRITTEN))
    evidence = ShownCase("two", (("a", "[1]"),), "1", "2")
    assert read.exercises == (
        Row("dot", 1, "wrong", 0, 1, "Your result is 1.", "average", "You average.", "Why?", evidence, "01"),
    )
    assert read.answers == (WrittenAnswer("why-dot", 2, "It grows."),)
    assert (read.student, read.late_factor, read.walls) == ("ada_7", 0.9, ("files", "limits"))
    assert from_json(Result, json.loads(LOST)).points is None  # not the same as no points


@pytest.mark.parametrize("line", [WRITTEN, LOST])
def test_what_is_written_is_read_as_the_same(line: str) -> None:
    read = from_json(Result, json.loads(line))
    assert from_json(Result, json.loads(json.dumps(to_json(read)))) == read


def changed(**more: Any) -> dict[str, Any]:
    return json.loads(WRITTEN) | more


def changed_row(**more: Any) -> dict[str, Any]:
    value = json.loads(WRITTEN)
    value["exercises"][0] |= more
    return value


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (changed(points="9"), "Result.points is '9'"),
        (changed(points=True), "Result.points is 'True'"),
        (changed(points=1.5), "Result.points"),
        (changed(student=None), "Result.student"),
        (changed(walls="files"), "Result.walls"),
        (changed(files=[1]), "Result.files"),
        (changed(late_factor="1"), "Result.late_factor"),
        (changed(grade=1), "has a 'grade'"),
        (changed_row(outcome="perfect"), "outcome is 'perfect'"),
        (changed_row(points="1"), "points is '1'"),
        (changed_row(evidence=[]), "evidence"),
        (changed_row(evidence={"case": "x"}), "has no 'expected'"),
        ({"key": "a"}, "has no 'handed_in'"),
        ([], "Result is"),
        (None, "Result is"),
    ],
)
def test_anything_else_is_refused(value: object, words: str) -> None:
    with pytest.raises(ResultError, match=words):
        from_json(Result, value)


def test_grades_of_another_version_do_not_reach_the_gradebook(tmp_path: Path) -> None:
    from qkvlib.tools.grading.publish.nbgrader_gradebook import _latest

    path = tmp_path / "results.jsonl"
    path.write_text(f"{WRITTEN}\n{LOST}\n")
    assert [result.student for result in _latest(path)] == ["ada_7"]
    path.write_text(json.dumps(changed(grade=1)) + "\n")
    with pytest.raises(ResultError, match=r"another version of qkvlib .* run `qkv grade`"):
        _latest(path)
