"""Test the soft lookup without a browser against qkvlib's and torch's own functions."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from qkvlib.attention import soft_lookup
from qkvlib.widgets import SoftLookup
from qkvlib.widgets.soft_lookup.widget import PRESETS

QUERY, KEYS = [2.0, 1.0], [[2.0, 0.5], [-1.0, 2.0], [0.5, 2.0]]
VALUES = [[8.0, 0.0], [2.0, 2.0], [0.0, 8.0]]
NAMES = ["law", "old", "spirit"]


def a_lookup(**more: Any) -> SoftLookup:
    return SoftLookup(QUERY, KEYS, VALUES, names=NAMES, **more)


def test_it_is_the_lookup_of_the_course() -> None:
    lookup = a_lookup()
    tensors = [torch.tensor(numbers) for numbers in (QUERY, KEYS, VALUES)]
    torch.testing.assert_close(lookup.output, soft_lookup(*tensors))
    torch.testing.assert_close(lookup.weights, torch.softmax(lookup.scores, 0))
    lookup.receive({"temperature": 4.0})
    torch.testing.assert_close(lookup.output, soft_lookup(tensors[0] / 4, *tensors[1:]))


def test_a_hard_one_gives_the_value_of_the_first_of_the_best_keys() -> None:
    lookup = a_lookup()
    lookup.receive({"hard": True, "query": [0.0, 1.0]})
    assert lookup.weights.tolist() == [0.0, 1.0, 0.0]  # old and spirit are equally good
    assert lookup.output.tolist() == VALUES[1]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"values": [[1.0, 2.0]]}, "values has 1 rows, but there are 3 keys with a value each"),
        ({"touch": ["arrow"]}, r"touch names \['arrow'\]: choose among"),
        ({"limit": 1.0}, "limit is 1.0, but it must be at least 2.24"),
        ({"query": [1.0]}, r"query has shape \(1,\)"),
    ],
)
def test_what_does_not_fit_is_refused_in_words(given: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        SoftLookup(**{"query": QUERY, "keys": KEYS, "values": VALUES, **given})


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_can_be_made(name: str) -> None:
    assert SoftLookup.of(name).weights.sum() == pytest.approx(1.0)


def test_a_preset_that_nobody_knows_is_refused() -> None:
    with pytest.raises(ValueError, match="there is no 'last': choose among"):
        SoftLookup.of("last")


@pytest.mark.parametrize(("direction", "ending"), [((2.0, 0.7), 0), ((-0.5, 2.0), 1), ((-1.3, -1.5), 2)])
def test_the_first_toy_can_mean_each_of_its_words(direction: tuple[float, float], ending: int) -> None:
    lookup = SoftLookup.of("first")
    lookup.receive({"query": list(direction)})
    assert lookup.weights[ending] > 0.6


def test_repr_and_still_picture_say_the_numbers() -> None:
    lookup = a_lookup()
    assert repr(lookup) == "SoftLookup(law=0.81, old=0.01, spirit=0.18, output=(6.50, 1.46))"
    html = lookup.static_html()
    assert "<td>0.81</td>" in html
    assert "their blend at (6.50, 1.46)" in html
