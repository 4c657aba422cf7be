"""Test the next token against the mathematics: one setting for all steps."""

from __future__ import annotations

import pytest
import torch

from qkvlib.sampling import temperature, top_k, top_p
from qkvlib.widgets import Leaves, NextToken
from tests.wire import Wire

NAMES = ["a", "b", "c", "d"]
SURE = torch.tensor([0.05, 0.02, 0.9, 0.03]).log()
TORN = torch.tensor([0.4, 0.5, 0.04, 0.06]).log()
GOAL = Leaves("79-left", "Leave one in at the first, two at the second.", (1, 2))


def a_widget(goal: Leaves | None = None) -> NextToken:
    return NextToken({"sure": SURE, "torn": TORN}, NAMES, goal=goal)


@pytest.mark.parametrize(("heat", "k", "p"), [(0.7, 3, 0.8), (1.0, 2, 0.5), (1.0, 4, 0.5)])
def test_what_is_left_is_what_the_mathematics_leaves(heat: float, k: int, p: float) -> None:
    widget = a_widget()
    Wire(widget).rest(heat=heat, k=k, p=p)
    left = top_p(top_k(temperature(TORN.double(), heat), k), p)
    expected = sorted(((float(share), name) for share, name in zip(left, NAMES, strict=True) if share))
    found = [(share, name) for name, share in widget.probabilities["torn"].items()]
    assert [name for _, name in found] == [name for _, name in reversed(expected)]
    assert [share for share, _ in found] == pytest.approx([share for share, _ in reversed(expected)])


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
