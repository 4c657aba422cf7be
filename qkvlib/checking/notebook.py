"""`check`, as a lesson's cells call it: `dot = check(dot)`.

After a syntax error in a first attempt, `dot` is not defined. The lesson goes on all the same: before a cell
that says `check(dot)` runs, the course's own `dot` is defined if there is none; and "Run all" does not stop
at an attempt that raised an error.
"""

from __future__ import annotations

import difflib
import functools
import os
import re
import sys
from datetime import date
from typing import Any

from qkvlib.calling.session import restore_torch
from qkvlib.checking import answers
from qkvlib.checking.shown import display
from qkvlib.exercises import EXERCISES
from qkvlib.exercises.kit.exercise import Answer
from qkvlib.learner import memory, progress
from qkvlib.learner.greeting import greet


def check(function: Answer) -> Answer:
    """Judge your function, found by its name; show the verdict; return the function to go on with.

    That is yours when it is right, and the course's own when it is not, so that the rest of the
    lesson works either way:

        dot = check(dot)
    """
    greet()
    name = _name_of(function)
    if name not in EXERCISES:
        display(no_such_exercise(function, name))
        return function
    if function is EXERCISES[name].reference:
        display(
            f"This is the course's own `{name}`, not yours: the cell with your function has not been "
            f"run, or it ended with an error. Run the cell that says `def {name}`, then this cell again. "
            "Until then the lesson uses the course's own function."
        )
        return function
    if changed := restore_torch():
        display(_put_back(changed))
    judged, lacks = answers.judge(name, function)
    display(judged)
    if progress.recall("exercises", name) != "right":
        progress.record("exercises", name, judged.outcome)
        if judged.mistake is not None:
            chapter = EXERCISES[name].chapter
            memory.keep_mistake(name, judged.mistake.name, chapter, date.today())
    return answers.to_go_on_with(function, judged, lacks)


def _put_back(changed: list[str]) -> str:
    names = " and ".join(f"`{name}`" for name in changed)
    was, its = ("was", "its") if len(changed) == 1 else ("were", "their")
    return (
        f"{names} {was} no longer torch's own, because a cell has put something else in {its} place. A "
        f"check compares with torch, so {names} {was} put back first."
    )


def _name_of(function: Any) -> str:
    """Return the name after `def`, if there is one."""
    name = getattr(function, "__name__", "")
    return name if isinstance(name, str) else ""


def lend(function: Answer, **calls: Answer) -> Answer:
    """Print whose functions run from here on, and return `function`, ready to be called.

    If it is the course's own, because yours is not right yet, it calls the functions in `calls`,
    which may be yours:

        loop = lend(train_two_heads, heads=multi_head_attention)
    """
    for one in (*calls.values(), function):
        whose = "the course's own, until yours is right" if _is_ours(one) else "yours"
        print(f"`{one.__name__}` is {whose}.")
    return functools.partial(function, **calls) if _is_ours(function) else function


def _is_ours(function: Answer) -> bool:
    return any(function is exercise.reference for exercise in EXERCISES.values())


def no_such_exercise(function: Any, name: str) -> str:
    """Return the message for something that is not an exercise."""
    if not callable(function) and not name:
        return (
            "check needs the function itself, not its result: `dot = check(dot)`, with no brackets after "
            "the name."
        )
    near = difflib.get_close_matches(name, EXERCISES, n=1)
    guess = f" Did you mean `{near[0]}`?" if near else ""
    return (
        f"No exercise is called {name or 'like this function'!r}.{guess} check finds an exercise by the "
        "name after `def`."
    )


def go_on_after_slips(shell: Any) -> None:
    """Have this IPython shell call us before and after each cell."""

    def lend_what_is_missing(cell: Any) -> None:
        for name in re.findall(r"\bcheck\(\s*(\w+)\s*\)", cell.raw_cell):
            if name in EXERCISES and name not in shell.user_ns:
                shell.user_ns[name] = EXERCISES[name].reference

    def excuse_an_attempt(result: Any) -> None:
        error = result.error_before_exec or result.error_in_exec
        if isinstance(error, Exception) and _attempts(result.info.raw_cell):
            result.error_before_exec = result.error_in_exec = None  # the error has been shown already

    shell.events.register("pre_run_cell", lend_what_is_missing)
    if "JPY_SESSION_NAME" in os.environ:  # set by JupyterLab; an author's build must stop at errors
        shell.events.register("post_run_cell", excuse_an_attempt)


def _attempts(cell: str) -> bool:
    return any(name in EXERCISES for name in re.findall(r"^def (\w+)", cell, re.MULTILINE))


if "IPython" in sys.modules and (_shell := sys.modules["IPython"].get_ipython()) is not None:
    go_on_after_slips(_shell)
