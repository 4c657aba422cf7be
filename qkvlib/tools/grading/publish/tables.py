"""The results as tables: one for people, and one each for Canvas and Moodle.

Trusted code; a learner's text never becomes a formula (`csv_files.py`).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from qkvlib.tools.grading.publish.csv_files import Cell, csv_text
from qkvlib.tools.grading.publish.marks import Marks
from qkvlib.tools.grading.results import ANONYMOUS, GradedClass, Result

_LONGEST_CELL = 2_000
_STUDENT = ("student", "name", "number")
_POINTS = ("total", "possible", "judged", "by hand", "late days", "handed in", "needs a human")
_DIGITS = 16  # so many that nobody finds a name with the digits of another
_HASHED = re.compile(rf"-[0-9a-f]{{{_DIGITS}}}$")


def total(result: Result, marks: Marks) -> float:
    """Return all points of a student: those judged, those given by hand, minus what lateness costs."""
    judged = sum(row.points * row.late_factor for row in result.exercises)
    return round(judged + marks.given(result) * result.late_factor, 2)


def possible(graded: GradedClass, marks: Marks) -> float:
    """Return the maximum number of points."""
    return sum(exercise.points for exercise in graded.exercises.values()) + marks.possible


def tables(out: Path, graded: GradedClass, marks: Marks, column: str) -> dict[Path, str]:
    """Return the content of every table, by its path, the one for people first.

    `column` is Canvas's name for the assignment. A student who could not be graded is left out of the tables
    for platforms: an empty cell would be read as no points, and a 0 as a judgement.
    """
    best = possible(graded, marks)
    rows = [
        (result, total(result, marks))
        for result in graded.results
        if result.points is not None and not result.fault
    ]
    return {
        out / "grades.csv": csv_text(_people(graded, marks, best)),
        out / "canvas.csv": csv_text(
            [
                ("Student", "ID", "SIS User ID", "SIS Login ID", "Section", column),
                ("    Points Possible", "", "", "", "", best),
                *((r.name, r.number, "", "", "", points) for r, points in rows),
            ]
        ),
        out / "moodle.csv": csv_text(
            [
                ("Identifier", "Full name", "Grade", "Maximum Grade", "Last modified (grade)"),
                *(
                    (f"Participant {r.number}" if r.number else r.name, r.name, points, best, "-")
                    for r, points in rows
                ),
            ]
        ),
    }


def unmatched(graded: GradedClass) -> list[str]:
    """Return a line if Canvas cannot know whose rows of canvas.csv are."""
    many = sum(bool(ANONYMOUS.fullmatch(one.student)) for one in graded.results)
    if not many:
        return []
    return [
        "canvas.csv: Canvas cannot match rows without an ID. "
        f"{many} of {len(graded.results)} students handed in anonymously."
    ]


def file_name(student: str) -> str:
    """Return a student's file name: harmless on every system, and different for different students."""
    plain = re.sub(r"[^A-Za-z0-9_-]+", "_", student)[:60].strip("_") or "student"
    # To macOS and Windows "Ada" and "ada" are the same name. A name that looks like one of ours gets a
    # different one.
    is_its_own = plain == student == student.lower() and not _HASHED.search(student)
    if is_its_own and plain.upper() not in ("CON", "PRN", "AUX", "NUL"):
        return plain
    return f"{plain}-{hashlib.sha256(student.encode('utf-8', 'replace')).hexdigest()[:_DIGITS]}"


def _people(graded: GradedClass, marks: Marks, best: float) -> Iterator[Sequence[Cell]]:
    yield (*_STUDENT, *_POINTS, *graded.exercises)
    for r in graded.results:
        points = {row.exercise: row.points for row in r.exercises}
        yield (
            r.student,
            r.name,
            r.number,
            total(r, marks),
            best,
            "" if r.points is None else r.points,
            marks.given(r),
            r.late_days,
            r.handed_in,
            "; ".join([*r.problems, r.fault]).strip("; ")[:_LONGEST_CELL],
            *(points.get(name, "") for name in graded.exercises),
        )
