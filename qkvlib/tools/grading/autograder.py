"""Judge one student's work in Gradescope's container.

`python -m qkvlib.tools.grading.autograder ROOT` reads what `qkv export --gradescope` packed and writes
results.json.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from qkvlib.learner.files import write_atomically
from qkvlib.tools.grading.inbox.submissions import find_submissions
from qkvlib.tools.grading.processes import hide_from_others
from qkvlib.tools.grading.publish.plan import Plan, read_plan
from qkvlib.tools.grading.queue.grade_class import Options, grade_class, result_of_nothing
from qkvlib.tools.grading.queue.pool import WallsMissingError
from qkvlib.tools.grading.queue.record import Record
from qkvlib.tools.grading.results import Result, Row
from qkvlib.tools.grading.sandbox.child.walls import NEEDED
from qkvlib.tools.grading.settings import Settings


class _Aloud:
    """Write messages to the platform's own log."""

    def begin(self, total: int) -> None:
        """Do nothing: there is only one submission."""

    def advance(self) -> None:
        """Do nothing: there is only one submission."""

    def say(self, line: str) -> None:
        print(line, flush=True)


def judged(folder: Path, exercises: Sequence[str], plan: Plan, require_isolation: bool = False) -> Result:
    """Judge all notebooks in a folder as the work of one student."""
    with tempfile.TemporaryDirectory() as made:
        room = Path(made)
        # Links stay links, which are not read.
        shutil.copytree(
            folder, room / "class" / "student", symlinks=True, ignore=shutil.ignore_patterns(".*")
        )
        (submission,), _ = find_submissions(room / "class")
        if not submission.files:
            return result_of_nothing(submission)
        hide_from_others()
        options = Options(Settings(require_isolation=require_isolation), exercises=tuple(exercises))
        with closing(Record(room / "results.jsonl")) as record:
            graded = grade_class(room / "class", record, options, _Aloud())
    (result,) = plan.apply(graded).results
    return result


def run_gradescope(root: Path) -> None:
    """Judge ROOT/submission, and write ROOT/results/results.json.

    If the work cannot be graded, nothing is written, and Gradescope tells student and instructor. Everything
    that this reads, it reads before the student's code runs, because that code might change it.
    """
    source = root / "source"
    order = json.loads((source / "order.json").read_text(encoding="utf-8"))
    plan = read_plan(source / "plan.csv")
    result = judged(root / "submission", order["exercises"], plan, order["require_isolation"])
    if result.fault:
        raise SystemExit(f"NOT GRADED: {result.fault}")
    written = _shown(result)
    if result.points is not None:  # otherwise nothing was run
        missing = [wall for wall in NEEDED if wall not in result.walls]
        said = f"walls missing: {', '.join(missing)}" if missing else "all needed walls stood"
        written["output"] = f"{written['output']} (Isolation: {said}.)".strip()
    write_atomically(root / "results" / "results.json", json.dumps(written, indent=1) + "\n")


def _shown(result: Result) -> dict[str, object]:
    """Return what Gradescope shows of a result, in the form of its "Autograder Specifications"."""
    return {
        "score": result.points or 0,
        "output": " ".join(result.problems),
        "output_format": "text",
        "stdout_visibility": "hidden",
        "tests": [_shown_row(row) for row in result.exercises],
    }


def _shown_row(row: Row) -> dict[str, object]:
    return {
        "name": row.exercise,
        "score": row.points,
        "max_score": row.possible,
        "status": "passed" if row.outcome == "right" else "failed",
        "output": "\n".join(filter(None, (row.diagnosis, row.question, row.message))),
        "output_format": "text",
        "visibility": "visible",
    }


if __name__ == "__main__":
    try:
        run_gradescope(Path(sys.argv[1]))
    except WallsMissingError as error:
        raise SystemExit(f"NOT GRADED: these walls are missing here: {error}") from None
    except (ValueError, FileNotFoundError) as error:
        raise SystemExit(str(error)) from None
