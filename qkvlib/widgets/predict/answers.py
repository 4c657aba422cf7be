"""What the lessons' questions are answered with.

The sources state an answer beside its question; a lesson does not, so that nobody who reads it on
GitHub or in an export reads the answer by chance. `qkv build` takes it out, and keeps it in
`answers.json`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "answers.json"


@dataclass(frozen=True)
class Answer:
    """The place of the right choice, why it is right, and a word for some of the wrong ones."""

    answer: int
    because: str
    unless: dict[int, str] = field(default_factory=dict)


def answer_of(name: str) -> Answer:
    """The answer to a lesson's question; a ValueError says what to write where there is none."""
    try:
        kept = _all()[name]
    except KeyError:
        raise ValueError(
            f'no answer to the question {name!r} is kept. Give it with the question: answer=1, because="..."'
        ) from None
    unless = {int(place): words for place, words in kept.get("unless", {}).items()}
    return Answer(kept["answer"], kept["because"], unless)


@cache
def _all() -> dict[str, dict[str, Any]]:
    return json.loads(FILE.read_text(encoding="utf-8"))
