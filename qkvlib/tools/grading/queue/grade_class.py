"""Grade a class: find the submissions, judge each once, keep the record, return the results.

Trusted. Whatever goes wrong with one submission affects only that submission.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Protocol

import qkvlib
from qkvlib.tools.grading import seeds
from qkvlib.tools.grading.inbox.notebook_file import NotANotebookError
from qkvlib.tools.grading.inbox.submissions import Submission, find_submissions
from qkvlib.tools.grading.job import Job
from qkvlib.tools.grading.lateness import LatePolicy, is_later
from qkvlib.tools.grading.queue.cluster import run_jobs_on_cluster
from qkvlib.tools.grading.queue.pool import Jobs, Judged, WorkerProcess, rest_of, run_jobs
from qkvlib.tools.grading.queue.record import Record
from qkvlib.tools.grading.results import (
    WANTS_A_LOAN,
    ExerciseFacts,
    GradedClass,
    Judgement,
    Result,
    told_apart,
)
from qkvlib.tools.grading.sandbox.child.walls import NEEDED
from qkvlib.tools.grading.settings import Settings, TimeLimits

_MOST_BYTES = 96 << 20  # of one student's notebooks: less than a worker takes at once
_MOST_LINES = 8  # about one student
_MOST_EARLIER = 100  # files of one student that the record names although they do not count
_PACKAGE = Path(qkvlib.__file__).resolve().parent
# The parts of the package on which no verdict depends. It may depend on anything else, even on new files.
JUDGES_NOTHING = (
    "app/",
    "widgets/",
    "tools/cli.py",
    "tools/authoring/",
    "tools/page_torch/",
    "tools/site/",
    "tools/grading/publish/",
    "tools/grading/autograder.py",
    "tools/grading/cli.py",
    "tools/grading/lateness.py",
)


@dataclass(frozen=True)
class Options:
    """The instructor's options: see `qkv grade --help`.

    Without `exercises`, grade those of every chapter that most submissions are about. With a `scheduler`, a
    dask cluster does the work, and otherwise as many `workers` on this machine.
    """

    settings: Settings = field(default_factory=Settings)
    workers: int = 1
    exercises: tuple[str, ...] = ()
    late: LatePolicy = field(default_factory=LatePolicy)
    scheduler: str = ""


class _Budget:
    """How long the next student's work may take: less, once others' work has hung for long."""

    def __init__(self, limits: TimeLimits) -> None:
        self._limits = limits
        self._left = limits.hanging

    def spend(self, seconds: float) -> None:
        """Record that a student's work took this long."""
        self._left -= max(0.0, seconds - self._limits.usual)

    def seconds(self) -> float:
        """Return the time for the next student."""
        most = min(self._limits.student, self._left)
        return max(self._limits.usual, most)


def _handed_in(place: Path, progress: Progress) -> tuple[list[Submission], list[str]]:
    """Return every student's submission, and what is odd about them; raise if there is no notebook at all."""
    found, problems = find_submissions(place)
    for problem in problems:
        progress.say(problem)
    if not any(submission.files for submission in found):
        raise FileNotFoundError(
            f"{place}: no notebook was handed in. Expected are files whose names end in .ipynb, in "
            "the folder or the zip that the platform gave"
        )
    return found, problems


def _hiding(settings: Settings, *folders: Path) -> Settings:
    """Return the settings under which a submission cannot see the folders of the class and of the results."""
    hidden = tuple(str(folder.resolve()) for folder in folders)
    return replace(settings, plan=replace(settings.plan, hidden=hidden))


class Progress(Protocol):
    """Reports how a run is going."""

    def begin(self, total: int) -> None:
        """This many submissions are going to be judged."""

    def advance(self) -> None:
        """One of them has been judged."""

    def say(self, line: str) -> None:
        """Tell the instructor something now."""


