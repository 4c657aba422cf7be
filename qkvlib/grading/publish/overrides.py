"""What an instructor decides: other points for an exercise, another deadline for a student.

Both are small tables beside the results, which the instructor edits. A run reads them and never
writes into them, so what stands there outlives every later run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from qkvlib.grading.publish.csv_files import names_back, read_csv, write_csv
from qkvlib.grading.results import ExerciseFacts, Result, Row


class OverrideRow(NamedTuple):
    """A line of overrides.csv; its fields are the columns' names."""

    student: str
    exercise: str
    points: str
    reason: str


class ExtensionRow(NamedTuple):
    """A line of extensions.csv: so many days later the work of this student is due."""

    student: str
    days: str
    reason: str


class OverrideError(ValueError):
    """A table of the instructor's cannot be used as it stands; the message says which line."""


@dataclass(frozen=True)
class Override:
    """The points that count, and why."""

    points: int
    reason: str


@dataclass(frozen=True)
class Overrides:
    """All decisions on points, by student and exercise, and a line for each that fits nobody."""

    of: Mapping[tuple[str, str], Override] = field(default_factory=dict)
    problems: tuple[str, ...] = ()

    def apply(self, result: Result, exercises: Mapping[str, ExerciseFacts]) -> Result:
        """The result with the points that count. Where nothing was judged, a row is added."""
        if not any(who == result.student for who, _ in self.of):
            return result
        known = {row.exercise: row for row in result.exercises}
        rows = [
            replace(row, points=decided.points)
            if (decided := self.of.get((result.student, name)))
            else row
            for name, facts in exercises.items()
            if (row := known.get(name) or _empty(name, facts))
        ]
        return replace(result, exercises=tuple(rows), points=sum(row.points for row in rows))


def begin_tables(out: Path) -> None:
    """Put tables with nothing but their heads where an instructor will look for them."""
    for name, kind in (("overrides", OverrideRow), ("extensions", ExtensionRow)):
        if not (out / f"{name}.csv").exists():
            write_csv(out / f"{name}.csv", [kind._fields])


def read_overrides(
    path: Path, results: Sequence[Result], exercises: Mapping[str, ExerciseFacts]
) -> Overrides:
    """The decisions in the table; none where there is no table."""
    known = names_back(result.student for result in results)
    found: dict[tuple[str, str], Override] = {}
    problems = []
    for number, row in _lines(path, OverrideRow._fields):
        who, name = known.get(row["student"]), row["exercise"]
        if who is None or name not in exercises:
            problems.append(f"{path.name}, line {number}: no such student or exercise is here")
            continue
        most = exercises[name].points
        points = _number(path, number, "points", row["points"])
        if points not in range(most + 1):
            words = f"{path}, line {number}: {name} has 0 to {most} whole points, not {points:g}"
            raise OverrideError(words)
        found[who, name] = Override(int(points), row["reason"])
    return Overrides(found, tuple(problems))


def read_extensions(path: Path) -> dict[str, float]:
    """By how many days the work of each student is due later, named as the table does."""
    return {
        row["student"]: _number(path, number, "days", row["days"])
        for number, row in _lines(path, ExtensionRow._fields)
    }


def _lines(path: Path, columns: Iterable[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """The lines that say something."""
    if not path.exists():
        return
    for number, row in read_csv(path, list(columns)):
        if any(cell.strip() for cell in row.values()):
            yield number, row


def _number(path: Path, line: int, column: str, written: str) -> float:
    try:
        return float(written.strip().replace(",", "."))
    except ValueError:
        words = f"{path}, line {line}: {written[:40]!r} under {column} is no number"
        raise OverrideError(words) from None


def _empty(name: str, facts: ExerciseFacts) -> Row:
    return Row(name, facts.chapter, "not attempted", 0, facts.points, "It was not judged.")
