"""qkvlib: where a transformer's queries, keys and values come from.

The names below are what a lesson needs. Each loads its module when it is first used, so that
`import qkvlib` costs next to nothing and `qkv doctor` can run where torch is missing.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.3.0"

_HOMES = {
    "AttentionLab": "qkvlib.widgets",
    "Cache": "qkvlib.widgets",
    "Heads": "qkvlib.widgets",
    "LearnToLook": "qkvlib.widgets",
    "NextToken": "qkvlib.widgets",
    "ReadAloud": "qkvlib.widgets",
    "Replay": "qkvlib.widgets",
    "Shapes": "qkvlib.widgets",
    "SoftLookup": "qkvlib.widgets",
    "Turning": "qkvlib.widgets",
    "Vectors": "qkvlib.widgets",
    "ask": "qkvlib.widgets",
    "check": "qkvlib.checking",
    "check_task": "qkvlib.checking.tasks",
    "course_map": "qkvlib.course.chapters",
    "doctor": "qkvlib.app.doctor",
    "glossary": "qkvlib.course.glossary",
    "hint": "qkvlib.course.hints",
    "predict": "qkvlib.widgets",
    "puzzle": "qkvlib.course.puzzles",
    "quiz_result": "qkvlib.course.quiz",
    "replay_predictions": "qkvlib.widgets",
    "review": "qkvlib.course.review.notebook",
    "terms": "qkvlib.course.glossary",
}

__all__ = [*_HOMES, "__version__"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'qkvlib' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
