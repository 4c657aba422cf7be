"""Answers in words: collected for reading, marked by hand in `marks.csv`, and added to the points.

Trusted code. The instructor edits the file, and this code never overwrites an edit.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from qkvlib.tools.grading.publish.csv_files import TableError, harmless, lines_of, names_back
from qkvlib.tools.grading.results import Result

_MOST_NAMES = 5  # in one line


class MarkRow(NamedTuple):
    """A line of the marks file; its fields are the columns' names."""

    student: str
    answer: str
    points: str
    possible: str | int
    comment: str


@dataclass(frozen=True)
class Mark:
    """The mark that a person gave for one answer; `points` is None until then."""

    points: float | None = None
    comment: str = ""


@dataclass(frozen=True)
class Marks:
    """The marks of a class, by student and answer, and the maximum for each answer."""

    rows: Mapping[tuple[str, str], Mark] = field(default_factory=dict)
    answers: Mapping[str, int] = field(default_factory=dict)

    @property
    def possible(self) -> int:
        """Return the maximum of all answers in words together."""
        return sum(self.answers.values())

    def of(self, result: Result, name: str) -> Mark:
        """Return a student's mark for the answer to this question."""
        return self.rows.get((result.student, name), Mark())

    def given(self, result: Result) -> float:
        """Return one student's points for the answers in words in this homework.

        The file may contain marks for a different homework, which do not count here.
        """
        return sum(self.of(result, name).points or 0.0 for name in self.answers)

    def outdated(self, rewritten: Iterable[tuple[str, str]]) -> Iterator[str]:
        """Say which marks were given for an answer that has been rewritten since."""
        for key in rewritten:
            mark = self.rows.get(key, Mark())
            if mark.points is not None:
                yield (
                    f"{key[0]}: the answer to {key[1]!r} has changed since an earlier run. Its mark, "
                    f"{mark.points:g}, still counts: read the new answer, and mark it again"
                )

    def unmarked(self, result: Result) -> list[str]:
        """Return the questions that one student has answered, and that nobody has marked yet."""
        return [
            name for name in result.words() if name in self.answers and self.of(result, name).points is None
        ]

    def waiting(self, result: Result) -> int:
        """Return the points that one student can still get for answers that nobody has marked yet."""
        return sum(self.answers[name] for name in self.unmarked(result))

    def unmatched(self, students: Collection[str], elsewhere: Collection[str]) -> tuple[list[str], list[str]]:
        """Return the problems and the notes about marks that do not count.

        `elsewhere` are questions of other homework. Marks for them may be in the same file.
        """
        given = [key for key, mark in self.rows.items() if mark.points is not None]
        nobody = sorted({who for who, name in given if name in self.answers and who not in students})
        unknown = sorted({name for _, name in given} - set(self.answers) - set(elsewhere))
        other = sum(name in elsewhere for _, name in given)
        problems, notes = [], []
        if nobody:
            problems.append(f"marks.csv: no student is called {_listed(nobody)}. These marks do not count")
        if unknown:
            problems.append(f"marks.csv: no question is called {_listed(unknown)}. These marks do not count")
        if other:
            notes.append(f"marks.csv: marks for questions that are not graded here: {other}.")
        return problems, notes


def _listed(names: Sequence[str]) -> str:
    """Return names with 'or' between them; of very many the first few."""
    shown = [repr(name[:60]) for name in names[:_MOST_NAMES]]
    if len(names) > _MOST_NAMES:
        shown.append(f"one of {len(names) - _MOST_NAMES} more names")
    return " or ".join(shown)


def collect(path: Path, results: Sequence[Result], answers: Mapping[str, int]) -> Marks:
    """Return the marks in the file, with a new row for every answer that is not in it yet.

    `answers` are the course's questions, each with its maximum. A question that a notebook adds is not one of
    them.
    """
    students = [result.student for result in results]
    rows = _read(path, students)
    for result in results:
        for answer in result.answers:
            if answer.name in answers:
                rows.setdefault((result.student, answer.name), Mark())
    for (who, name), mark in rows.items():
        given = mark.points
        if given is not None and given > answers.get(name, given):
            raise TableError(f"{path}: {who} has {given:g} points for {name}, of {answers[name]}")
    return Marks(rows, answers)


def rows_by_key(marks: Marks) -> Iterator[tuple[tuple[str, str], MarkRow]]:
    """Return the lines of the marks file by their owner and question."""
    for (who, name), mark in sorted(marks.rows.items(), key=lambda item: item[0]):
        points = "" if mark.points is None else f"{mark.points:g}"
        yield (
            (who, name),
            MarkRow(str(harmless(who)), name, points, marks.answers.get(name, ""), mark.comment),
        )


def table(marks: Marks) -> list[tuple[str | int, ...]]:
    """The rows of the marks file."""
    return [MarkRow._fields, *(row for _, row in rows_by_key(marks))]


def _read(path: Path, students: Iterable[str]) -> dict[tuple[str, str], Mark]:
    known, found = names_back(students), dict[tuple[str, str], Mark]()
    for row in lines_of(path, MarkRow._fields, rewritten=True):
        points, comment, student = row["points"].number(), row["comment"].written, row["student"].written
        key = known.get(student, student), row["answer"].written
        before = found.setdefault(key, Mark(points, comment))
        if before.points is None:  # a line without a mark does not delete one
            found[key] = Mark(points, comment or before.comment)
        elif points not in (None, before.points):
            raise row["points"].error(f"is not the {before.points:g} that an earlier line gives for the same")
    return found
