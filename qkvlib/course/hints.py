"""Hints, one at a time: a nudge, a pointer, then the steps in words. It is kept how many."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from qkvlib.checking.notebook import no_such_exercise
from qkvlib.checking.shown import display
from qkvlib.exercises import EXERCISES
from qkvlib.learner import progress


def hint(exercise: str | Callable[..., Any]) -> None:
    """Show the next hint of an exercise: `hint(dot)`, or `hint("dot")`.

    There are three. Ask, try again, then ask for the next. None of them is the answer.
    """
    name = exercise if isinstance(exercise, str) else getattr(exercise, "__name__", "")
    if name not in EXERCISES:
        display(no_such_exercise(exercise, name))
        return
    hints = EXERCISES[name].hints
    seen = progress.recall("hints", name)
    shown = min((seen if isinstance(seen, int) else 0) + 1, len(hints))
    progress.record("hints", name, shown)
    lines = [f"Hint {i + 1} of {len(hints)}: {words}" for i, words in enumerate(hints[:shown])]
    if shown < len(hints):
        lines.append(f"hint({name}) once more shows the next.")
    display("\n".join(lines))
