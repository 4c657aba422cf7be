"""The widgets, one folder each, with Python, JavaScript and stylesheet together.

The page owns a widget's numbers: it computes and draws them. Python receives them when the hand rests, and
computes with torch on request.
"""

from __future__ import annotations

from qkvlib.widgets.cache.widget import Cache, Fits
from qkvlib.widgets.heads.widget import Heads, Silencing
from qkvlib.widgets.kit.goals import AtLeast, AtMost, Goal, LossBelow, Prefers, Way
from qkvlib.widgets.lab.widget import AttentionLab
from qkvlib.widgets.learn_to_look.widget import LearnToLook
from qkvlib.widgets.lines.widget import Lines
from qkvlib.widgets.next_token.widget import Leaves, NextToken
from qkvlib.widgets.predict.recap import replay_predictions
from qkvlib.widgets.predict.widget import ask, predict
from qkvlib.widgets.read_aloud.widget import ReadAloud, Spelling
from qkvlib.widgets.replay.widget import Replay
from qkvlib.widgets.shapes.widget import Shapes, Strays
from qkvlib.widgets.soft_lookup.widget import SoftLookup
from qkvlib.widgets.turning.widget import Turning
from qkvlib.widgets.vectors.widget import Vectors

__all__ = [
    "AtLeast",
    "AtMost",
    "AttentionLab",
    "Cache",
    "Fits",
    "Goal",
    "Heads",
    "LearnToLook",
    "Leaves",
    "Lines",
    "LossBelow",
    "NextToken",
    "Prefers",
    "ReadAloud",
    "Replay",
    "Shapes",
    "Silencing",
    "SoftLookup",
    "Spelling",
    "Strays",
    "Turning",
    "Vectors",
    "Way",
    "ask",
    "predict",
    "replay_predictions",
]
