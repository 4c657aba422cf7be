"""What a grader's process does with one student's files: read, have judged, write down.

Trusted. Results are plain JSON with every text of a learner's cut and cleaned.
"""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import Any

from qkvlib.checking.shown import Verdict
from qkvlib.course.hints import lines_of
from qkvlib.exercises import EXERCISES
from qkvlib.grading import notebooks
from qkvlib.grading.caps import OverCap
from qkvlib.grading.judging import Judge
from qkvlib.grading.room.text import clean
from qkvlib.grading.rooms import RoomLost


def catalogue() -> dict[str, Any]:
    """What the run has to know of the exercises, so that it need not load torch itself."""
    return {
        name: {"chapter": exercise.chapter, "points": exercise.points}
        for name, exercise in EXERCISES.items()
    }


def grade(judge: Judge, job: dict[str, Any], payload: bytes) -> dict[str, Any]:
    """Judge one student's notebooks; of several answers to one exercise the best counts."""
    started = time.monotonic()
    best: dict[str, dict[str, Any]] = {}
    hints: set[str] = set()
    result: dict[str, Any] = {"problems": [], "answers": [], "fault": ""}
    at = 0
    for file in job["files"]:
        data, at = payload[at : at + file["size"]], at + file["size"]
        try:
            notebook = notebooks.read(data)
            hints |= notebook.hints
            for verdict in judge.notebook(notebook.cells, job["names"], job["seed"]):
                row = _row(verdict, file["name"])
                before = best.get(verdict.exercise)
                if before is None or _better(row, before):
                    best[verdict.exercise] = row
            result["answers"] += [
                asdict(answer) | {"text": clean(answer.text, 20_000)} for answer in notebook.answers
            ]
        except notebooks.NotANotebookError as error:
            result["problems"].append(f"{file['name']}.ipynb is not a notebook: {error}")
        except (RoomLost, OverCap, MemoryError) as error:
            result["fault"] = f"{type(error).__name__}: {error}"
    result["exercises"] = [
        (best.get(name) or _nothing(name)) | {"hints": _hints_seen(name, hints)}
        for name in job["names"]
    ]
    result["points"] = sum(row["points"] for row in result["exercises"])
    result["possible"] = sum(row["possible"] for row in result["exercises"])
    result["walls"] = sorted(judge.walls or ())
    result["seconds"] = round(time.monotonic() - started, 3)
    return result


def _better(row: dict[str, Any], before: dict[str, Any]) -> bool:
    rank = ("not attempted", "raised", "wrong", "right")
    return (row["points"], rank.index(row["outcome"])) > (
        before["points"],
        rank.index(before["outcome"]),
    )


def _row(verdict: Verdict, file: str) -> dict[str, Any]:
    """A verdict as JSON, with nothing in it that a learner could use against its reader."""
    known, evidence = verdict.mistake, verdict.evidence
    return {
        "exercise": verdict.exercise,
        "chapter": EXERCISES[verdict.exercise].chapter,
        "outcome": verdict.outcome,
        "points": verdict.points,
        "possible": verdict.possible,
        "message": clean(verdict.message),
        "mistake": known.name if known else "",
        "diagnosis": known.diagnosis if known else "",
        "question": known.question if known else "",
        "evidence": {
            "case": evidence.case,
            "inputs": [[name, clean(text)] for name, text in evidence.inputs],
            "got": clean(evidence.got),
            "expected": clean(evidence.expected),
        } if evidence else None,
        "file": clean(file, 120),
    }  # fmt: skip


def _hints_seen(name: str, shown: set[str]) -> int:
    """How many hints of an exercise stand in the notebooks' outputs. Clearing those hides them."""
    return max((i for i, line in enumerate(lines_of(name), 1) if line in shown), default=0)


def _nothing(name: str) -> dict[str, Any]:
    words = "No notebook with this exercise could be read."
    exercise = EXERCISES[name]
    return _row(Verdict(name, "not attempted", 0, exercise.points, words), "")
