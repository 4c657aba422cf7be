"""One student's work, judged where a platform runs us: Gradescope's container, GitHub's runner.

`python -m qkvlib.tools.grading.autograder gradescope ROOT` reads what `qkv export --gradescope`
packed and writes results.json; `... github FOLDER NAME...` shows the verdicts of a repository's
notebooks.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from qkvlib.learner.files import write_atomically
from qkvlib.tools.grading.processes import hide_from_others
from qkvlib.tools.grading.publish.marks import Marks
from qkvlib.tools.grading.publish.plan import read_plan
from qkvlib.tools.grading.publish.tables import gradescope, total
from qkvlib.tools.grading.queue.grade_class import Options, grade_class
from qkvlib.tools.grading.queue.record import Record
from qkvlib.tools.grading.results import Outcome, Result

_SIGNS: dict[Outcome, str] = {
    "right": "✓ right", "wrong": "✗ not yet", "raised": "! stopped with an error",
    "not attempted": "○ not attempted",
}  # fmt: skip
_NO_TRUST = (
    "These verdicts are for you to learn from. This file and the computer that ran it can be "
    "changed by whoever owns the repository, so the points are of no trust: your instructor grades "
    "with `qkv grade`."
)


class _Aloud:
    """What there is to say goes to the platform's own log."""

    def begin(self, total: int) -> None:
        """One submission: nothing to count."""

    def advance(self) -> None:
        """It is judged."""

    def say(self, line: str) -> None:
        print(line, flush=True)


def judged(folder: Path, exercises: Sequence[str], plan: Path | None = None) -> Result:
    """The result of all notebooks in a folder, as one student's."""
    with tempfile.TemporaryDirectory() as made:
        room = Path(made)
        _take_in(folder, room / "class" / "student")
        hide_from_others()
        record = Record(room / "results.jsonl")
        try:
            options = Options(exercises=tuple(exercises))
            graded = grade_class(room / "class", record, options, _Aloud())
        finally:
            record.close()
    if plan is not None:
        graded = read_plan(plan).apply(graded)
    if not graded.results:
        raise ValueError("no notebook was handed in: its name has to end in .ipynb")
    (result,) = graded.results
    return result


def run_gradescope(root: Path) -> None:
    """Judge ROOT/submission, and write ROOT/results/results.json.

    What could not be graded is written nowhere: Gradescope then tells student and instructor.
    """
    source = root / "source"
    exercises = json.loads((source / "exercises.json").read_text(encoding="utf-8"))
    result = judged(root / "submission", exercises, source / "plan.csv")
    if result.fault:
        raise SystemExit(f"NOT GRADED: {result.fault}")
    written = gradescope(result, total(result, Marks()), Marks())
    write_atomically(root / "results" / "results.json", json.dumps(written, indent=1) + "\n")


def run_github(folder: Path, exercises: Sequence[str]) -> None:
    """Judge a repository's notebooks; show the verdicts in the run's summary and its log.

    The step's output is what GitHub Classroom's own graders hand to its reporter.
    """
    result = judged(folder, exercises)
    text = _summary(result)
    print(text)
    _append("GITHUB_STEP_SUMMARY", text)
    encoded = base64.b64encode(json.dumps(_for_classroom(result)).encode()).decode()
    _append("GITHUB_OUTPUT", f"result={encoded}\n")
    if result.fault:
        raise SystemExit(f"NOT GRADED: {result.fault}")


def _take_in(folder: Path, place: Path) -> None:
    """Copy the ordinary notebooks of a folder, and nothing that a link leads to."""
    place.mkdir(parents=True)
    for where, inner, names in os.walk(folder):
        inner[:] = sorted(name for name in inner if not name.startswith("."))
        for name in sorted(names):
            path = Path(where) / name
            if path.suffix.lower() == ".ipynb" and path.is_file() and not path.is_symlink():
                within = place / path.relative_to(folder)
                within.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(path, within)


def _summary(result: Result) -> str:
    """The verdicts as Markdown. It holds the course's words only, and none of the learner's."""
    lines = ["## qkvlib", "", _NO_TRUST, "", "| exercise | verdict | points |", "|---|---|---|"]
    lines += [
        f"| `{row.exercise}` | {_SIGNS[row.outcome]} | {row.points} of {row.possible} |"
        for row in result.exercises
    ]
    for row in result.exercises:
        if row.diagnosis:
            lines += ["", f"**{row.exercise}**: {row.diagnosis} *{row.question}*"]
    return "\n".join([*lines, "", f"{result.points} of {result.possible} points.", ""])


def _for_classroom(result: Result) -> dict[str, object]:
    tests = [
        {
            "name": row.exercise, "score": row.points, "max_score": row.possible,
            "status": "pass" if row.outcome == "right" else "fail",
            "message": " ".join(filter(None, (row.diagnosis, row.question))) or None,
            "test_code": "", "filename": "", "line_no": 0, "execution_time": "0s",
        }
        for row in result.exercises
    ]  # fmt: skip
    right = all(row.outcome == "right" for row in result.exercises)
    return {
        "version": 1, "status": "pass" if right else "fail", "max_score": result.possible,
        "tests": tests,
    }  # fmt: skip


def _append(variable: str, text: str) -> None:
    """Add to the file that GitHub names, if it names one."""
    if path := os.environ.get(variable):
        with open(path, "a", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    try:
        if sys.argv[1] == "gradescope":
            run_gradescope(Path(sys.argv[2]))
        else:
            run_github(Path(sys.argv[2]), sys.argv[3:])
    except ValueError as error:
        raise SystemExit(str(error)) from None
