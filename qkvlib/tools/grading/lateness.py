"""When work was due, what a day of delay costs, and who has an extension.

Each run computes the lateness again from the times that a platform recorded. That needs no grading, so a new
deadline tomorrow gives new points tomorrow.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta

from qkvlib.tools.grading.inbox.submissions import File, Submission
from qkvlib.tools.grading.results import Result

_DAY = 86400


@dataclass(frozen=True)
class Extension:
    """For one student: due this many `days` later, or `due` at a given time."""

    days: float = 0.0
    due: float | None = None


@dataclass(frozen=True)
class LatePolicy:
    """When the work was due, and how many percent of the points a day of delay costs.

    `extensions` lists the exceptions: under an instructor's name for a student, or, once they are `matched`,
    under the student's key.
    """

    due: float | None = None
    percent_a_day: float = 0.0
    extensions: Mapping[str, Extension] = field(default_factory=dict)

    def matched(self, found: Sequence[Submission]) -> tuple[LatePolicy, list[str]]:
        """Return the policy for this class, and a line for each extension that matches no single student. Of
        two extensions for one student, the larger counts."""
        granted: dict[str, Extension] = {}
        problems = []
        for name, one in self.extensions.items():
            owners = whose(name, found)
            if len(owners) != 1:
                many = len(owners) or "none"
                problems.append(f"extensions.csv: {name[:100]!r} is {many} of the students who handed in")
                continue
            key = owners[0].student.key
            granted[key] = max(one, granted.get(key, one), key=lambda each: (each.days, each.due or 0.0))
        return replace(self, extensions=granted), problems

    def applied(self, result: Result, submission: Submission) -> Result:
        """Return the result with what lateness costs today: the record may have been written under other
        deadlines.

        An exercise is as late as the notebook that contains it. Answers in words are as late as the latest
        notebook that contains one that counts.
        """
        extension = self.extensions.get(submission.student.key, Extension())
        came = {file.name: file for file in submission.files}
        rows, found = [], []
        for row in result.exercises:
            files = [came[row.file]] if row.file in came else submission.files
            days = self._days(files, extension)
            rows.append(replace(row, late_factor=self._factor(days)))
            if row.file in came:
                found.append(days)
        words = [self._days([came[x.file]], extension) for x in result.words().values() if x.file in came]
        days = max(found + words or [self._days(submission.files, extension)])
        factor = self._factor(max(words or [days]))
        return replace(result, exercises=tuple(rows), late_days=days, late_factor=factor)

    def notes(self, found: Sequence[Submission]) -> list[str]:
        """Return what the instructor has to know about this policy in this class, a line each."""
        timeless = [one for one in found if all(file.when is None for file in one.files)]
        marked = sum(any(file.late for file in one.files) for one in timeless)
        have = "has" if marked == 1 else "have"
        late = f"{marked} of them {have} LATE in a file name, which counts as one day"
        lines = []
        if self.due is not None and timeless:
            lines.append(
                f"The time of submission is not known for {len(timeless)} of {len(found)} students. "
                + (f"{late}; the others count as on time." if marked else "They count as on time.")
            )
        if self.due is not None and not self.percent_a_day:
            lines.append("--due without --late takes nothing off.")
        if self.due is None and self.percent_a_day:
            lines.append(
                "--late without --due: only LATE in a file name counts, as one day "
                f"({marked} of {len(found)} students)."
            )
        return lines

    def forgotten(self, recorded: Iterable[Result], today: Iterable[Result]) -> list[str]:
        """Return a line if students count as late in an earlier run and not now, for want of an option."""
        if self.due is not None and self.percent_a_day:
            return []
        before, many = {result.student: result for result in recorded}, 0
        for now in today:
            then = before.get(now.student, now)
            fewer = self.due is None and then.late_days > now.late_days
            many += (fewer or _costs_more(then, now)) and now.student not in self.extensions
        students = "1 student" if many == 1 else f"{many} students"
        words = f"Lateness counts less than in an earlier run for {students}."
        return [f"{words} Repeat --due and --late in every run."] if many else []

    def _days(self, files: Collection[File], extension: Extension) -> int:
        """Return how many days late the work is; a part of a day counts as a day."""
        known = [file.when for file in files if file.when is not None]
        if self.due is None or not known:  # then the platform says that it came late, but not by how much
            granted = extension.days >= 1 or extension.due is not None
            return int(any(file.late for file in files) and not granted)
        due = self.due + _DAY * extension.days if extension.due is None else extension.due
        return max(0, -int((due - max(known)) // _DAY))

    def _factor(self, days: int) -> float:
        return max(0.0, 1 - days * self.percent_a_day / 100)


def is_later(now: Result, then: Result) -> bool:
    """Tell whether a result counts as later than it did in an earlier run."""
    return now.late_days > then.late_days or _costs_more(now, then)


def _costs_more(one: Result, other: Result) -> bool:
    """Tell whether lateness takes more off one of two results of the same work."""
    before, after = ([x.late_factor, *(row.late_factor for row in x.exercises)] for x in (one, other))
    return any(a < b for a, b in zip(before, after, strict=True))


def end_of_day(day: date) -> float:
    """Return when a day ends by this computer's clock: work that is due on it may come until then."""
    return (datetime.combine(day, time()) + timedelta(days=1)).timestamp()


def whose(name: str, found: Iterable[Submission]) -> list[Submission]:
    """Return the submissions that an instructor may mean by this name: the one with this key, because no two
    students share it, or else all whose owner has this name or number."""
    meant = [one for one in found if name in (one.student.key, one.student.name, one.student.number)]
    return [one for one in meant if name == one.student.key] or meant
