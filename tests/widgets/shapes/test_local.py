"""What is marked in a page, and what is said of it, is what Python would say: word for word."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from qkvlib.widgets import Shapes, Strays
from tests.node import Node

DRIVER = Path(__file__).parents[1] / "kit" / "carry_out.mjs"


def some_shapes(chance: Random) -> Shapes:
    heads, d_k, words = chance.randint(2, 4), chance.randint(1, 3), chance.randint(2, 6)
    goal = Strays("77-strays", "Mark them.", head=chance.randrange(heads))
    return Shapes([f"w{i}" for i in range(words)], heads, d_k, goal=goal)


def a_script(chance: Random, widget: Shapes) -> list[dict[str, Any]]:
    """Marks at random; then all that is wrong is put right, and marked and taken away again."""
    count = len(widget.words) * widget.n_heads * widget.d_k
    marks = [chance.randrange(count) for _ in range(chance.randint(0, 30))]
    goal = widget._goal
    assert goal
    places = widget.ways[widget._hunt].stages[-1].places[goal.head].flatten().int().tolist()
    width = widget.n_heads * widget.d_k
    strays = {place for place in places if place % width // widget.d_k != goal.head}
    odd = {mark for mark in marks if marks.count(mark) % 2}
    rest = sorted(odd ^ strays)
    chance.shuffle(rest)
    return [{"do": "mark", "choice": place} for place in [*marks, *rest, *rest]] + [{"do": "look"}]


@pytest.mark.usefixtures("home")
def test_after_every_mark_the_page_is_where_python_is() -> None:
    with Node(DRIVER) as page:
        for seed in range(40):
            chance = Random(seed)
            widget = some_shapes(chance)
            requests = a_script(chance, widget)
            asked = {"widget": "shapes", "setup": widget.setup(), "state": widget.pack()}
            theirs = page.ask({**asked, "requests": requests})
            for request, told in zip(requests, theirs, strict=True):
                widget.carry_out(request)
                assert told == widget.pack(), f"script {seed}, after {request}"
            assert widget.pack()["goal"]["met"], "every script reaches the goal on its way"
