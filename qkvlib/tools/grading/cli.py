"""The commands `qkv grade` and `qkv export`. The rest is loaded when it is needed."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from qkvlib.tools.grading.results import GradedClass

# The exit code says whether someone has to look: 1 at some submissions, 3 and 4 at the machine.
_FINE, _LOOK, _USAGE, _RECORD, _ISOLATION, _STOPPED = 0, 1, 2, 3, 4, 130


def add_commands(commands: Any) -> None:
    """Add the commands to the parser of `qkv`."""
    _add_grade(commands)
    _add_export(commands)


def _add_grade(commands: Any) -> None:
    grade = commands.add_parser("grade", help="grade a class's submissions")
    grade.add_argument("submissions", type=Path, help="a folder, or the zip of a learning platform")
    grade.add_argument("--out", type=Path, default=Path("graded"), help="default: graded")
    grade.add_argument("--jobs", type=int, help="how many at once at most; default: one a core")
    grade.add_argument("--scheduler", metavar="ADDRESS", help="of a dask.distributed cluster")
    grade.add_argument(
        "--require-isolation", action="store_true", help="refuse to run where a wall is missing"
    )
    grade.add_argument(
        "--exercises",
        nargs="+",
        default=[],
        metavar="NAME",
        help="names or chapter numbers; default: the chapters that most handed in",
    )
    grade.add_argument(
        "--due",
        metavar="WHEN",
        type=_moment,
        help="such as 2026-11-20T23:59, or 2026-11-20 for the end of that day",
    )
    grade.add_argument(
        "--late", metavar="PERCENT", type=_percent, default=0.0, help="taken off for each day of delay"
    )
    grade.add_argument(
        "--assignment",
        metavar="COLUMN",
        default="qkvlib",
        help="what canvas.csv calls it, as in Canvas's own export: 'Homework 1 (4711)'",
    )
    grade.set_defaults(run=_grade)


def _add_export(commands: Any) -> None:
    export = commands.add_parser(
        "export", help="feedback for a platform, or what nbgrader and Gradescope run"
    )
    export.add_argument(
        "--feedback",
        type=Path,
        metavar="SUBMISSIONS",
        help="pack the reports on these, as Canvas or Moodle takes them",
    )
    export.add_argument("--nbgrader", type=Path, metavar="DIR", help="write a course folder")
    export.add_argument("--gradebook", type=Path, metavar="DB", help="write grades to gradebook.db")
    export.add_argument(
        "--gradescope", type=Path, metavar="ZIP", help="write an autograder that judges there"
    )
    export.add_argument(
        "--exercises", nargs="+", default=[], metavar="NAME", help="for Gradescope: names or chapter numbers"
    )
    export.add_argument(
        "--require-isolation",
        action="store_true",
        help="for Gradescope: judge nothing where a wall is missing",
    )
    export.add_argument("--out", type=Path, default=Path("graded"), help="what `qkv grade` wrote")
    export.set_defaults(run=_export)


def _moment(words: str) -> float:
    """Read a moment; a day alone ends at midnight, as in extensions.csv."""
    from qkvlib.tools.grading.lateness import end_of_day

    with suppress(ValueError, OverflowError):
        return end_of_day(date.fromisoformat(words))
    with suppress(ValueError, OverflowError):
        return datetime.fromisoformat(words).timestamp()
    raise argparse.ArgumentTypeError(f"{words!r} is no day: write 2026-11-20, or 2026-11-20T23:59")


def _percent(words: str) -> float:
    with suppress(ValueError):
        if 0 <= float(words) <= 100:
            return float(words)
    raise argparse.ArgumentTypeError(f"{words!r} is no number from 0 to 100")


def _grade(chosen: argparse.Namespace) -> int:
    from qkvlib.tools.grading.queue.pool import WallsMissingError, WorkerLostError
    from qkvlib.tools.grading.queue.record import RecordError

    if sys.platform != "linux":
        return _complain(
            "`qkv grade` runs strangers' code, which it can shut in on Linux alone. Run it there: "
            "on Windows in WSL, elsewhere in a container or a virtual machine.",
            _ISOLATION,
        )
    try:
        with _for_this_user_alone():
            graded = _graded(chosen)
    except (FileNotFoundError, ValueError, ImportError) as error:
        return _complain(error, _USAGE)
    except RecordError as error:
        return _complain(error, _RECORD)
    except OSError as error:
        return _complain(f"{error}. {_go_on(chosen)}", _RECORD)
    except KeyboardInterrupt:
        return _complain(f"Stopped. {_go_on(chosen)}", _STOPPED)
    except WallsMissingError as error:
        return _complain(
            f"Nothing was graded: this machine cannot put up these walls around a submission: "
            f"{error}. Grade on Linux (5.13 or newer), or without --require-isolation.",
            _ISOLATION,
        )
    except WorkerLostError as error:
        return _complain(f"{error}. {_go_on(chosen)} QKVLIB_DEBUG=1 shows why.", _RECORD)
    return _LOOK if graded.problems else _FINE


@contextmanager
def _for_this_user_alone() -> Iterator[None]:
    """Keep the points and answers that are written meanwhile unreadable for the machine's other users."""
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)


