"""The next token: one setting for all steps, in Python and in the page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
import torch

from qkvlib.learner import progress
from qkvlib.sampling import temperature, top_k, top_p
from qkvlib.widgets import Leaves, NextToken
from tests.node import Node

NAMES = ["a", "b", "c", "d"]
SURE = torch.tensor([0.05, 0.02, 0.9, 0.03]).log()
TORN = torch.tensor([0.4, 0.5, 0.04, 0.06]).log()
GOAL = Leaves("79-left", "Leave one in at the first, two at the second.", (1, 2))


@pytest.fixture(scope="module")
def page() -> Iterator[Node]:
    with Node(Path(__file__).parents[1] / "kit" / "carry_out.mjs") as node:
        yield node


def a_widget(goal: Leaves | None = None) -> NextToken:
    return NextToken({"sure": SURE, "torn": TORN}, NAMES, goal=goal)


def test_what_is_left_is_what_the_mathematics_leaves() -> None:
    widget = a_widget()
    widget.set(heat=0.7, k=3, p=0.8)
    expected = top_p(top_k(temperature(TORN.double(), 0.7), 3), 0.8)
    found = widget.probabilities["torn"]
    assert list(found) == ["b", "a"]
    assert list(found.values()) == pytest.approx([float(expected[1]), float(expected[0])])


def test_the_temperature_comes_first_and_p_is_of_what_k_has_left() -> None:
    widget = a_widget()
    widget.set(k=2, p=0.5)
    assert list(widget.probabilities["torn"]) == ["b"]
    widget.set(k=4)
    assert list(widget.probabilities["torn"]) == ["b", "a"]


@pytest.mark.usefixtures("home")
def test_the_goal_is_met_by_p_and_not_by_k_and_is_kept() -> None:
    widget = a_widget(GOAL)
    for k in range(1, 5):
        widget.set(k=k)
        assert not widget.pack()["goal"]["met"]
    widget.set(k=4, p=0.8)
    assert widget.pack()["goal"]["met"]
    assert progress.recall("goals", "79-left") is True
    widget.set(p=1.0)
    assert widget.pack()["goal"]["met"], "it stays met"
    widget.carry_out({"do": "reset"})
    assert not widget.pack()["goal"]["met"]


def test_undo_takes_back_a_gesture() -> None:
    widget = a_widget()
    for p in (0.9, 0.8, 0.7):
        widget.carry_out({"edit": {"p": p}, "gesture": 1})
    widget.carry_out({"edit": {"k": 2}, "gesture": 2})
    widget.carry_out({"do": "undo"})
    assert (widget.pack()["k"], widget.pack()["p"]) == (4, 0.7)
    widget.carry_out({"do": "undo"})
    assert widget.pack()["p"] == 1


@pytest.mark.parametrize(
    ("wrong", "words"),
    [({"heat": 0.0}, "temperature is 0"), ({"k": 0}, "k is 0"), ({"p": 1.5}, "p is 1.5")],
)
def test_what_cannot_be_is_refused_and_changes_nothing(wrong: dict[str, Any], words: str) -> None:
    widget = a_widget()
    before = widget.pack()
    with pytest.raises(ValueError, match=words):
        widget.set(**wrong)
    assert {**widget.pack(), "undo": 0} == before


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="one score for each"):
        NextToken({"one": SURE}, ["a"])
    with pytest.raises(ValueError, match="no step"):
        NextToken({}, [])
    with pytest.raises(ValueError, match="2 counts"):
        NextToken({"one": SURE}, NAMES, goal=GOAL)


def test_the_still_picture_says_who_is_out() -> None:
    widget = a_widget()
    widget.set(k=1)
    assert widget.static_html().count("out") >= 6
    assert repr(widget) == "NextToken(temperature 1, top-k 1, top-p 1; sure: 1 left, torn: 1 left)"


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("seed", range(6))
def test_the_page_comes_to_the_same_state_after_every_request(page: Node, seed: int) -> None:
    chance = Random(seed)
    scores = 3 * torch.randn(2, 9, generator=torch.Generator().manual_seed(seed))
    goal = Leaves(f"79-{seed}", "Some.", (2, 3))
    steps = {"one": scores[0], "two": scores[1]}
    widget = NextToken(steps, list("abcdefghi"), goal=goal if seed % 2 else None)
    requests: list[dict[str, Any]] = []
    for gesture in range(60):
        name, value = chance.choice(
            [
                ("heat", round(10 ** chance.uniform(-1, 0.69), 2)),
                ("k", chance.randint(1, 9)),
                ("p", round(chance.uniform(0.05, 1), 2)),
            ]
        )
        edit = {"edit": {name: value}, "gesture": gesture // 2}
        requests.append(chance.choice([edit, edit, edit, {"do": "undo"}, {"do": "reset"}]))
    asked = {"widget": "next_token", "setup": widget.setup(), "state": widget.pack()}
    theirs = page.ask({**asked, "requests": requests})
    for request, told in zip(requests, theirs, strict=True):
        widget.carry_out(request)
        assert told == widget.pack(), request


def test_the_page_leaves_in_what_python_leaves_in(page: Node) -> None:
    chance = Random(0)
    scores = 4 * torch.randn(41, generator=torch.Generator().manual_seed(0))
    names = [f"t{i}" for i in range(41)]
    for _ in range(40):
        place = {"heat": round(10 ** chance.uniform(-1, 0.69), 2), "k": chance.randint(1, 41)}
        goal = Leaves("79-count", "Some.", (0,))
        widget = NextToken({"it": scores}, names, goal=goal)
        edit = {**place, "p": round(chance.uniform(0.05, 1), 2)}
        asked = {"widget": "next_token", "setup": widget.setup(), "state": widget.pack()}
        requests = [{"do": "reset"}, {"edit": edit, "gesture": 1}]
        *_, told = page.ask({**asked, "requests": requests})
        for request in requests:
            widget.carry_out(request)
        assert told == widget.pack()
