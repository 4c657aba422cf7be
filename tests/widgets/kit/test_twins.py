"""What a page computes by itself is what its Python computes, to the words of the goal."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from qkvlib.widgets import AtLeast, Goal, Prefers, SoftLookup, Vectors, Way
from qkvlib.widgets.kit.widget import Widget
from tests.node import Node
from tests.wire import Wire

QUERY, KEYS = [2.0, 1.0], [[2.0, 0.5], [-1.0, 2.0], [0.5, 2.0]]
VALUES = [[8.0, 0.0], [2.0, 2.0], [0.0, 8.0]]
WAYS = [Way("by turning q", "lengths"), Way("by making q longer", "directions")]
SHARP = Goal("twin-sharp", "Sharper.", [AtLeast(0, 0.95)], touch=["query"], ways=WAYS)
TURN = Goal("twin-turn", "Turn.", [Prefers(2)], touch=["query"], keep_lengths=True)
HOT = Goal("twin-hot", "Hotter.", [AtLeast("spirit", 0.3)], touch=["temperature"])
NAMES = ["law", "old", "spirit"]

MAKERS: dict[str, Callable[[], Widget]] = {
    "vectors": lambda: Vectors(QUERY, KEYS, names=NAMES),
    "vectors, two ways": lambda: Vectors(QUERY, KEYS, names=NAMES, limit=6, goal=SHARP),
    "vectors, turned": lambda: Vectors(QUERY, KEYS, names=NAMES, goal=TURN),
    "soft_lookup": lambda: SoftLookup(QUERY, KEYS, VALUES, names=NAMES),
    "soft_lookup, hot": lambda: SoftLookup(QUERY, KEYS, VALUES, names=NAMES, goal=HOT),
}


@pytest.fixture(scope="module")
def page() -> Iterator[Node]:
    with Node(Path(__file__).parent / "twin.mjs") as node:
        yield node


def changes(kind: str, draw: torch.Generator) -> Iterator[dict[str, Any]]:
    """What a hand might do: the query anywhere, turned, or longer; at times a key, late."""
    for step in range(40):
        point = torch.empty(2).uniform_(-4, 4, generator=draw).mul(100).round().div(100).tolist()
        along = round(0.5 + step / 10, 2)
        angle = 0.17 * step
        turned = [math.cos(angle) * 2 - math.sin(angle), math.sin(angle) * 2 + math.cos(angle)]
        yield {"query": [point, turned, [2 * along, along]][step % 3]}
        if step > 30:
            yield {"1": point}
        if kind == "soft_lookup":
            yield {"temperature": 0.5 + step / 8, "hard": step % 7 == 0}


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("name", MAKERS)
def test_page_and_python_say_the_same(page: Node, name: str) -> None:
    kind = name.split(",")[0]
    widget = MAKERS[name]()
    wire = Wire(widget)
    opening = wire.opening()
    setup, state = opening["setup"], opening["state"]
    words = set()
    for gesture, change in enumerate(changes(kind, torch.Generator().manual_seed(0))):
        ask = {"widget": kind, "setup": setup, "state": state, "change": change}
        told = page.ask(ask)
        state = wire.ask(edit=change, gesture=gesture)["state"]
        for numbers in ("query", "keys", "scores", "weights", "output", "lengths", "cosines"):
            if numbers in state:
                expected = torch.tensor(state[numbers], dtype=torch.float64)
                torch.testing.assert_close(
                    torch.tensor(told[numbers], dtype=torch.float64), expected, rtol=1e-5, atol=1e-5
                )
        if "goal" in state:
            for part in ("met", "free", "found", "words"):
                assert told["goal"][part] == state["goal"][part]
            assert told["goal"]["share"] == pytest.approx(state["goal"]["share"], abs=1e-5)
            words.add(state["goal"]["words"])
        if gesture % 5 == 4:
            state = wire.ask(do="reset")["state"]
    assert not state.get("goal") or len(words) > 3, "the walk should see more of the goal"