def _go_on(chosen: argparse.Namespace) -> str:
    return (
        f"Nothing graded so far is lost: it is in {chosen.out / 'results.jsonl'}. "
        "Run the same command again, and it goes on from there."
    )


def _complain(what: object, code: int) -> int:
    print(what, file=sys.stderr)
    return code


class _Bar:
    """Show a run's progress as a bar, with messages above it."""

    bar: Any = None

    def begin(self, total: int) -> None:
        from tqdm import tqdm

        self.bar = tqdm(total=total, unit=" submissions", disable=total == 0)

    def advance(self) -> None:
        self.bar.update()

    def say(self, line: str) -> None:
        from tqdm import tqdm

        tqdm.write(line)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()


def _graded(chosen: argparse.Namespace) -> GradedClass:
    from qkvlib.tools.grading import processes
    from qkvlib.tools.grading.lateness import LatePolicy
    from qkvlib.tools.grading.publish.overrides import read_extensions
    from qkvlib.tools.grading.publish.write_all import summary, write_all
    from qkvlib.tools.grading.queue.grade_class import Options, grade_class
    from qkvlib.tools.grading.queue.pool import cores
    from qkvlib.tools.grading.queue.record import Record
    from qkvlib.tools.grading.settings import Settings

    extensions = read_extensions(chosen.out / "extensions.csv")
    options = Options(
        settings=Settings(require_isolation=chosen.require_isolation),
        workers=chosen.jobs or cores(),
        exercises=tuple(chosen.exercises),
        late=LatePolicy(chosen.due, chosen.late, extensions),
        scheduler=chosen.scheduler or "",
    )
    processes.hide_from_others()
    with closing(Record(chosen.out / "results.jsonl")) as record:
        with closing(_Bar()) as bar:
            graded = grade_class(chosen.submissions, record, options, bar)
        # The record is still locked by us: no other run writes.
        written = write_all(chosen.out, graded, chosen.assignment)
    print(summary(written))
    return written.graded


def _export(chosen: argparse.Namespace) -> int:
    from qkvlib.tools.grading.publish.nbgrader_course import write_course
    from qkvlib.tools.grading.publish.nbgrader_gradebook import write_gradebook

    if not any((chosen.nbgrader, chosen.gradebook, chosen.feedback, chosen.gradescope)):
        words = "--feedback SUBMISSIONS, --gradescope ZIP, --nbgrader DIR, "
        return _complain(f"Say what: {words}--gradebook DB.", _USAGE)
    try:
        if chosen.nbgrader:
            for path in write_course(Path.cwd() / "solutions", chosen.nbgrader):
                print(path)
        with _for_this_user_alone():
            if chosen.gradescope:
                return _gradescope(chosen)
            if chosen.feedback:
                return _feedback(chosen.feedback, chosen.out)
            if chosen.gradebook:
                count = write_gradebook(chosen.out / "results.jsonl", chosen.gradebook)
                print(f"{chosen.gradebook}: the grades of {count} students")
    except (FileNotFoundError, ImportError, ValueError) as error:
        return _complain(error, _USAGE)
    return _FINE


def _feedback(place: Path, out: Path) -> int:
    from qkvlib.tools.grading.inbox.submissions import find_submissions
    from qkvlib.tools.grading.publish.feedback import write_feedback

    found, _ = find_submissions(place)
    names = (
        (one.student.key, file.member or file.path.relative_to(place).as_posix())
        for one in found
        for file in one.files[:1]
    )
    written, problems = write_feedback(out, names)
    for path in written:
        print(path)
    for line in problems:
        print(line, file=sys.stderr)
    return _LOOK if problems else _FINE


def _gradescope(chosen: argparse.Namespace) -> int:
    from qkvlib.exercises import EXERCISES
    from qkvlib.tools.grading.publish.platforms import write_gradescope

    known = {*EXERCISES, *(str(one.chapter) for one in EXERCISES.values())}
    if not chosen.exercises:
        raise ValueError("Say --exercises and what is graded: chapter numbers, or names.")
    if unknown := [name for name in chosen.exercises if name not in known]:
        raise ValueError(f"no exercise and no chapter is called {unknown[0]!r}")
    path = write_gradescope(
        chosen.gradescope, chosen.exercises, chosen.out / "plan.csv", chosen.require_isolation
    )
    print(f"{path}: upload it as the assignment's autograder. It holds the answers")
    return _FINE
