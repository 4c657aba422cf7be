"""Test turning without a browser against the course's own rotary embedding."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch

from qkvlib.positions import rotate_by_position
from qkvlib.widgets import Turning

QUERY, KEY = [2.0, 0.5], [1.5, -1.0]


@pytest.mark.parametrize("place", [0, 3, 7])
def test_its_scores_are_those_of_rotary_position_embedding(place: int) -> None:
    # Two numbers are one pair, which rotates by one radian for each position.
    widget = Turning(QUERY, KEY, place=place, angle=math.degrees(1.0))
    q = rotate_by_position(torch.tensor([QUERY]), torch.tensor([place]))
    k = rotate_by_position(torch.tensor(KEY).expand(8, 2), place - torch.arange(8))
    torch.testing.assert_close(widget.scores, (q @ k.mT)[0])
    seen = (q @ k.mT)[0, : place + 1].softmax(-1)
    torch.testing.assert_close(widget.weights, torch.cat([seen, torch.zeros(7 - place)]))


def test_only_the_distance_counts() -> None:
    widget = Turning(QUERY, KEY, place=2)
    before = widget.scores
    widget.receive({"place": 6})
    torch.testing.assert_close(widget.scores, before)
    widget.receive({"angle": 0.0})
    torch.testing.assert_close(widget.scores, (torch.tensor(QUERY) @ torch.tensor(KEY)).expand(8))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"place": 8}, "place is 8, but the positions go from 0 to 7"),
        ({"angle": 91.0}, "angle is 91, but it must be between 0 and 90"),
        ({"key": [1.0]}, r"key has shape \(1,\)"),
    ],
)
def test_what_does_not_fit_is_refused_in_words(given: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Turning(**{"query": QUERY, "key": KEY, **given})


def test_repr_and_still_picture_say_the_numbers() -> None:
    widget = Turning([2.0, 0.0], [1.5, 0.0], place=3)
    expected = "Turning(place=3, angle=30, scores by distance: 3.00, 2.60, 1.50, -0.00)"
    assert repr(widget).replace(" 0.00", " -0.00") == expected
    html = widget.static_html()
    assert "<td>2 back</td><td>1</td><td>60°</td><td>1.50</td>" in html
    assert "4 back" not in html
    assert "q points to (0.00, 2.00)" in html.replace("-0.00", "0.00")