def grade_class(place: Path, record: Record, options: Options, progress: Progress) -> GradedClass:
    """Grade everything in `place` that is not in the record yet; return every student's result."""
    found, problems = _handed_in(place, progress)
    empty = [submission for submission in found if not submission.files]
    found = [submission for submission in found if submission.files]
    late, unknown = options.late.matched(found)
    problems += unknown
    settings = _hiding(options.settings, place, record.path.parent)
    options = replace(options, settings=settings, late=late)
    first = WorkerProcess(options.settings)
    try:
        first.start()
        exercises = _choose(first.exercises, options.exercises, found, progress)
        _warn_of_missing_walls(first.walls, progress)
        names, version = tuple(exercises), fingerprint(list(exercises))
        secret = seeds.of_a_run()
        keys = {s.student.key: _key(s, version) for s in found}
        called = told_apart({s.student.key: s.student.name for s in found})
        waiting = {key: s for s in found if (key := keys[s.student.key]) not in record.keys}
        if record.keys and not record.keys & set(keys.values()):
            progress.say(
                f"Nothing in {record.path} is of this work under this version of qkvlib and its "
                "exercises. Everything is graded again."
            )
        budget = _Budget(options.settings.time_limits)
        jobs = [_job_maker(s, key, names, secret, budget) for key, s in waiting.items()]
        progress.begin(len(waiting))
        with closing(_run(jobs, first, options)) as all_judged:
            for job, judged in all_judged:
                budget.spend(judged.seconds)
                if judged.fault == WANTS_A_LOAN:
                    continue  # it comes a second time
                submission = waiting[job.key]
                record.add(late.applied(_result(submission, job, judged), submission))
                progress.advance()
                for line in judged.complaints()[:_MOST_LINES]:
                    progress.say(f"{called[submission.student.key]}: {line}")
    finally:
        first.stop()
    latest = {result.student: result for result in record.results(set(keys.values()))}
    by_student = {submission.student.key: submission for submission in found}
    today = [late.applied(one, by_student[student]) for student, one in latest.items()]
    for now in today:
        if is_later(now, latest[now.student]):
            record.add(now)  # so that a later run knows what it forgets
    notes = late.notes(found) + late.forgotten(latest.values(), today)
    judged_all = [replace(one, problems=(*one.problems, *by_student[one.student].problems)) for one in today]
    judged_all += map(result_of_nothing, empty)
    results = tuple(sorted(judged_all, key=lambda result: result.student))
    problems += _once_each(results)
    questions = _questions(first.questions, first.exercises, exercises)
    graded_now = [latest[one.student.key] for one in waiting.values() if one.student.key in latest]
    rewritten = _rewritten(record.earlier_answers(set(keys.values())), graded_now)
    elsewhere = frozenset(first.questions) - questions.keys()
    return GradedClass(
        exercises, results, tuple(problems), len(waiting), questions, rewritten, tuple(notes), elsewhere
    )


def _rewritten(
    before: Mapping[str, Mapping[str, str]], graded_now: Sequence[Result]
) -> tuple[tuple[str, str], ...]:
    """Return whose answers to what have changed since an earlier run."""
    return tuple(
        (result.student, answer.name)
        for result in graded_now
        for answer in result.words().values()
        if before.get(result.student, {}).get(answer.name, answer.text) != answer.text
    )


def _once_each(results: Sequence[Result]) -> list[str]:
    """Return what a person has to look at. A line on three students names one and counts the others."""
    whose: dict[str, list[str]] = {}
    for result in results:
        lines = result.complaints()
        shown = lines[:_MOST_LINES]
        if len(lines) > _MOST_LINES:
            shown.append(f"and {len(lines) - _MOST_LINES} lines more, in the report")
        for line in shown:
            whose.setdefault(line, []).append(result.student)
    return [f"{students[0]}{_and_the_rest(students[1:])}: {line}" for line, students in whose.items()]


def _and_the_rest(others: Sequence[str]) -> str:
    if len(others) < 2:
        return "".join(f" and {name}" for name in others)
    return f" and {len(others)} more"


def _run(jobs: Jobs, first: WorkerProcess, options: Options) -> Generator[Judged, None, None]:
    """Return every job with its judgement, from the cluster or from this machine's workers."""
    if options.scheduler:
        waiting: dict[str, Judged] = {}
        for job, judged in run_jobs_on_cluster(options.scheduler, options.settings, jobs):
            yield job, judged
            if judged.fault == WANTS_A_LOAN:
                waiting[job.key] = job, judged
        limits = options.settings.time_limits
        alone = [partial(rest_of, *one, limits) for one in waiting.values()]
        for rest, judged in run_jobs(alone, [first]):
            job, so_far = waiting[rest.key]
            yield job, so_far.with_the_rest(judged, job.names)
        return
    others = [WorkerProcess(options.settings) for _ in range(options.workers - 1)]
    yield from run_jobs(jobs, [first, *others])


def _result(submission: Submission, job: Job, judged: Judgement) -> Result:
    """Turn a judgement into a result, with its student."""
    student = submission.student
    return Result(
        **vars(judged),
        key=job.key,
        student=student.key,
        name=student.name,
        number=student.number,
        handed_in=_moment(max((file.when or 0.0 for file in submission.files), default=0.0)),
        files=job.files,
        earlier=tuple(
            ", ".join(filter(None, (file.name, _moment(file.when))))
            for file in submission.earlier[-_MOST_EARLIER:]
        ),
        seed=job.seed,
    )


def result_of_nothing(submission: Submission) -> Result:
    """Return the result of a student who handed in no notebook: no points, and a line that says why."""
    student = submission.student
    return Result(
        key="",
        student=student.key,
        name=student.name,
        number=student.number,
        handed_in="",
        problems=submission.problems,
    )


def _moment(when: float | None) -> str:
    if not when:
        return ""
    try:
        return datetime.fromtimestamp(when).isoformat()
    except (ValueError, OverflowError, OSError):  # some disks have times that no calendar has
        return ""


