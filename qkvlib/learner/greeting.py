"""Print the line in a lesson that says that something is due."""

from __future__ import annotations

import os
import sys
from datetime import date

from qkvlib.learner import memory

_greeted = False


def greet() -> None:
    """Print it once in a JupyterLab session, but not when an author builds a lesson."""
    global _greeted
    in_a_notebook = "IPython" in sys.modules and sys.modules["IPython"].get_ipython() is not None
    if _greeted or not in_a_notebook or "JPY_SESSION_NAME" not in os.environ:
        return
    _greeted = True
    if words := line(date.today()):
        print(words)


def line(today: date) -> str:
    """Return what is due in one line, or nothing."""
    due = len(memory.due(today))
    if not due:
        return ""
    questions = "1 question" if due == 1 else f"{due} questions"
    return (
        f"{questions} on what you missed before: `from qkvlib import review; review()` asks. "
        '`review("off")` turns this line off.'
    )
