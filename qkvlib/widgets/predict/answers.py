"""The answers to the lessons' questions.

A source states an answer beside its question. A lesson does not, so that nobody sees an answer by chance on
GitHub or in an export. `qkv build` takes the answers out, and keeps them in `answers.json`.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "answers.json"


def answer_of(name: str) -> tuple[int, str, dict[int, str]]:
    """Return the index of the right choice, why it is right, and remarks on some of the wrong choices.

    If no answer is kept, a ValueError says what to write.
    """
    try:
        kept = _all()[name]
    except KeyError:
        raise ValueError(
            f'no answer to the question {name!r} is kept. Give it with the question: answer=1, because="..."'
        ) from None
    unless = {int(place): words for place, words in kept.get("unless", {}).items()}
    return kept["answer"], kept["because"], unless


@cache
def _all() -> dict[str, dict[str, Any]]:
    return json.loads(FILE.read_text(encoding="utf-8"))
