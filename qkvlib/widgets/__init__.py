"""What a hand can move: one Python class, one JavaScript module and one stylesheet each.

The kernel owns the numbers and computes them with torch; the front end draws them and sends edits.
"""

from __future__ import annotations

from qkvlib.widgets.aloud import ReadAloud, Spelling
from qkvlib.widgets.goals import AtLeast, AtMost, Goal, LossBelow, Prefers
from qkvlib.widgets.heads import Heads, Silencing
from qkvlib.widgets.lab import AttentionLab
from qkvlib.widgets.predict import ask, predict, quiz_result
from qkvlib.widgets.recap import replay_predictions
from qkvlib.widgets.replay import Replay
from qkvlib.widgets.shapes import Shapes, Strays
from qkvlib.widgets.vectors import Vectors

__all__ = [
    "AtLeast",
    "AtMost",
    "AttentionLab",
    "Goal",
    "Heads",
    "LossBelow",
    "Prefers",
    "ReadAloud",
    "Replay",
    "Shapes",
    "Silencing",
    "Spelling",
    "Strays",
    "Vectors",
    "ask",
    "predict",
    "quiz_result",
    "replay_predictions",
]
