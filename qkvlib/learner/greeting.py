"""The one line at the head of a lesson, when something is due."""

from __future__ import annotations

import sys
from datetime import date

from qkvlib.learner import memory

_greeted = False


def once(today: date) -> None:
    """Say it with the first thing that a JupyterLab session takes from the course."""
    global _greeted
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if _greeted or shell is None:
        return
    _greeted = True
    if words := line(today):
        print(words)


def line(today: date) -> str:
    """What is due, in a line; nothing where nothing is."""
    due = len(memory.due(today))
    if not due:
        return ""
    questions = "1 question" if due == 1 else f"{due} questions"
    return (
        f"{questions} on what you missed before: `from qkvlib import review; review()` asks. "
        '`review("off")` ends this line.'
    )
