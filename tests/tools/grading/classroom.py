"""Make notebooks as students submit them, and judges to run on them."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from qkvlib.exercises import EXERCISES
from qkvlib.tools.grading.job import Job
from qkvlib.tools.grading.results import Result
from qkvlib.tools.grading.settings import TimeLimits

# Short enough for an endless loop to be a quick test, long enough for a busy machine.
HASTY = TimeLimits(cells=1.5, call=0.5, exercise=0.8, student=5.0, own=10.0)

RIGHT = {
    "dot": "def dot(a, b):\n    return (a * b).sum()\ndot = check(dot)",
    "cosine_similarity": (
        "def cosine_similarity(a, b):\n"
        "    a = a / a.norm(dim=-1, keepdim=True)\n"
        "    b = b / b.norm(dim=-1, keepdim=True)\n"
        "    return a @ b.T\n"
        "cosine_similarity = check(cosine_similarity)"
    ),
    "nearest": (
        "def nearest(query, keys):\n"
        "    return int(cosine_similarity(query[None], keys)[0].argmax())\n"
        "nearest = check(nearest)"
    ),
}
NAMES = list(RIGHT)
MOST = sum(EXERCISES[name].points for name in NAMES)
IMPORTS = "import torch\nfrom qkvlib import check, predict"
FULL = [IMPORTS, *RIGHT.values()]
ZERO = [
    IMPORTS,
    "def dot(a, b):\n    return (a * b).mean()",
    "def cosine_similarity(a, b):\n    raise NotImplementedError",
    "def nearest(query, keys):\n    return -1",
]


@dataclass
class Heard:
    """Receive and record the reports on a run's progress."""

    said: list[str] = field(default_factory=list)
    total: int = 0
    done: int = 0

    def begin(self, total: int) -> None:
        self.total = total

    def advance(self) -> None:
        self.done += 1

    def say(self, line: str) -> None:
        self.said.append(line)


def notebook(cells: Sequence[str | tuple[str, str]]) -> dict[str, Any]:
    """Return a notebook of code cells; a pair is a cell of another kind and its text."""
    return {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {},
        "cells": [
            {"cell_type": kind, "metadata": {}, "source": text}
            | ({"outputs": [], "execution_count": None} if kind == "code" else {})
            for kind, text in (("code", c) if isinstance(c, str) else c for c in cells)
        ],
    }


def hand_in(path: Path, cells: Sequence[str | tuple[str, str]]) -> Path:
    """Write a notebook as a student's submission."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(notebook(cells)), encoding="utf-8")
    return path


def write(folder: Path, *names: str, text: str = "{}") -> None:
    """Write files of these names, which may name folders, too."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def zipped(folder: Path) -> Path:
    """Pack a folder and all that is in it, and return the zip beside it."""
    path = folder.with_name("class.zip")
    with zipfile.ZipFile(path, "w") as archive:
        for inside in folder.rglob("*"):
            archive.write(inside, inside.relative_to(folder).as_posix())
    return path


def result(student: str, **more: Any) -> Result:
    """Return a student's result, with the same text for key and names unless others are given."""
    named = {"key": student, "student": student, "name": student, "handed_in": "2026-11-20T12:00:00"}
    return Result(**{**named, **more})


def job(data: bytes, count: int = 1) -> Job:
    """Return the order to judge a notebook, handed in as this many files."""
    return Job("k", ("x",) * count, (len(data),) * count, ("",) * count, tuple(NAMES), 5, data * count)
