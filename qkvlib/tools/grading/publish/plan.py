"""How much each exercise counts: `plan.csv`, for the instructor to fill in.

A run puts the table next to the results, with an empty line for each exercise. Later runs read it, and never
write into it again. Changing the points needs no grading, because the verdicts stay the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from qkvlib.tools.grading.publish.csv_files import Cell, begin_csv, lines_of
from qkvlib.tools.grading.results import ExerciseFacts, GradedClass, Result, Row

_COLUMNS = ("what", "points", "note")
_HELP = (
    "# Fill in other points where you want them, and run `qkv grade` again.",
    "# Lines that begin with # are not read. An empty cell changes nothing.",
)


@dataclass(frozen=True)
class Plan:
    """The points that were decided, by exercise or question, each with its line in the table."""

    points: Mapping[str, int] = field(default_factory=dict)
    lines: Mapping[str, int] = field(default_factory=dict)

    def apply(self, graded: GradedClass) -> GradedClass:
        """Return the class with the points that count, and a problem for each line that matches nothing."""
        known = {*graded.exercises, *graded.questions}
        problems = tuple(
            f"plan.csv, line {line}: nothing that is graded here is called {name[:60]!r}"
            for name, line in self.lines.items()
            if name not in known
        )
        return replace(
            graded,
            exercises=self._worth_of(graded.exercises),
            questions=self._worth_of(graded.questions),
            results=tuple(self.count(result) for result in graded.results),
            problems=(*graded.problems, *problems),
        )

    def count(self, result: Result) -> Result:
        """Return a result with the points that count."""
        if not self.points:
            return result
        rows = tuple(self._worth(row) for row in result.exercises)
        return replace(
            result,
            exercises=rows,
            points=None if result.points is None else sum(row.points for row in rows),
            possible=sum(row.possible for row in rows),
        )

    def _worth_of(self, facts: Mapping[str, ExerciseFacts]) -> dict[str, ExerciseFacts]:
        return {name: replace(one, points=self.points.get(name, one.points)) for name, one in facts.items()}

    def _worth(self, row: Row) -> Row:
        most = self.points.get(row.exercise, row.possible)
        return replace(row, points=most if row.points else 0, possible=most)


def read_plan(path: Path) -> Plan:
    """Read the table; return an empty plan if there is none."""
    points: dict[str, int] = {}
    lines: dict[str, int] = {}
    for row in lines_of(path, _COLUMNS[:2]):
        name = row["what"].written
        if name.startswith("#") or (worth := row["points"].whole()) is None:
            continue
        if name in lines:
            raise row["what"].error(f"stands in line {lines[name]} already")
        lines[name], points[name] = row["what"].line, worth
    return Plan(points, lines)


def begin_plan(
    path: Path, exercises: Mapping[str, ExerciseFacts], questions: Mapping[str, ExerciseFacts]
) -> None:
    """Put the table where an instructor will look for it, unless it is there."""
    begin_csv(path, _template({**exercises, **questions}))


def _template(facts: Mapping[str, ExerciseFacts]) -> Iterator[Sequence[Cell]]:
    yield _COLUMNS
    for words in _HELP:
        yield (words, "", "")
    for name, one in sorted(facts.items(), key=lambda item: item[1].chapter):
        words = ", in words" if one.question else ""
        points = f"{one.points} point" + ("" if one.points == 1 else "s")
        yield (name, "", f"chapter {one.chapter}, {points} in the lesson{words}")
