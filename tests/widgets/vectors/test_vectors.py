"""Test the vectors widget without a browser against torch's own functions."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch.nn.functional import cosine_similarity

from qkvlib.learner import progress
from qkvlib.widgets import AtLeast, Goal, Vectors, Way
from tests.wire import Wire

QUERY = [2.0, 1.0]
KEYS = [[2.0, 0.5], [-1.0, 2.0], [0.5, 2.0]]


def test_every_number_is_torchs() -> None:
    vectors = Vectors(QUERY, KEYS)
    Wire(vectors).rest(query=[-0.3, 1.7])
    query, keys = torch.tensor([-0.3, 1.7]), torch.tensor(KEYS)
    torch.testing.assert_close(vectors.scores, keys @ query)
    torch.testing.assert_close(vectors.cosines, cosine_similarity(query[None], keys))
    torch.testing.assert_close(vectors.weights, torch.softmax(keys @ query, 0))


def test_the_lists_and_tensors_given_stay_the_learners_own() -> None:
    keys = torch.tensor(KEYS)
    vectors = Vectors(QUERY, keys)
    keys[0] = 9.0
    assert vectors.keys[0].tolist() == KEYS[0]


def test_a_vector_without_length_has_no_angle() -> None:
    vectors = Vectors([0.0, 0.0], KEYS)
    assert vectors.cosines.isnan().all()
    assert vectors.scores.tolist() == [0.0, 0.0, 0.0]


@pytest.mark.usefixtures("home")
def test_ways_that_the_page_has_found_are_kept_for_another_day() -> None:
    ways = [Way("by turning q", keeps="lengths"), Way("by making q longer", keeps="directions")]
    goal = Goal("02-sharper", "Sharper.", [AtLeast(0, 0.95)], touch=["query"], ways=ways)
    wire = Wire(Vectors(QUERY, KEYS, goal=goal))
    wire.rest(query=[2.2, 0.0], goal={"met": False, "free": False, "found": [1]})
    assert progress.recall("goals", "02-sharper") is None
    again = Wire(Vectors(QUERY, KEYS, goal=goal)).opening()
    assert again["state"]["goal"] == {"met": False, "free": False, "found": [1]}
    wire.rest(goal={"met": True, "free": True, "found": [0, 1]})
    assert progress.recall("goals", "02-sharper") is True
    assert progress.recall("ways", "02-sharper") == [0, 1]
    assert Wire(Vectors(QUERY, KEYS, goal=goal)).opening()["setup"]["goal"]["met_before"]


@pytest.mark.usefixtures("home")
def test_a_damaged_memory_of_ways_does_no_harm() -> None:
    ways = [Way("by turning q", keeps="lengths")]
    goal = Goal("02-sharper", "Sharper.", [AtLeast(0, 0.95)], touch=["query"], ways=ways)
    progress.record("ways", "02-sharper", [0, 7])
    assert Wire(Vectors(QUERY, KEYS, goal=goal)).opening()["state"]["goal"]["found"] == [0]


@pytest.mark.parametrize(
    ("query", "keys", "words"),
    [
        ([1.0], KEYS, r"query has shape \(1,\), but a vector in the plane has 2 numbers"),
        (QUERY, [1.0, 2.0], r"keys has shape \(2,\), but this widget draws 1 to 5"),
        (QUERY, [[1.0, 2.0]] * 6, r"keys has shape \(6, 2\)"),
        ([float("nan"), 0.0], KEYS, r"query is \[nan, 0.0\], but every number must be between"),
        ([1e9, 0.0], KEYS, r"every number must be between -1000 and 1000"),
    ],
)
def test_what_cannot_be_drawn_is_refused_at_once(query: Any, keys: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Vectors(query, keys)


def test_names_must_fit_the_keys() -> None:
    with pytest.raises(ValueError, match="there are 2 names for 3 keys"):
        Vectors(QUERY, KEYS, names=["law", "old"])
    with pytest.raises(ValueError, match="must have 1 to 14 letters"):
        Vectors(QUERY, KEYS, names=["law", "old", ""])
