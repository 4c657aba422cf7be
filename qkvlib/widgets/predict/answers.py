"""The answers to the lessons' questions.

A source states an answer beside its question. A lesson does not, so that nobody sees an answer by chance on
GitHub or in an export. `qkv build` takes the answers out, and keeps them in `answers.json`.
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
    """The index of the right choice, why it is right, and remarks on some of the wrong choices."""

    answer: int
    because: str
    unless: dict[int, str] = field(default_factory=dict)


def answer_of(name: str) -> Answer:
    """Return the answer to a lesson's question. If there is none, a ValueError says what to write."""
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
