"""The chapters (edit their facts in `solutions/NN_name.py`), and a learner's way in each."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path

from qkvlib.exercises import EXERCISES
from qkvlib.exercises.kit.exercise import Exercise
from qkvlib.figures import Figure, table
from qkvlib.learner import progress

DOOR = "00"  # the number of the lesson that shows how lessons work, and is no chapter

_HEADS = (
    "",
    "chapter",
    "question",
    "minutes (heart)",
    "exercises solved",
    "predictions and answers",
    "goals met",
)


@dataclass(frozen=True)
class Chapter:
    """The facts of a lesson, as the front matter of its source states them."""

    name: str
    """That of its files."""
    title: str
    question: str
    """The one it settles, in a few words."""
    settles: str
    goal: str
    """What a learner can do afterwards."""
    minutes: int
    builds_on: str
    here: str
    """Where in the picture of a whole model it is, by the name that `figures/frame.py` gives."""
    heart_minutes: int
    """How long the sections take that belong to the eight-hour route; none, where it has none."""
    heart: tuple[str, ...]
    """The headings of these sections."""
    questions: int
    """How many predictions and questions there are in it."""
    goals: int
    """How many goals its widgets have."""

    @property
    def number(self) -> str:
        return self.name[:2]

    @property
    def exercises(self) -> list[Exercise]:
        return [one for one in EXERCISES.values() if one.chapter == int(self.number)]


@cache
def chapters() -> tuple[Chapter, ...]:
    """All chapters in order, from the file in which `qkv build` gathers what the sources state."""
    gathered = Path(__file__).with_name("chapters.json").read_text(encoding="utf-8")
    lessons = [Chapter(**{**facts, "heart": tuple(facts["heart"])}) for facts in json.loads(gathered)]
    return tuple(lesson for lesson in lessons if lesson.number != DOOR)


def course_map() -> Figure:
    """All chapters, and what you have done in each, on this computer."""
    rows = [_row(chapter) for chapter in chapters()]
    linked = [
        [
            f'<a href="{chapter.name}.ipynb">{escape(cell)}</a>' if i == 1 else escape(cell)
            for i, cell in enumerate(row)
        ]
        for chapter, row in zip(chapters(), rows, strict=True)
    ]
    return table(_HEADS, linked, rows)


def _row(chapter: Chapter) -> list[str]:
    outcomes = progress.recall_all("exercises")
    solved = sum(outcomes.get(one.name) == "right" for one in chapter.exercises)
    return [
        str(int(chapter.number)),
        chapter.title,
        chapter.question,
        f"{chapter.minutes} ({chapter.heart_minutes})" if chapter.heart else str(chapter.minutes),
        f"{solved} of {len(chapter.exercises)}",
        f"{_count('predictions', chapter)} of {chapter.questions}",
        f"{_count('goals', chapter)} of {chapter.goals}",
    ]


def _count(kind: progress.Kind, chapter: Chapter) -> int:
    return sum(name.startswith(f"{chapter.number}-") for name in progress.recall_all(kind))
