"""Checking an answer: the cases, the verdict on a function, and how it is shown."""

from qkvlib.checking.notebook import check, lend
from qkvlib.checking.verdicts import verdict

__all__ = ["check", "lend", "verdict"]
