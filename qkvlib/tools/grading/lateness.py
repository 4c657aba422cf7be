"""When work was due, what a day of delay costs, and for whom it is otherwise.

Lateness is worked out anew in each run, from the times at which files were handed in: it needs no
grading, and another deadline tomorrow gives other points tomorrow.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from qkvlib.tools.grading.results import Result, Row

_DAY = 86400


class _Student(Protocol):
    @property
    def key(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def number(self) -> str: ...


class _File(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def when(self) -> float: ...
    @property
    def late(self) -> bool: ...


class HandedIn(Protocol):
    """What has to be known of a submission: whose it is, and when each file came."""

    @property
    def student(self) -> _Student: ...
    @property
    def files(self) -> Sequence[_File]: ...


@dataclass(frozen=True)
class Deadline:
    """When something is due, from when on it counts nothing, and percent a day. None: not said."""

    due: float | None = None
    cut_off: float | None = None
    percent: float | None = None


@dataclass(frozen=True)
class Extension:
    """For one student: due so many `days` later, or `due` at a moment of its own.

    `free` days of delay cost nothing. They move no deadline and no cut-off.
    """

    days: float = 0.0
    due: float | None = None
    free: int = 0


@dataclass(frozen=True)
class Delay:
    """How many days late, begun ones included, how many of them are free, and what still counts."""

    days: int = 0
    free: int = 0
    factor: float = 1.0


@dataclass(frozen=True)
class LatePolicy:
    """When the work was due, and how many percent of the points a day of delay costs.

    `extensions` says for whom it is otherwise. `deadlines` are those of an exercise, by its name,
    of a chapter ("chapter 3"), and of everything ("all"); what the nearest does not say, the next
    does.
    """

    due: float | None = None
    percent_a_day: float = 0.0
    extensions: Mapping[str, Extension] = field(default_factory=dict)
    deadlines: Mapping[str, Deadline] = field(default_factory=dict)

    def of(self, exercise: str = "", chapter: int | None = None) -> Deadline:
        """The deadline of an exercise; without one, that of everything."""
        names = (exercise, f"chapter {chapter}", "all")
        said = [one for name in names if (one := self.deadlines.get(name))]
        said.append(Deadline(self.due, None, self.percent_a_day))

        def first(part: Callable[[Deadline], float | None]) -> float | None:
            return next((value for one in said if (value := part(one)) is not None), None)

        return Deadline(first(lambda d: d.due), first(lambda d: d.cut_off),
                        first(lambda d: d.percent))  # fmt: skip

    def applied(self, result: Result, submission: HandedIn) -> Result:
        """The result with what lateness costs today: the record may know other deadlines.

        An exercise is as late as the notebook that it was found in. Answers in words count as the
        latest of these exercises does.
        """
        extension = self.extension(submission)
        came = {file.name: file for file in submission.files}
        rows, found = [], []
        for row in result.exercises:
            files = [came[row.file]] if row.file in came else submission.files
            delay = self._delay(self.of(row.exercise, row.chapter), files, extension)
            rows.append(_counting(row, delay.factor))
            if row.file in came:
                found.append(delay)
        found = found or [self._delay(self.of(), submission.files, extension)]
        return replace(
            result, exercises=tuple(rows), late_days=max(one.days for one in found),
            free_days=max(one.free for one in found),
            late_factor=min(one.factor for one in found),
        )  # fmt: skip

    def extension(self, submission: HandedIn) -> Extension:
        """What was granted to whoever handed this in: the most of what stands under any name."""
        granted = [
            one for name in names_of(submission) if (one := self.extensions.get(name)) is not None
        ]
        granted.sort(key=lambda one: (one.days, one.due or 0.0, one.free))
        return granted[-1] if granted else Extension()

    def problems(self, found: Sequence[HandedIn]) -> list[str]:
        """A line for each extension that is not one student's."""
        many = Counter(name for submission in found for name in names_of(submission))
        return [
            f"the extension of {name[:100]!r} is that of {many[name]} students who handed in"
            for name in self.extensions
            if many[name] != 1
        ]

    def _delay(self, deadline: Deadline, files: Collection[_File], extension: Extension) -> Delay:
        due, cut_off = _extended(deadline, extension)
        last = max(file.when for file in files)
        if due is None:  # then the platform says that it came late, and not by how much
            days = int(any(file.late for file in files) and extension.days < 1)
        else:
            days = max(0, -int((due - last) // _DAY))
        free = min(days, extension.free)
        factor = max(0.0, 1 - (days - free) * (deadline.percent or 0.0) / 100)
        return Delay(days, free, 0.0 if cut_off is not None and last > cut_off else factor)


def names_of(submission: HandedIn) -> set[str]:
    """What an instructor may call whoever handed it in."""
    student = submission.student
    return {student.key, student.name, student.number} - {""}


def _extended(deadline: Deadline, extension: Extension) -> tuple[float | None, float | None]:
    """When it is due, and when it is too late, for somebody with this extension."""
    due, cut_off = deadline.due, deadline.cut_off
    more = _DAY * extension.days
    due = extension.due if extension.due is not None else due and due + more
    if cut_off is not None:
        cut_off = max(cut_off + more, extension.due or 0.0)
    return due, cut_off


def _counting(row: Row, factor: float) -> Row:
    return row if row.late_factor == factor else replace(row, late_factor=factor)
