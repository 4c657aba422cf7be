"""Test the next token against the mathematics: one setting for all steps."""

from __future__ import annotations

import pytest
import torch

from qkvlib.learner import progress
from qkvlib.sampling import temperature, top_k, top_p
from qkvlib.widgets import Leaves, NextToken
from tests.wire import Wire

NAMES = ["a", "b", "c", "d"]
SURE = torch.tensor([0.05, 0.02, 0.9, 0.03]).log()
TORN = torch.tensor([0.4, 0.5, 0.04, 0.06]).log()
GOAL = Leaves("79-left", "Leave one in at the first, two at the second.", (1, 2))


def a_widget(goal: Leaves | None = None) -> NextToken:
    return NextToken({"sure": SURE, "torn": TORN}, NAMES, goal=goal)


def test_what_is_left_is_what_the_mathematics_leaves() -> None:
    widget = a_widget()
    Wire(widget).rest(heat=0.7, k=3, p=0.8)
    expected = top_p(top_k(temperature(TORN.double(), 0.7), 3), 0.8)
    found = widget.probabilities["torn"]
    assert list(found) == ["b", "a"]
    assert list(found.values()) == pytest.approx([float(expected[1]), float(expected[0])])


def test_the_temperature_comes_first_and_p_is_of_what_k_has_left() -> None:
    widget = a_widget()
    wire = Wire(widget)
    wire.rest(k=2, p=0.5)
    assert list(widget.probabilities["torn"]) == ["b"]
    wire.rest(k=4)
    assert list(widget.probabilities["torn"]) == ["b", "a"]


@pytest.mark.usefixtures("home")
def test_a_goal_that_the_page_has_met_is_kept() -> None:
    wire = Wire(a_widget(GOAL))
    assert wire.opening()["setup"]["goal"]["counts"] == [1, 2]
    wire.rest(k=4, p=0.9, goal={"met": False, "free": False, "found": []})
    assert progress.recall("goals", "79-left") is None
    wire.rest(p=0.8, goal={"met": True, "free": False, "found": []})
    assert progress.recall("goals", "79-left") is True
    assert wire.opening()["state"]["goal"] == {"met": True}


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="one score for each"):
        NextToken({"one": SURE}, ["a"])
    with pytest.raises(ValueError, match="no step"):
        NextToken({}, [])
    with pytest.raises(ValueError, match="2 counts"):
        NextToken({"one": SURE}, NAMES, goal=GOAL)


def test_the_still_picture_says_who_is_out() -> None:
    widget = a_widget()
    Wire(widget).rest(k=1)
    assert widget.static_html().count("out") >= 6
    assert repr(widget) == "NextToken(temperature 1, top-k 1, top-p 1; sure: 1 left, torn: 1 left)"
