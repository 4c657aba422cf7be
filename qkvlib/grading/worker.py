"""A grader's process: takes one student's files at a time, gives back one result.

Trusted. Started by `pool.py` as `python -m qkvlib.grading.worker`; dies with whoever started it.
Results are plain JSON with every text of a learner's cut and cleaned.
"""

from __future__ import annotations

import json
import os
import sys
import time
from dataclasses import asdict
from typing import Any

import torch

from qkvlib.checking import Verdict
from qkvlib.exercises import EXERCISES
from qkvlib.grading import notebooks, processes
from qkvlib.grading.caps import OverCap, hide_from_others, limit_own_memory
from qkvlib.grading.judging import Judge
from qkvlib.grading.room import wire
from qkvlib.grading.room.values import clean
from qkvlib.grading.room.walls import ALL
from qkvlib.grading.rooms import RoomLost, Rooms
from qkvlib.grading.settings import read_settings

_OWN_MEGABYTES = 4096


def main() -> None:
    """Grade until whoever started this hangs up."""
    order = json.loads(sys.stdin.readline())
    sock = processes.connection(order)
    torch.set_num_threads(1)
    hide_from_others()
    settings = read_settings(order["settings"])
    rooms = Rooms(settings.plan, settings.fork)
    limit_own_memory(_OWN_MEGABYTES)
    judge = Judge(rooms, settings.allowance)
    with rooms.open() as room:
        walls = room.walls
    number = rooms.zygote_number()
    wire.send(sock, {"walls": walls, "zygote": number, "exercises": _catalogue()})
    if settings.require_isolation and not set(ALL) <= set(walls):
        return
    try:
        while True:
            job, payload = wire.receive(sock, wire.FROM_THE_GRADER)
            wire.send(sock, grade(judge, job, payload))
    except wire.HungUpError:
        rooms.close()


def _catalogue() -> dict[str, Any]:
    """What the run has to know of the exercises, so that it need not load torch itself."""
    return {
        name: {"chapter": exercise.chapter, "points": exercise.points}
        for name, exercise in EXERCISES.items()
    }


def grade(judge: Judge, job: dict[str, Any], payload: bytes) -> dict[str, Any]:
    """Judge one student's notebooks; of several answers to one exercise the best counts."""
    started = time.monotonic()
    best: dict[str, dict[str, Any]] = {}
    result: dict[str, Any] = {"problems": [], "answers": [], "fault": ""}
    at = 0
    for file in job["files"]:
        data, at = payload[at : at + file["size"]], at + file["size"]
        try:
            notebook = notebooks.read(data)
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
    result["exercises"] = [best.get(name) or _nothing(name) for name in job["names"]]
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


def _nothing(name: str) -> dict[str, Any]:
    words = "No notebook with this exercise could be read."
    exercise = EXERCISES[name]
    return _row(Verdict(name, "not attempted", 0, exercise.points, words), "")


if __name__ == "__main__":
    try:
        main()
    finally:
        os._exit(0)
