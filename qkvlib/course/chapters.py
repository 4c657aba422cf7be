"""The chapters, and how far this learner has come in each."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from qkvlib import progress
from qkvlib.exercises import EXERCISES
from qkvlib.exercises.kit.exercise import Exercise
from qkvlib.figures import Figure, table


@dataclass(frozen=True)
class Chapter:
    """One lesson: `name` is that of its file, `question` what it settles."""

    name: str
    title: str
    question: str
    minutes: int

    @property
    def number(self) -> str:
        return self.name[:2]

    @property
    def exercises(self) -> list[Exercise]:
        return [one for one in EXERCISES.values() if one.chapter == int(self.number)]


CHAPTERS = (
    Chapter("01_similarity", "Similarity", "Why a dot product?", 50),
    Chapter("02_soft_lookup", "Soft lookup", "Why softmax, and why a square root?", 75),
    Chapter("03_projections", "Projections", "Where do Q, K and V come from?", 75),
    Chapter("04_gradients", "Gradients", "How does the loss reach W_Q?", 90),
    Chapter("05_one_head", "One head", "How can it learn where to look?", 75),
    Chapter("06_context", "Embeddings and context", "Is “bank” one vector, or two?", 75),
    Chapter("07_order", "Order and masks", "Who came first, and who may look?", 90),
    Chapter("08_many_heads", "Many heads", "Three ways, which is right?", 90),
    Chapter("09_heads_differ", "Why heads differ", "Built alike, why not the same?", 75),
    Chapter("10_cross_attention", "Cross-attention", "Who asks, and who answers?", 90),
    Chapter("11_whole_layer", "The whole layer", "What do layers feed each other?", 90),
    Chapter("12_in_the_wild", "In the wild", "Does a real model do this?", 120),
    Chapter("13_quiz", "Quiz", "What has stayed?", 40),
)

_HEADS = ("", "chapter", "question", "minutes", "exercises solved", "predictions", "goals met")


def course_map() -> Figure:
    """All chapters, and what you have done in each, on this computer."""
    rows = [_row(chapter) for chapter in CHAPTERS]
    linked = [
        [f'<a href="{chapter.name}.ipynb">{escape(cell)}</a>' if i == 1 else escape(cell)
         for i, cell in enumerate(row)]
        for chapter, row in zip(CHAPTERS, rows, strict=True)
    ]  # fmt: skip
    return table(_HEADS, linked, rows)


def _row(chapter: Chapter) -> list[str]:
    outcomes = progress.recall_all("exercises")
    solved = sum(outcomes.get(one.name) == "right" for one in chapter.exercises)
    return [
        str(int(chapter.number)),
        chapter.title,
        chapter.question,
        str(chapter.minutes),
        f"{solved} of {len(chapter.exercises)}",
        str(_count("predictions", chapter)),
        str(_count("goals", chapter)),
    ]


def _count(kind: progress.Kind, chapter: Chapter) -> int:
    return sum(name.startswith(f"{chapter.number}-") for name in progress.recall_all(kind))
