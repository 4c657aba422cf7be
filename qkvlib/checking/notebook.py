"""What a lesson's cell says: `dot = check(dot)`."""

from __future__ import annotations

import difflib
from typing import Any

from qkvlib import progress
from qkvlib.checking.shown import display
from qkvlib.checking.verdicts import verdict
from qkvlib.exercises import EXERCISES
from qkvlib.exercises.exercise import Answer


def check(function: Answer) -> Answer:
    """Judge your function, found by its name; show the verdict; return the one to go on with.

    That is yours when it is right, and the course's own when it is not, so that the rest of the
    lesson works either way:

        dot = check(dot)
    """
    name = getattr(function, "__name__", "")
    if name not in EXERCISES:
        display(no_such_exercise(function, name))
        return function
    if function is EXERCISES[name].reference:
        display(
            f"This is the course's own `{name}`, not yours: the cell with yours has not been run, "
            f"or it ended with an error. Run the cell that says `def {name}`, then this one."
        )
        return function
    judged = verdict(name, function)
    display(judged)
    if progress.recall("exercises", name) != "right":
        progress.record("exercises", name, judged.outcome)
    return function if judged.outcome == "right" else EXERCISES[name].reference


def no_such_exercise(function: Any, name: str) -> str:
    """What to say of something that is no exercise."""
    if not callable(function) and not name:
        return (
            "check wants the function itself, not its result: "
            "`dot = check(dot)`, with no brackets after the name."
        )
    near = difflib.get_close_matches(name, EXERCISES, n=1)
    guess = f" Did you mean `{near[0]}`?" if near else ""
    return (
        f"No exercise is called {name or 'like this function'!r}.{guess} check finds an exercise "
        "by the name that stands after `def`."
    )
