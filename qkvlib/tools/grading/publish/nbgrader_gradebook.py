"""Write the record's grades into nbgrader's own database, for `nbgrader export`."""

from __future__ import annotations

import json
import os
import sys
import warnings
from pathlib import Path
from typing import Any

from qkvlib.tools.grading.publish.overrides import read_overrides
from qkvlib.tools.grading.publish.plan import read_plan
from qkvlib.tools.grading.results import ExerciseFacts, Result, ResultError, Row, from_json


def write_gradebook(record: Path, database: Path) -> int:
    """Write every student's points into `database`, and return the number of students."""
    try:
        from nbgrader.api import Gradebook
    except ImportError:
        raise ImportError("nbgrader is not installed: pip install nbgrader") from None
    planned = read_plan(record.parent / "plan.csv")
    results = [planned.count(result) for result in _latest(record)]
    results = _decided(results, record.parent / "overrides.csv")
    # nbgrader starts `alembic` by its name. It is next to this Python, which may not be on the path.
    beside = str(Path(sys.executable).parent)
    os.environ["PATH"] = os.pathsep.join([beside, os.environ.get("PATH", os.defpath)])
    with warnings.catch_warnings(), Gradebook(f"sqlite:///{database.resolve()}") as gradebook:
        warnings.simplefilter("ignore")  # hides nbgrader's own long warnings about its database
        # A line of an older version may have an exercise in another chapter.
        cells = {(row.chapter, row.exercise): row for result in results for row in result.exercises}
        chapters = sorted({chapter for chapter, _ in cells})
        assignments = {chapter: _assignment(gradebook, chapter) for chapter in chapters}
        for row in cells.values():
            _write_cell(gradebook, assignments[row.chapter], row)
        for result in results:
            gradebook.update_or_create_student(result.student)
            for chapter, rows in _chapters(result).items():
                _grade(gradebook, assignments[chapter], result.student, rows)
    return len(results)


def _latest(record: Path) -> list[Result]:
    """Return the last result of each student."""
    if not record.exists():
        raise FileNotFoundError(f"{record} is not there: run `qkv grade` first, or say --out")
    lines = map(json.loads, record.read_text(encoding="utf-8").splitlines())
    latest = {line["student"]: line for line in lines if not line["fault"]}
    try:
        return [from_json(Result, line) for line in latest.values()]
    except ResultError as error:
        raise ResultError(
            f"{record} has a line of another version of qkvlib ({error}): run `qkv grade` into "
            "another folder, and name that with --out"
        ) from None


def _decided(results: list[Result], path: Path) -> list[Result]:
    """Return the results with the points that the instructor decided on, where something was judged."""
    facts = {
        result.student: {row.exercise: ExerciseFacts(row.chapter, row.possible) for row in result.exercises}
        for result in results
    }
    everything = {name: one for exercises in facts.values() for name, one in exercises.items()}
    decided = read_overrides(path, results, everything)
    return [decided.apply(result, facts[result.student]) for result in results]


def _chapters(result: Result) -> dict[int, list[Row]]:
    found: dict[int, list[Row]] = {}
    for row in result.exercises:
        found.setdefault(row.chapter, []).append(row)
    return found


def _assignment(gradebook: Any, chapter: int) -> str:
    """Return the assignment of a chapter: the one that generate_assignment made, or else a new one."""
    start = f"{chapter:02}_"
    name = next((a.name for a in gradebook.assignments if a.name.startswith(start)), None)
    if name is None:
        name = f"{start}chapter"
        gradebook.update_or_create_assignment(name)
    gradebook.update_or_create_notebook(name, name)
    return str(name)


def _write_cell(gradebook: Any, assignment: str, row: Row) -> None:
    """Write the cell that an exercise's points belong to."""
    gradebook.update_or_create_grade_cell(
        f"check-{row.exercise}", assignment, assignment, max_score=row.possible, cell_type="code"
    )


def _grade(gradebook: Any, assignment: str, student: str, rows: list[Row]) -> None:
    gradebook.update_or_create_submission(assignment, student)
    for row in rows:
        name = f"check-{row.exercise}"
        grade = gradebook.find_grade(name, assignment, assignment, student)
        grade.auto_score, grade.needs_manual_grade = row.points, False
    gradebook.db.commit()
