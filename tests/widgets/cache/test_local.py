"""What words and choices come to in a page is what Python says: word for word."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from qkvlib.widgets import Cache, Fits
from tests.node import Node

DRIVER = Path(__file__).parents[1] / "kit" / "carry_out.mjs"


def some_cache(chance: Random) -> Cache:
    bounds = {"most_held": chance.randint(0, 300), "most_computed": chance.randint(1, 90)}
    goal = Fits("77-fits", "Make it fit.", **bounds) if chance.random() < 0.8 else None
    words = [f"w{i}" for i in range(chance.randint(2, 10))]
    return Cache(words, chance.randint(1, 4), chance.randint(1, 9), goal=goal)


def a_script(chance: Random) -> list[dict[str, Any]]:
    requests = [
        lambda: {"do": "arrive", "choice": chance.randint(0, 11)},
        lambda: {"do": "keep", "choice": chance.randrange(3)},
        lambda: {"do": "share", "choice": chance.randint(1, 4)},
        lambda: {"do": "look"},
    ]
    return [chance.choice(requests)() for _ in range(30)]


@pytest.mark.usefixtures("home")
def test_after_every_choice_the_page_is_where_python_is() -> None:
    met = 0
    with Node(DRIVER) as page:
        for seed in range(40):
            chance = Random(seed)
            widget, requests = some_cache(chance), a_script(chance)
            asked = {"widget": "cache", "setup": widget.setup(), "state": widget.pack()}
            theirs = page.ask({**asked, "requests": requests})
            for request, told in zip(requests, theirs, strict=True):
                widget.carry_out(request)
                assert told == widget.pack(), f"script {seed}, after {request}"
            met += widget.pack().get("goal", {}).get("met", False)
    assert 0 < met < 40, "some scripts reach the goal, and some do not"