def _choose(
    catalogue: Mapping[str, ExerciseFacts],
    chosen: Sequence[str],
    found: Sequence[Submission],
    progress: Progress,
) -> dict[str, ExerciseFacts]:
    """Return the requested exercises, or else those of the chapters that most submissions are about.

    So no student can raise everyone's total by handing in more than was asked for.
    """
    numbers = {int(word) for word in chosen if word.isdigit()}
    if unknown := [w for w in chosen if w not in catalogue and not w.isdigit()]:
        raise ValueError(f"no exercise is called {unknown[0]!r}")
    if not chosen:
        about = [chapters for one in found if (chapters := _chapters(one, catalogue))]
        counts = Counter(chapter for chapters in about for chapter in chapters)
        numbers = {chapter for chapter, many in counts.items() if 2 * many > len(about)}
        for chapter in sorted(counts.keys() - numbers):
            progress.say(
                f"Chapter {chapter} is in {counts[chapter]} of {len(about)} submissions, and is "
                "not graded. With --exercises you say what is."
            )
    return {k: v for k, v in catalogue.items() if k in chosen or v.chapter in numbers}


def _chapters(submission: Submission, catalogue: Mapping[str, ExerciseFacts]) -> set[int]:
    """Return the chapters of which a submission seems to define at least half of the exercises.

    A lesson does, whether it was worked on or not; a stray function with an exercise's name is no lesson.
    """
    wanted = {name.encode(): facts.chapter for name, facts in catalogue.items()}
    words: set[bytes] = set()
    for data, _ in _contents(submission):
        found = re.finditer(rb"def\s{1,9}(\w{1,60})\s{0,9}\(", data)
        words |= {one[1] for one in found if one[1] in wanted}
    chapters = Counter(facts.chapter for facts in catalogue.values())
    defined = Counter(wanted[word] for word in words)
    return {chapter for chapter, many in defined.items() if 2 * many >= chapters[chapter]}


def _questions(
    questions: Mapping[str, ExerciseFacts],
    catalogue: Mapping[str, ExerciseFacts],
    exercises: Mapping[str, ExerciseFacts],
) -> dict[str, ExerciseFacts]:
    """Return the questions of the chapters that are graded as a whole."""
    whole = {facts.chapter for facts in exercises.values()}
    whole -= {facts.chapter for name, facts in catalogue.items() if name not in exercises}
    return {name: one for name, one in questions.items() if one.chapter in whole}


def _warn_of_missing_walls(standing: Sequence[str], progress: Progress) -> None:
    missing = [wall for wall in NEEDED if wall not in standing]
    if missing:
        progress.say(
            "WARNING: on this machine the isolation of submissions is partial: these walls are "
            f"missing: {', '.join(missing)}. The points are still given by another process, but a "
            "submission may be able to read this user's files, the course's answers among them, "
            "or to change them. Grade on Linux (5.13 or newer), or in a virtual machine with it."
        )


def _job_maker(
    submission: Submission, key: str, names: tuple[str, ...], secret: int, budget: _Budget
) -> Callable[[], Job]:
    """Read the files when a worker is free, so that only a few are in memory."""

    def make() -> Job:
        contents, troubles = zip(*_contents(submission), strict=True)
        return Job(
            key,
            files=tuple(file.name for file in submission.files),
            sizes=tuple(len(data) for data in contents),
            troubles=troubles,
            names=names,
            seed=seeds.derived(secret, key),
            payload=b"".join(contents),
            seconds=budget.seconds(),
        )

    return make


def _contents(submission: Submission) -> Iterator[tuple[bytes, str]]:
    """Return each file's bytes and its trouble, up to the number of bytes that is read for one student."""
    room = _MOST_BYTES
    for file in submission.files:
        data, trouble = b"", ""
        try:
            data = file.read() if room else b""
        except NotANotebookError as error:
            trouble = str(error)
        if not room or len(data) > room:
            data, trouble, room = b"", f"with it there are more than {_MOST_BYTES >> 20} MB", 0
        room -= len(data)
        yield data, trouble


def _key(submission: Submission, version: str) -> str:
    """Return a key that is the same for the same work under the same grader, whatever else changes."""
    parts = [version, submission.student.key]
    for file, (data, trouble) in zip(submission.files, _contents(submission), strict=True):
        parts += [file.name, hashlib.sha256(data).hexdigest(), trouble, str(file.late)]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


def fingerprint(names: Sequence[str], package: Path = _PACKAGE) -> str:
    """Return a hash of the grader and the exercises: when either changes, everything is graded again.

    It covers more of the package than judging needs, so that neither a new import nor a moved file can escape
    it. It leaves out what is done before a judgement is requested, and with its result.
    """
    digest = hashlib.sha256("\0".join(sorted(names)).encode())
    for path in sorted(package.rglob("*.py")):
        place = path.relative_to(package).as_posix()
        if not place.startswith(JUDGES_NOTHING):
            content = path.read_bytes()
            digest.update(f"\0{place}\0{len(content)}\0".encode())
            digest.update(content)
    return digest.hexdigest()
