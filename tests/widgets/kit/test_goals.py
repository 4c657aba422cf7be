"""Test that a goal which the page has met is kept, whatever the widget."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

from qkvlib.learner import progress
from qkvlib.models import MultiHead
from qkvlib.tasks import TwoQuestions
from qkvlib.widgets import (
    AttentionLab,
    Cache,
    Fits,
    Goal,
    Heads,
    Leaves,
    NextToken,
    Prefers,
    ReadAloud,
    Shapes,
    Silencing,
    Spelling,
    Strays,
    Turning,
)
from qkvlib.widgets.kit.widget import Widget
from tests.wire import Wire

TOLD = ("66-goal", "Meet it.")


def a_lab() -> Widget:
    w = torch.zeros(3, 2)
    return AttentionLab(torch.eye(3), w, w, w, goal=Goal(*TOLD, [Prefers(0)], touch=["w_q"]))


def a_turning() -> Widget:
    return Turning([2.0, 0.0], [1.5, 0.0], goal=Goal(*TOLD, [Prefers("3 back")], touch=["query"]))


def some_heads() -> Widget:
    task = TwoQuestions()
    goal = Silencing(*TOLD, loses=[0], keeps=[1])
    return Heads.of(MultiHead(task.n_tokens, task.n_answers), task, goal=goal)


def pursuit(met: bool) -> dict[str, Any]:
    return {"goal": {"met": met, "free": met, "found": []}}


# For each widget: how to make it, what its page sends, and what is added once the goal is met.
WIDGETS: dict[str, tuple[Callable[[], Widget], dict[str, Any], dict[str, Any]]] = {
    "cache": (
        lambda: Cache(["a", "b"], goal=Fits(*TOLD, most_held=60, most_computed=20)),
        {"arrived": 2, "keeps": 1, "kv_heads": 1, "met": False},
        {"met": True},
    ),
    "heads": (some_heads, {"tried": True}, {"met": True}),
    "lab": (a_lab, {"losses": [1], "met": False}, {"met": True}),
    "next token": (
        lambda: NextToken({"one": torch.arange(3.0)}, ["a", "b", "c"], goal=Leaves(*TOLD, (1,))),
        pursuit(False),
        pursuit(True),
    ),
    "read aloud": (lambda: ReadAloud("law", goal=Spelling(*TOLD)), {"word": "law"}, {"met": "axe"}),
    "shapes": (lambda: Shapes(goal=Strays(*TOLD)), {"marked": [3], "met": False}, {"met": True}),
    "turning": (a_turning, pursuit(False), pursuit(True)),
}


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("name", WIDGETS)
def test_a_goal_that_the_page_has_met_is_kept(name: str) -> None:
    make, sent, more = WIDGETS[name]
    wire = Wire(make())
    wire.rest(**sent)
    assert progress.recall("goals", "66-goal") is None
    wire.rest(**{**sent, **more})
    assert progress.recall("goals", "66-goal") is True
    assert wire.opening()["state"]["goal"]["met"]
