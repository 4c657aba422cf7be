"""The instructor's decisions: different points for an exercise, a different deadline for a student.

Both are small tables next to the results, which the instructor edits. A run reads them and never writes into
them, so they survive every later run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from qkvlib.tools.grading.lateness import Extension
from qkvlib.tools.grading.publish.csv_files import begin_csv, lines_of, names_back
from qkvlib.tools.grading.results import ExerciseFacts, Result, Row

OVERRIDE = ("student", "exercise", "points", "reason")
_EXTENSION = ("student", "days", "due", "reason")


@dataclass(frozen=True)
class Override:
    """The points that count, and why."""

    points: int
    reason: str


@dataclass(frozen=True)
class Overrides:
    """All decisions on points, by student and exercise, and a line for each that matches nobody."""

    of: Mapping[tuple[str, str], Override] = field(default_factory=dict)
    problems: tuple[str, ...] = ()

    def apply(self, result: Result, exercises: Mapping[str, ExerciseFacts]) -> Result:
        """Return the result with the points that count. If nothing was judged, add a row.

        A decision by a person counts as graded.
        """
        if not any(who == result.student for who, _ in self.of):
            return result
        known = {row.exercise: row for row in result.exercises}
        rows = [
            replace(row, points=decided.points) if (decided := self.of.get((result.student, name))) else row
            for name, facts in exercises.items()
            if (row := known.get(name) or _empty(name, facts))
        ]
        points = sum(row.points for row in rows)
        return replace(result, exercises=tuple(rows), points=points, fault="")


def begin_tables(out: Path) -> None:
    """Put empty tables where an instructor will look for them."""
    begin_csv(out / "overrides.csv", [OVERRIDE])
    begin_csv(out / "extensions.csv", [_EXTENSION])


def read_overrides(
    path: Path, results: Sequence[Result], exercises: Mapping[str, ExerciseFacts]
) -> Overrides:
    """Return the decisions in the table; none if there is no table."""
    known = names_back(result.student for result in results)
    found: dict[tuple[str, str], Override] = {}
    problems = []
    for row in lines_of(path, OVERRIDE):
        student, name = row["student"].written, row["exercise"].written
        who = known.get(student)
        if who is None or name not in exercises:
            unknown = f"student is called {student[:60]!r}"
            if who is not None:
                unknown = f"exercise is called {name[:60]!r} (answers in words: marks.csv)"
            problems.append(f"{path.name}, line {row['student'].line}: no {unknown}")
            continue
        most = exercises[name].points
        points = row["points"].whole()
        if points is None or points > most:
            raise row["points"].error(f"cannot be: {name} has 0 to {most} points")
        if (who, name) in found:
            raise row["exercise"].error(f"is decided for {who} twice")
        found[who, name] = Override(points, row["reason"].written)
    return Overrides(found, tuple(problems))


def read_extensions(path: Path) -> dict[str, Extension]:
    """Return each student's extension, under the name in the table."""
    found: dict[str, Extension] = {}
    for row in lines_of(path, _EXTENSION[:2], _EXTENSION[2:]):
        if row["student"].written in found:
            raise row["student"].error("stands in an earlier line, too")
        if row["days"].written and row["due"].written:
            raise row["due"].error("stands beside a number of days: keep one of the two")
        found[row["student"].written] = Extension(row["days"].number() or 0.0, row["due"].moment())
    return found


def _empty(name: str, facts: ExerciseFacts) -> Row:
    return Row(name, facts.chapter, "not attempted", 0, facts.points, "It was not judged.")
