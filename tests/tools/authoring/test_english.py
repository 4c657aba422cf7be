"""Test the texts for habits that a search can find: docs/style.md lists what to write instead."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from qkvlib.exercises import EXERCISES
from qkvlib.tools.authoring import build

ROOT = Path(__file__).parents[3]
PAGES = [
    "README.md",
    "CONTRIBUTING.md",
    "ARCHITECTURE.md",
    "SECURITY.md",
    "CHANGELOG.md",
    "lessons/README.md",
    "lessons/questions.md",
]
HABITS = {
    "How many rows does x have?": r"How (?:many|much) (?:(?!does)\w+ ){1,4}has [^?.:]*\?",
    "forever": r"\bfor ever\b",
    "except for": r"\bbut for\b",
    "again": r"\banew\b",
    "correctly": r"\brightly\b",
    "who, anyone who, if you": r"\b[Ww]hoever\b",
    "someone": r"\b[Ss]omebody\b",
    "What happens to it?": r"\bbecomes? of (?:it|them|a|the|W)\b",
    "with, by": r"\bby means of\b",
    "instead of": r"\bin place of\b",
    "a target": r"\b[Tt]raining needs a wish\b",
    "should": r"\bshall\b",
    "one below another": r"\bbelow each other\b",
    "a sentence with one subject": r"\bit a person\b",
    "multiply by": r"\b[Mm]ultipl(?:y|ies|ied|ying) (?:\w+ )?with\b",
    "a different function": r"\banother (?:function|encoding|query|shape)\b(?!\))",
    "How many does B get right?": r"\. And (?:the|those) [^.?]*\?",
}


def _texts() -> Iterator[tuple[str, str]]:
    """Yield everything that a learner or an instructor reads, with its source."""
    for page in [*PAGES, *(str(path.relative_to(ROOT)) for path in (ROOT / "docs").glob("*.md"))]:
        if page != "docs/style.md":
            yield page, (ROOT / page).read_text(encoding="utf-8")
    for source in build.sources(ROOT):
        prose = [line[1:] for line in source.read_text(encoding="utf-8").splitlines() if line[:1] == "#"]
        yield source.name, "\n".join(prose)
    yield "glossary", (ROOT / "qkvlib/course/glossary/glossary.md").read_text(encoding="utf-8")
    for words in (ROOT / "qkvlib/widgets").rglob("words.js"):
        yield f"{words.parent.name}/words.js", words.read_text(encoding="utf-8")
    for one in EXERCISES.values():
        said = [text for mistake in one.mistakes for text in (mistake.diagnosis, mistake.question)]
        yield one.name, "\n".join([*said, *one.hints])


TEXTS = dict(_texts())


@pytest.mark.parametrize("better", HABITS)
def test_a_habit_is_not_there(better: str) -> None:
    found = [
        f"{where}: …{text[max(0, one.start() - 40) : one.end() + 40]}…".replace("\n", " ")
        for where, text in TEXTS.items()
        for one in re.finditer(HABITS[better], text)
    ]
    assert not found, f"write “{better}”:\n" + "\n".join(found)


def test_the_habits_would_be_found() -> None:
    lines = ["How many rows has x?", "for ever", "but for", "anew", "rightly", "Whoever", "Somebody"]
    lines += ["what becomes of it", "by means of", "in place of", "Training needs a wish."]
    lines += ["shall", "below each other", "it a person reads it"]
    lines += ["You multiply with W_Q.", "That is another function.", "A is right. And the heads without it?"]
    for habit, line in zip(HABITS.values(), lines, strict=True):
        assert re.search(habit, line), line
