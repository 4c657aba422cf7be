"""Test the shapes widget without a browser: every number is where torch puts it."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor

from qkvlib.exercises import EXERCISES
from qkvlib.multi_head import split_heads
from qkvlib.widgets import Shapes, Strays
from tests.wire import Wire

X = torch.arange(24.0).view(4, 6)


def ways(widget: Shapes) -> dict[str, dict[str, Any]]:
    return {way["name"]: way for way in Wire(widget).opening()["setup"]["ways"]}


def made(stage: dict[str, Any]) -> Tensor:
    return torch.tensor(stage["places"]).float().view(stage["shape"])


def test_the_code_beside_each_stage_makes_that_stage() -> None:
    names = {"x": X, "heads": split_heads(X, 2), "n": 4, "h": 2, "d_k": 3}
    for way in ways(Shapes()).values():
        code = ""
        for stage in way["stages"]:
            code = code + stage["code"] if stage["code"].startswith(".") else stage["code"]
            assert torch.equal(eval(code, {}, names), made(stage))


def test_right_is_what_equals_the_librarys_and_wrong_what_does_not() -> None:
    for name, way in ways(Shapes()).items():
        expected = split_heads(X, 2) if name.startswith("split") else X
        assert torch.equal(made(way["stages"][-1]), expected) == way["right"]


def interleaved(x: Tensor, n_heads: int) -> Tensor:
    b, n, _ = x.shape
    return x.view(b, n, -1, n_heads).permute(0, 3, 1, 2)


@pytest.mark.parametrize(
    ("split", "whose", "right"), [(split_heads, "the course's", True), (interleaved, "yours", False)]
)
def test_a_split_is_followed_and_judged(split: Any, whose: str, right: bool) -> None:
    """If a check found a learner's own split wrong, the lesson continues with the course's."""
    shown = ways(Shapes(split=split))[whose]
    assert shown["right"] is right
    assert torch.equal(made(shown["stages"][-1]), split(X[None], 2)[0])


@pytest.mark.parametrize("split", EXERCISES["split_heads"].alternatives)
def test_a_right_answer_to_the_exercise_can_be_followed(split: Any) -> None:
    assert ways(Shapes(split=split))["yours"]["right"]


@pytest.mark.parametrize(
    ("split", "words"),
    [
        (lambda x, h: x, r"gave \(1, 4, 6\), but the heads have the shape \(1, 2, 4, 3\)"),
        (lambda x, h: None, "gave NoneType"),
        (lambda x, h: 2 * split_heads(x, h), "changed or repeated numbers"),
        (lambda x, h: x.view(7, 7), "raised RuntimeError"),
    ],
)
def test_a_split_that_cannot_be_followed_is_refused(split: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Shapes(split=split)


def test_the_still_picture_says_the_ways_and_not_where_they_lead() -> None:
    html = Shapes(goal=Strays("66-strays", "Mark them.")).static_html()
    assert "<td>x.view(n, h, d_k).transpose(0, 1)</td><td>[2, 4, 3]</td>" in html
    assert "<td>law</td><td>0</td><td>1</td>" in html
    assert "Right" not in html
    assert "Wrong" not in html
