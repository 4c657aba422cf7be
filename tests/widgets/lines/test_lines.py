"""Test ordered lines without a browser: the results that the page looks up equal Python's own run."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from qkvlib import puzzle
from qkvlib.exercises.chapter_08.order_the_heads import HEADS_PUZZLE
from qkvlib.widgets import Lines
from tests.node import Node
from tests.wire import Wire

DRIVER = Path(__file__).parents[1] / "kit" / "carry_out.mjs"
LETTERS = "".join(HEADS_PUZZLE.lines)


def some_order(chance: Random) -> str:
    """Return a random order. Half of them begin with lines that run; most others would stop at once."""
    begun = "EJBHAIFC"[: chance.randint(0, 8)] if chance.random() < 0.5 else ""
    rest = [letter for letter in LETTERS if letter not in begun]
    chance.shuffle(rest)
    return begun + "".join(rest[: chance.randint(0, len(rest))])


def test_in_every_order_the_page_says_what_python_says() -> None:
    chance = Random(0)
    widget = puzzle("order_the_heads")
    requests: list[dict[str, Any]] = [{"do": "order", "choice": some_order(chance)} for _ in range(1500)]
    with Node(DRIVER) as page:
        asked = {"widget": "lines", "setup": widget.setup(), "state": widget.pack()}
        theirs = page.ask({**asked, "requests": requests})
    longest = 0
    for request, told in zip(requests, theirs, strict=True):
        Wire(widget).rest(order=request["choice"])
        assert told["order"] == widget.order
        assert told["made"] == [made for _, made in widget._watch(widget.order)], request
        longest = max(longest, len(told["made"]))
    assert longest > 8, "some programs ran beyond the eight lines"


def test_a_hand_moves_lines_and_python_knows_the_letters() -> None:
    widget = puzzle("order_the_heads", "e")
    wire = Wire(widget)
    assert wire.opening()["state"] == {"order": "E"}
    assert wire.rest(order="EJ") is None
    assert widget.order == "EJ"


@pytest.mark.parametrize("order", ["", "EJ"])
def test_the_still_has_every_line(order: str) -> None:
    widget: Lines = puzzle("order_the_heads", order)
    html = widget.static_html()
    assert all(code in html for code in ("scores.softmax(-1)", "x @ w_q, x @ w_k"))
    assert ("[b, n, h, d_k]" in html) == bool(order)
