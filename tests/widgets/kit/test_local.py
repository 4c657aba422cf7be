"""What a page computes by itself is what its Python computes, to the words of the goal."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
import torch

from qkvlib.widgets import AtLeast, Goal, Prefers, SoftLookup, Turning, Vectors, Way
from qkvlib.widgets.kit.widget import Widget
from tests.node import Node

QUERY, KEYS = [2.0, 1.0], [[2.0, 0.5], [-1.0, 2.0], [0.5, 2.0]]
VALUES = [[8.0, 0.0], [2.0, 2.0], [0.0, 8.0]]
WAYS = [Way("by turning q", "lengths"), Way("by making q longer", "directions")]
SHARP = Goal("twin-sharp", "Sharper.", [AtLeast(0, 0.95)], touch=["query"], ways=WAYS)
TURN = Goal("twin-turn", "Turn.", [Prefers(2)], touch=["query"], keep_lengths=True)
HOT = Goal("twin-hot", "Hotter.", [AtLeast("spirit", 0.3)], touch=["temperature"])
BACK = Goal("twin-back", "Back.", [Prefers("3 back")], touch=["query", "place"], keep_lengths=True)
NAMES = ["law", "old", "spirit"]

MAKERS: dict[str, Callable[[], Widget]] = {
    "vectors": lambda: Vectors(QUERY, KEYS, names=NAMES),
    "vectors, two ways": lambda: Vectors(QUERY, KEYS, names=NAMES, limit=6, goal=SHARP),
    "vectors, turned": lambda: Vectors(QUERY, KEYS, names=NAMES, goal=TURN),
    "soft_lookup": lambda: SoftLookup(QUERY, KEYS, VALUES, names=NAMES),
    "soft_lookup, hot": lambda: SoftLookup(QUERY, KEYS, VALUES, names=NAMES, goal=HOT),
    "turning": lambda: Turning(QUERY, KEYS[0], place=3),
    "turning, back": lambda: Turning(QUERY, KEYS[0], place=5, goal=BACK),
}


@pytest.fixture(scope="module")
def page() -> Iterator[Node]:
    with Node(Path(__file__).parent / "carry_out.mjs") as node:
        yield node


def a_script(kind: str, seed: int) -> list[dict[str, Any]]:
    """What a hand may do, and in which order; it keeps hold of a gesture now and then."""
    chance = Random(seed)
    gesture, script = 0, []
    for step in range(chance.randint(20, 120)):
        gesture += chance.random() < 0.6
        does = chance.choice(["edit"] * 9 + ["undo"] * 2 + ["reset", "look"])
        edit = {"edit": an_edit(kind, chance, step), "gesture": gesture}
        script.append(edit if does == "edit" else {"do": does})
    return script


def an_edit(kind: str, chance: Random, step: int) -> dict[str, Any]:
    """The query anywhere, turned, or longer; at times a key; and what else there is to move."""
    anywhere = [round(chance.uniform(-4, 4), 2) for _ in range(2)]
    angle, along = 0.17 * step, chance.uniform(0.5, 2.5)
    turned = [math.cos(angle) * 2 - math.sin(angle), math.sin(angle) * 2 + math.cos(angle)]
    moves: list[dict[str, Any]] = [
        {"query": anywhere},
        {"query": turned},
        {"query": [2 * along, along]},
        *([{"1": anywhere}] if chance.random() < 0.3 else []),
    ]
    if kind == "soft_lookup":
        moves += [{"temperature": chance.uniform(0.1, 9)}, {"hard": chance.random() < 0.5}]
    if kind == "turning":
        moves += [
            {"key": anywhere},
            {"place": chance.randrange(8)},
            {"angle": chance.uniform(0, 90)},
        ]
        moves = [move for move in moves if "1" not in move]
    return chance.choice(moves)


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", MAKERS)
def test_after_every_request_the_page_is_where_python_is(page: Node, name: str, seed: int) -> None:
    kind = name.split(",")[0]
    widget = MAKERS[name]()
    requests = a_script(kind, seed)
    asked = {"widget": kind, "setup": widget.setup(), "state": widget.pack()}
    theirs = page.ask({**asked, "requests": requests})
    for k, (request, told) in enumerate(zip(requests, theirs, strict=True)):
        widget.carry_out(request)
        state = widget.pack()
        when = f"after request {k + 1}, {request}"
        assert told["undo"] == state["undo"], when
        for numbers in (
            "query",
            "keys",
            "key",
            "place",
            "angle",
            "scores",
            "weights",
            "output",
            "lengths",
            "cosines",
        ):
            if numbers in state:
                expected = torch.tensor(state[numbers], dtype=torch.float64)
                found = torch.tensor(told[numbers], dtype=torch.float64)
                torch.testing.assert_close(found, expected, rtol=1e-5, atol=1e-5)
        if "goal" in state:
            for part in ("met", "free", "found", "words"):
                assert told["goal"][part] == state["goal"][part], when
            assert told["goal"]["share"] == pytest.approx(state["goal"]["share"], abs=1e-5)


# How each goal is met: what a hand moves, from the start each time.
PURSUITS: dict[str, list[dict[str, Any]]] = {
    "vectors, two ways": [{"query": [2.2, 0.1]}, {"query": [5.0, 2.5]}],
    "vectors, turned": [{"query": [0.54, 2.17]}],
    "soft_lookup, hot": [{"query": [0.0, 1.0]}, {"temperature": 3.0}],
    "turning, back": [{"angle": 50.0}, {"key": [1.0, 1.0]}, {"query": [1.0, -2.0]}],
}


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("name", PURSUITS)
def test_a_goal_is_met_in_the_page_by_the_same_moves(page: Node, name: str) -> None:
    kind, widget = name.split(",")[0], MAKERS[name]()
    edits = [{"edit": edit, "gesture": k} for k, edit in enumerate(PURSUITS[name])]
    requests = [request for edit in edits for request in ({"do": "reset"}, edit)]
    asked = {"widget": kind, "setup": widget.setup(), "state": widget.pack()}
    theirs = page.ask({**asked, "requests": requests})
    said = []
    for request, told in zip(requests, theirs, strict=True):
        widget.carry_out(request)
        mine = widget.pack()["goal"]
        assert {**told["goal"], "share": 0} == {**mine, "share": 0}
        said.append(mine["met"])
    assert said == [False] * (len(said) - 1) + [True]


@pytest.mark.usefixtures("home")
def test_an_undo_of_what_only_python_remembers_is_left_to_it(page: Node) -> None:
    widget = MAKERS["vectors"]()
    widget.carry_out({"edit": {"query": [1.0, 1.0]}, "gesture": 1})
    asked = {"widget": "vectors", "setup": widget.setup(), "state": widget.pack()}
    edit = {"edit": {"query": [0.0, 1.0]}, "gesture": 2}
    first, second, third = page.ask({**asked, "requests": [edit, {"do": "undo"}, {"do": "undo"}]})
    assert (first["undo"], second["undo"], third) == (2, 1, False)
    assert second["query"] == [1.0, 1.0]


OBSERVED: dict[str, Callable[[], Widget]] = {
    "vectors": MAKERS["vectors"],
    "soft_lookup": MAKERS["soft_lookup"],
    "turning": lambda: Turning(QUERY, KEYS[1], place=3),  # abs() has to move the key
}


@pytest.mark.parametrize("kind", OBSERVED)
def test_what_an_observer_moves_during_a_request_is_followed(kind: str) -> None:
    widget: Any = OBSERVED[kind]()
    other = "key" if kind == "turning" else "keys"
    before = getattr(widget, other).clone()

    def mirror(change: Any) -> None:
        setattr(widget, other, getattr(widget, other).abs())

    widget.observe(mirror, "query")
    widget.carry_out({"edit": {"query": [-1.0, 2.0]}, "gesture": 1})
    scores = widget.scores.clone()
    assert not torch.equal(before, before.abs())
    torch.testing.assert_close(getattr(widget, other), before.abs())
    widget.carry_out({"edit": {"query": [-1.0, 2.0]}, "gesture": 1})
    torch.testing.assert_close(scores, widget.scores)
    assert widget.pack()["undo"] == 1
