"""Make one widget of each kind, for tests of all widgets. Add a line here for a new kind."""

from __future__ import annotations

from collections.abc import Callable

import torch

from qkvlib.course.puzzles import puzzle
from qkvlib.tasks import Recall
from qkvlib.widgets import (
    AttentionLab,
    Cache,
    Heads,
    LearnToLook,
    NextToken,
    ReadAloud,
    Replay,
    Shapes,
    SoftLookup,
    Turning,
    Vectors,
    predict,
    replay_predictions,
)
from qkvlib.widgets.kit.widget import Widget
from tests.recordings import one_head


def a_lab() -> AttentionLab:
    w = torch.linspace(-1, 1, 6).view(3, 2)
    return AttentionLab(torch.eye(3), w, -w, w, torch.zeros(3, 2), tokens="law and its")


MAKERS: dict[str, Callable[[], Widget]] = {
    "vectors": lambda: Vectors([1.0, 2.0], [[2.0, 0.0], [-1.0, -0.5]]),
    "soft_lookup": lambda: SoftLookup.of("first"),
    "turning": lambda: Turning([2.0, 0.5], [1.5, 0.0], place=5),
    "lab": a_lab,
    "heads": lambda: Heads(torch.linspace(0, 1, 25).view(5, 5), ["a", "b", "c", "d", "e"]),
    "learn_to_look": LearnToLook,
    "replay": lambda: Replay(one_head(), tokens=Recall.tokens),
    "shapes": Shapes,
    "cache": lambda: Cache(["The", "law", "will", "never"]),
    "lines": lambda: puzzle("order_the_heads", "EJ"),
    "read_aloud": lambda: ReadAloud("photo"),
    "next_token": lambda: NextToken({"one": torch.arange(3.0)}, ["a", "b", "c"]),
    "predict": lambda: predict("00-sky", "What colour is the sky?", ["blue", "green"], answer=0),
    "recap": lambda: replay_predictions("00"),
}
