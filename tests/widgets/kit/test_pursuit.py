"""A goal with several ways: each is counted once, and what was found stays found."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from qkvlib.learner import progress
from qkvlib.widgets import AtLeast, AtMost, Goal, Vectors, Way
from qkvlib.widgets.kit.goals import Seen
from tests.wire import Wire

QUERY, KEYS = [2.0, 1.0], [[2.0, 0.5], [-1.0, 2.0], [0.5, 2.0]]
TURNED, LONGER, BOTH = [2.2, 0.0], [4.2, 2.1], [4.0, 0.0]

pytestmark = pytest.mark.usefixtures("home")


def sharper() -> Goal:
    return Goal(
        "02-sharper",
        "Give law at least 0.95 of the weight.",
        conditions=[AtLeast(0, 0.95)],
        touch=["query"],
        ways=[Way("by turning q", keeps="lengths"), Way("by making q longer", keeps="directions")],
    )


def a_wire() -> Wire:
    return Wire(Vectors(QUERY, KEYS, limit=6.0, goal=sharper()))


def goal_at(wire: Wire, query: list[float]) -> dict[str, Any]:
    standing: dict[str, Any] = wire.ask(edit={"query": query}, gesture=1)["state"]["goal"]
    return standing


def test_one_way_is_found_and_the_goal_is_not_met() -> None:
    goal = goal_at(a_wire(), TURNED)
    assert (goal["met"], goal["free"], goal["found"]) == (False, False, [0])
    assert goal["words"] == "Found: by turning q. Reset, and find another way."
    assert progress.recall("goals", "02-sharper") is None
    assert progress.recall("ways", "02-sharper") == [0]


def test_both_ways_meet_it_in_any_order() -> None:
    wire = a_wire()
    assert goal_at(wire, LONGER)["found"] == [1]
    again = wire.ask(do="reset")["state"]["goal"]
    assert again["found"] == [1]
    assert again["words"] == "The query gives k₁ 0.81, at least 0.95 is wanted."
    goal = goal_at(wire, TURNED)
    assert (goal["met"], goal["free"], goal["found"]) == (True, True, [0, 1])
    assert goal["words"] == "Now move whatever you like."
    assert progress.recall("goals", "02-sharper") is True


def test_two_things_at_once_are_no_way() -> None:
    goal = goal_at(a_wire(), BOTH)
    assert goal["found"] == []
    assert goal["words"].startswith("It is enough, but you did two things at once.")


def test_the_same_way_twice_is_one() -> None:
    wire = a_wire()
    goal_at(wire, TURNED)
    wire.ask(do="reset")
    assert goal_at(wire, TURNED)["found"] == [0]


def test_what_was_found_is_known_another_day() -> None:
    goal_at(a_wire(), TURNED)
    assert a_wire().opening()["state"]["goal"]["found"] == [0]
    assert goal_at(a_wire(), LONGER)["met"]


def test_a_damaged_memory_of_ways_does_no_harm() -> None:
    progress.record("ways", "02-sharper", [0, 7])
    assert a_wire().opening()["state"]["goal"]["found"] == [0]


def test_reset_shows_where_one_stands_and_holds_nothing_any_more() -> None:
    words = "Give k₁ most of the weight."
    goal = Goal("00-any", words, [AtLeast(0, 0.95)], touch=["query"])
    wire = Wire(Vectors(QUERY, KEYS, limit=6.0, goal=goal))
    assert goal_at(wire, TURNED)["met"]
    standing = wire.ask(do="reset")["state"]["goal"]
    assert (standing["met"], standing["free"]) == (False, True)
    assert standing["words"] == "The query gives k₁ 0.81, at least 0.95 is wanted."
    assert goal_at(wire, TURNED)["met"]
    assert progress.recall("goals", "00-any") is True


def test_a_page_is_told_conditions_with_places_for_names() -> None:
    (condition,) = sharper().rules(["law", "old"])["conditions"]
    assert condition == {"kind": "AtLeast", "column": 0, "weight": 0.95, "row": 0, "head": 0}


def test_a_weight_that_only_looks_like_its_bound_says_on_which_side_it_is() -> None:
    seen = Seen(torch.tensor([[[0.8996, 0.1004]]], dtype=torch.float64), ["law", "old"])
    least, most = AtLeast("law", 0.9).standing(seen), AtMost("old", 0.1).standing(seen)
    assert (least.holds, most.holds) == (False, False)
    assert least.words == "The query gives “law” just under 0.90, at least 0.90 is wanted."
    assert most.words == "The query gives “old” just over 0.10, at most 0.10 is wanted."
    assert AtLeast("law", 0.8996).standing(seen).words.startswith("The query gives “law” 0.90, ")
