"""The results as tables: one for people, one each for Canvas, Moodle and Gradescope.

Trusted code that writes texts of learners' into files which spreadsheets open: a cell that would be
taken for a formula gets an apostrophe in front.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from qkvlib.grading import files
from qkvlib.grading.marks import Marks
from qkvlib.grading.run import Graded

Result = dict[str, Any]


def total(result: Result, marks: Marks) -> float:
    """All points of a student: judged ones, those given by hand, less what lateness costs."""
    return round((result.get("points", 0) + marks.given(result)) * result["late_factor"], 2)


def possible(graded: Graded, marks: Marks) -> float:
    """The most points that anybody can have."""
    return sum(exercise["points"] for exercise in graded.exercises.values()) + marks.possible


def write(out: Path, graded: Graded, marks: Marks) -> list[Path]:
    """Write all tables; the paths, the one for people first."""
    best = possible(graded, marks)
    rows = [(result, total(result, marks)) for result in graded.results]
    written = [
        _csv(out / "grades.csv", _people(graded, marks, best)),
        _csv(out / "canvas.csv", [
            ("Student", "ID", "SIS User ID", "SIS Login ID", "Section", "qkvlib"),
            ("    Points Possible", "", "", "", "", best),
            *((r["name"], r["number"], "", "", "", points) for r, points in rows),
        ]),
        _csv(out / "moodle.csv", [
            ("Identifier", "Full name", "Grade", "Maximum Grade"),
            *((f"Participant {r['number']}" if r["number"] else r["name"], r["name"], points, best)
              for r, points in rows),
        ]),
    ]  # fmt: skip
    for result, points in rows:
        path = out / "gradescope" / file_name(result["student"]) / "results.json"
        files.write(path, json.dumps(_gradescope(result, points), indent=1) + "\n")
    return written


def file_name(student: str) -> str:
    """A file name for a student, harmless on every system and different for different students."""
    plain = re.sub(r"[^A-Za-z0-9_-]+", "_", student)[:60].strip("_") or "student"
    if plain == student and plain.upper() not in ("CON", "PRN", "AUX", "NUL"):
        return plain
    return f"{plain}-{hashlib.sha256(student.encode('utf-8', 'replace')).hexdigest()[:6]}"


def _people(graded: Graded, marks: Marks, best: float) -> Iterable[Sequence[Any]]:
    yield (
        "student", "name", "number", "total", "possible", "judged", "by hand", "late days",
        "handed in", "needs a human", *graded.exercises,
    )  # fmt: skip
    for r in graded.results:
        points = {row["exercise"]: row["points"] for row in r.get("exercises", [])}
        yield (
            r["student"], r["name"], r["number"], total(r, marks), best, r.get("points", ""),
            marks.given(r), r["late_days"], r["handed_in"],
            "; ".join([*r.get("problems", []), r.get("fault", "")]).strip("; "),
            *(points.get(name, "") for name in graded.exercises),
        )  # fmt: skip


def _csv(path: Path, rows: Iterable[Sequence[Any]]) -> Path:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerows([cell(value) for value in row] for row in rows)
    files.write(path, text.getvalue())
    return path


def cell(value: Any) -> Any:
    """A cell that no spreadsheet takes for a formula."""
    if not isinstance(value, str):
        return value
    text = value.replace("\r", " ").replace("\n", " ")
    if text.strip()[:1] in ("=", "+", "-", "@", "|", "%", "＝", "＋", "－", "＠"):
        return "'" + text
    return text


def _gradescope(result: Result, points: float) -> dict[str, Any]:
    return {
        "score": points,
        "output": " ".join([*result.get("problems", []), result.get("fault", "")]).strip(),
        "output_format": "text",
        "stdout_visibility": "hidden",
        "tests": [
            {
                "name": row["exercise"],
                "score": row["points"],
                "max_score": row["possible"],
                "status": "passed" if row["outcome"] == "right" else "failed",
                "output": "\n".join(
                    x for x in (row["diagnosis"], row["question"], row["message"]) if x
                ),
                "output_format": "text",
                "visibility": "visible",
            }
            for row in result.get("exercises", [])
        ],
    }
