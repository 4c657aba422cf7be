"""What counts how much, and until when: `plan.csv`, for the instructor to fill in.

A run puts the table beside the results with a line for each exercise and nothing decided; it reads
it, and never writes into it again. Points need no grading: what is right stays right.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from qkvlib.tools.grading.lateness import Deadline
from qkvlib.tools.grading.publish.csv_files import Cell, Place, lines_of, write_csv
from qkvlib.tools.grading.results import ExerciseFacts, GradedClass, Result, Row

_COLUMNS = ("what", "points", "due", "cut-off", "percent a day", "note")
_HELP = (
    "# Fill in what should be otherwise, and run `qkv grade` again. An empty cell changes nothing.",
    "# Lines that begin with # are not read.",
    "# points: whole points for a right answer, in place of the lesson's.",
    "# due: such as 2026-11-20 23:59. What comes later is late.",
    "# cut-off: what comes after it counts nothing.",
    "# percent a day: taken off for each day of delay that was begun.",
    "# An exercise's line goes before its chapter's, and that before the line called all.",
)


@dataclass(frozen=True)
class Plan:
    """The points and the deadlines that were decided, by what they are of, and in which line."""

    points: Mapping[str, int] = field(default_factory=dict)
    deadlines: Mapping[str, Deadline] = field(default_factory=dict)
    lines: Mapping[str, int] = field(default_factory=dict)

    def apply(self, graded: GradedClass) -> GradedClass:
        """The class with the points that count, and a problem for each line that fits nothing."""
        chapters = {f"chapter {facts.chapter}" for facts in graded.exercises.values()}
        known = {"all", *chapters, *graded.exercises, *graded.questions}
        problems = tuple(
            f"plan.csv, line {line}: nothing that is graded here is called {name[:60]!r}"
            for name, line in self.lines.items()
            if name not in known
        )
        exercises = {
            name: replace(facts, points=self.points.get(name, facts.points))
            for name, facts in graded.exercises.items()
        }
        questions = {
            name: replace(facts, points=self.points.get(name, facts.points))
            for name, facts in graded.questions.items()
        }
        return replace(
            graded, exercises=exercises, questions=questions,
            results=tuple(self.count(result) for result in graded.results),
            problems=(*graded.problems, *problems),
        )  # fmt: skip

    def count(self, result: Result) -> Result:
        """A result with the points that count."""
        if result.points is None or not self.points:
            return result
        rows = tuple(self._worth(row) for row in result.exercises)
        return replace(
            result, exercises=rows, points=sum(row.points for row in rows),
            possible=sum(row.possible for row in rows),
        )  # fmt: skip

    def _worth(self, row: Row) -> Row:
        most = self.points.get(row.exercise, row.possible)
        return replace(row, points=most if row.points else 0, possible=most)


def read_plan(path: Path) -> Plan:
    """What the table says; nothing where there is none."""
    points: dict[str, int] = {}
    deadlines: dict[str, Deadline] = {}
    lines: dict[str, int] = {}
    for line, row in lines_of(path, _COLUMNS[:5], _COLUMNS[5:]):
        name = row["what"]
        cells = {column: Place(path, line, column, row[column]) for column in _COLUMNS[:5]}
        if name.startswith("#") or not any(row[column] for column in _COLUMNS[1:5]):
            continue
        if name in lines:
            raise cells["what"].error(f"stands in line {lines[name]} already")
        lines[name] = line
        worth, due, cut_off = (
            cells["points"].whole(), cells["due"].moment(), cells["cut-off"].moment(),
        )  # fmt: skip
        percent = cells["percent a day"].number()
        if worth is not None:
            if name == "all" or name.startswith("chapter "):
                raise cells["points"].error("is for several exercises: give points to each")
            points[name] = worth
        if due is not None and cut_off is not None and cut_off < due:
            raise cells["cut-off"].error("comes before the work is due")
        if percent is not None and percent > 100:
            raise cells["percent a day"].error("is more than there is")
        deadlines[name] = Deadline(due, cut_off, percent)
    return Plan(points, deadlines, lines)


def begin_plan(
    path: Path, exercises: Mapping[str, ExerciseFacts], questions: Mapping[str, ExerciseFacts]
) -> None:
    """Put the table where an instructor will look for it, if it is not there."""
    if not path.exists():
        write_csv(path, _template(exercises, questions))


def _template(
    exercises: Mapping[str, ExerciseFacts], questions: Mapping[str, ExerciseFacts]
) -> Iterator[Sequence[Cell]]:
    yield _COLUMNS
    for words in _HELP:
        yield (words, *[""] * 5)
    yield ("all", *[""] * 4, "every exercise and every answer in words")
    for chapter in sorted({facts.chapter for facts in exercises.values()}):
        yield (f"chapter {chapter}", *[""] * 4, "every exercise of this chapter")
        for name, facts in exercises.items():
            if facts.chapter == chapter:
                yield (name, *[""] * 4, f"{_points(facts)} in the lesson")
        for name, facts in questions.items():
            if facts.chapter == chapter:
                yield (name, *[""] * 4, f"{_points(facts)} in the lesson, in words: points only")


def _points(facts: ExerciseFacts) -> str:
    return f"{facts.points} point" + ("" if facts.points == 1 else "s")
