"""Grade a class: find the submissions, judge each once, keep the record, hand over the results.

Trusted. Everything that can go wrong with one submission stays with that submission.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import qkvlib
from qkvlib.grading import pool, submissions
from qkvlib.grading.notebooks import NotANotebookError
from qkvlib.grading.pool import Job, Worker
from qkvlib.grading.record import Record
from qkvlib.grading.settings import Settings
from qkvlib.grading.submissions import File, Submission

_PACKAGE = Path(qkvlib.__file__).resolve().parent

Say = Callable[[str], None]
Runner = Callable[[Iterable[Callable[[], Job]]], Iterator[tuple[Job, dict[str, Any]]]]


@dataclass(frozen=True)
class Late:
    """When the work was due, and how many percent of the points a day of delay costs."""

    due: float | None = None
    percent_a_day: float = 0.0

    def days(self, submission: Submission) -> int:
        """How many days, begun ones included, the latest file came after the deadline."""
        if any(file.late for file in submission.files) and self.due is None:
            return 1
        last = max(file.when for file in submission.files)
        return 0 if self.due is None else max(0, -int((self.due - last) // 86400))

    def factor(self, days: int) -> float:
        """What the points are multiplied by."""
        return max(0.0, 1 - days * self.percent_a_day / 100)


@dataclass(frozen=True)
class Graded:
    """A class, graded: one result a student, and what a human has to look at."""

    exercises: dict[str, dict[str, Any]]
    results: list[dict[str, Any]]
    problems: list[str]
    new: int


def grade_class(
    place: Path,
    record: Record,
    settings: Settings,
    workers: int,
    chosen: Sequence[str] = (),
    late: Late | None = None,
    say: Say = print,
    runner: Runner | None = None,
    progress: Callable[[int], Callable[[], None]] = lambda total: lambda: None,
) -> Graded:
    """Grade what is in `place` and not yet in the record; every student's result, by student."""
    found, problems = submissions.find(place)
    for problem in problems:
        say(problem)
    first = Worker(settings)
    try:
        first.start()
        exercises = _choose(first.hello["exercises"], chosen, found)
        _warn_of_missing_walls(first.hello["walls"], say)
        mark = fingerprint(list(exercises))
        seed = secrets.randbits(48)  # of this run: nobody has seen its cases before
        keys = {s.student.key: _key(s, mark) for s in found}
        waiting = [s for s in found if keys[s.student.key] not in record.keys]
        by_key = {keys[s.student.key]: s for s in waiting}
        jobs = (_job_maker(s, keys[s.student.key], list(exercises), seed) for s in waiting)
        if runner is None:
            # To start another worker costs as much as to judge some hundreds of functions.
            worthwhile = 1 + len(waiting) * len(exercises) // 800
            others = [Worker(settings) for _ in range(min(workers, worthwhile) - 1)]
            ran = pool.run(jobs, [first, *others])
        else:
            ran = runner(jobs)
        step = progress(len(waiting))
        for job, result in ran:
            _add(record, by_key[job.key], job, result, late or Late())
            step()
            for line in _complaints(result):
                say(f"{by_key[job.key].student.name}: {line}")
    finally:
        first.stop()
    wanted = set(keys.values())
    latest = {r["student"]: r for r in record.results() if r["key"] in wanted}
    results = [latest[name] for name in sorted(latest)]
    problems += [f"{r['student']}: {line}" for r in results for line in _complaints(r)]
    return Graded(exercises, results, problems, len(waiting))


def _add(
    record: Record, submission: Submission, job: Job, result: dict[str, Any], late: Late
) -> None:
    days = late.days(submission)
    student = submission.student
    record.add(
        {
            "key": job.key,
            "student": student.key,
            "name": student.name,
            "number": student.number,
            "handed_in": datetime.fromtimestamp(max(f.when for f in submission.files)).isoformat(),
            "late_days": days,
            "late_factor": late.factor(days),
            "files": [file["name"] for file in job.header["files"]],
            "earlier": [f"{file.name}, {datetime.fromtimestamp(file.when).isoformat()}"
                        for file in submission.earlier],
            "seed": job.header["seed"],
            **result,
        }
    )  # fmt: skip


def _complaints(result: dict[str, Any]) -> list[str]:
    fault = result.get("fault")
    return [*result.get("problems", []), *([f"NOT GRADED: {fault}"] if fault else [])]


def _choose(
    catalogue: dict[str, Any], chosen: Sequence[str], found: Sequence[Submission]
) -> dict[str, Any]:
    """The exercises asked for; else those of every chapter of which somebody defines one."""
    if chosen:
        numbers = {int(word) for word in chosen if word.isdigit()}
        unknown = [w for w in chosen if w not in catalogue and not w.isdigit()]
        if unknown:
            raise ValueError(f"no exercise is called {unknown[0]!r}")
        return {k: v for k, v in catalogue.items() if k in chosen or v["chapter"] in numbers}
    defined: set[str] = set()
    for submission in found:
        for file in submission.files:
            try:
                words = re.findall(rb"def\s+(\w{1,60})\s*\(", file.read())
            except NotANotebookError:
                continue
            defined |= {word.decode() for word in words} & catalogue.keys()
    chapters = {catalogue[name]["chapter"] for name in defined}
    return {k: v for k, v in catalogue.items() if v["chapter"] in chapters}


def _warn_of_missing_walls(standing: Sequence[str], say: Say) -> None:
    from qkvlib.grading.room.walls import ALL

    missing = [wall for wall in ALL if wall not in standing]
    if missing:
        say(
            f"WARNING: on this machine the isolation of submissions is partial: no wall around "
            f"{', '.join(missing)}. Verdicts cannot be forged, but a submission could read this "
            "user's files, the course's answers among them, or change them. Grade on Linux (5.13 "
            "or newer), or in a virtual machine."
        )


def _job_maker(submission: Submission, key: str, names: list[str], seed: int) -> Callable[[], Job]:
    """Reads the files when a worker is free, so that no more than a few are in memory."""

    def make() -> Job:
        files, payload = [], []
        for file in submission.files:
            data = _bytes(file)
            files.append({"name": file.name, "size": len(data)})
            payload.append(data)
        return Job(key, {"files": files, "names": names, "seed": seed}, b"".join(payload))

    return make


def _bytes(file: File) -> bytes:
    """The file's bytes; what cannot be read is sent on as no notebook, and reported as that."""
    try:
        return file.read()
    except NotANotebookError as error:
        return str(error).encode()


def _key(submission: Submission, mark: str) -> str:
    """The same for the same work under the same grader, whatever else changes."""
    parts = [mark, submission.student.key]
    for file in submission.files:
        parts += [file.name, hashlib.sha256(_bytes(file)).hexdigest(), str(file.late)]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


def fingerprint(names: Sequence[str], package: Path = _PACKAGE) -> str:
    """Of the grader and of the exercises: when either changes, everything is graded again.

    It covers all of the package's Python, more than is needed to judge, so that neither a new
    import nor a file that moves can escape it.
    """
    digest = hashlib.sha256("\0".join(sorted(names)).encode())
    for path in sorted(package.rglob("*.py")):
        content = path.read_bytes()
        digest.update(f"\0{path.relative_to(package).as_posix()}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def cores() -> int:
    """How many workers run at once by default."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
