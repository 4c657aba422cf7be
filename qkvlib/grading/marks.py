"""Answers in words: collected for reading, marked by hand in `marks.csv`, and added to the points.

Trusted code; the instructor edits the file, and what was edited is never overwritten.
"""

from __future__ import annotations

import csv
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_HEADER = ("student", "answer", "points", "possible", "comment")


class MarksError(Exception):
    """The marks file cannot be used as it stands; the message says which line."""


@dataclass(frozen=True)
class Marks:
    """What was given by hand: for each student and answer the points and a comment."""

    rows: dict[tuple[str, str], tuple[float | None, str]] = field(default_factory=dict)
    answers: dict[str, int] = field(default_factory=dict)

    @property
    def possible(self) -> int:
        """The most points that all answers in words can bring."""
        return sum(self.answers.values())

    def given(self, result: dict[str, Any]) -> float:
        """The points of one student for all answers in words."""
        return sum(
            points or 0.0 for (who, _), (points, _) in self.rows.items() if who == result["student"]
        )

    def waiting(self, result: dict[str, Any]) -> int:
        """The most points that one student's answers can still bring, once somebody marks them."""
        return sum(
            self.answers.get(name, 0)
            for (who, name), (points, _) in self.rows.items()
            if points is None and who == result["student"]
        )


def collect(path: Path, results: list[dict[str, Any]]) -> Marks:
    """The marks in the file, with a new row for every answer that is not in it yet."""
    rows = _read(path) if path.exists() else {}
    answers = _questions(results)
    for result in results:
        for answer in result.get("answers", []):
            if answer["name"] in answers:
                rows.setdefault((result["student"], answer["name"]), (None, ""))
    for (who, name), (points, _) in rows.items():
        if points is not None and not 0 <= points <= answers.get(name, points):
            raise MarksError(f"{path}: {who} has {points:g} points for {name}, of {answers[name]}")
    return Marks(rows, answers)


def _questions(results: list[dict[str, Any]]) -> dict[str, int]:
    """The questions that half of the class has, each with the points that most copies state.

    A notebook is a learner's to edit: a question of somebody's own must not change what the course
    is worth.
    """
    stated: dict[str, Counter[int]] = {}
    for result in results:
        for name, worth in {a["name"]: a["points"] for a in result.get("answers", [])}.items():
            stated.setdefault(name, Counter())[worth] += 1
    half = sum(bool(result.get("answers")) for result in results) / 2
    return {
        name: counts.most_common(1)[0][0]
        for name, counts in stated.items()
        if counts.total() >= half
    }


def table(marks: Marks) -> list[tuple[Any, ...]]:
    """The rows of the marks file."""
    return [
        _HEADER,
        *(
            (who, name, "" if points is None else f"{points:g}", marks.answers.get(name, ""), words)
            for (who, name), (points, words) in sorted(marks.rows.items())
        ),
    ]


def _read(path: Path) -> dict[tuple[str, str], tuple[float | None, str]]:
    rows = {}
    with path.open(encoding="utf-8-sig", newline="") as file:
        for number, row in enumerate(csv.DictReader(file), 2):
            try:
                written = (row["points"] or "").strip().replace(",", ".")
                points = float(written) if written else None
                who = row["student"].removeprefix("'")
                rows[who, row["answer"]] = (points, row.get("comment") or "")
            except (KeyError, ValueError, AttributeError):
                raise MarksError(
                    f"{path}, line {number}: expected {', '.join(_HEADER)}, with a number or "
                    "nothing under points"
                ) from None
    return rows
