"""Test that a page shows for silenced heads what Python would send, to the byte."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
import torch

from qkvlib.models import MultiHead, OneHead, OwnHeads, Stack
from qkvlib.multi_head import multi_head_attention
from qkvlib.tasks import Agreement, Induction, Recall, TwoQuestions
from qkvlib.widgets import Heads, Silencing
from tests.node import Node

TWO, LINE = TwoQuestions(), Induction()
GOAL = Silencing("79-local", "Lose the first.", loses=[0], keeps=[1], lost=0.15, kept=0.1)


def heads(count: int, goal: Silencing | None = None) -> Heads:
    return Heads.of(MultiHead(TWO.n_tokens, TWO.n_answers, n_heads=count), TWO, goal=goal)


def own_heads() -> Heads:
    sees = torch.ones(7, 7, dtype=torch.bool)
    sees[:, -1] = False  # no query attends to the question
    model = OwnHeads(multi_head_attention, sees, TWO.n_tokens, TWO.n_answers)
    return Heads.of(model, TWO)


def stack(layers: int, n_heads: int, width: int = 32) -> Heads:
    model = Stack(LINE.n_tokens, LINE.n_answers, width, layers, n_heads, causal=True)
    return Heads.of(model, LINE)


MAKERS: dict[str, Callable[[], Heads]] = {
    "two heads": lambda: heads(2),
    "two heads, with a goal": lambda: heads(2, GOAL),
    "four heads, with a goal": lambda: heads(4, GOAL),
    "of one's own": own_heads,
    "two layers": lambda: stack(2, 1),
    "padding, and nothing to silence": lambda: Heads.of(
        OneHead(Agreement().n_tokens, Agreement().n_answers), Agreement()
    ),
}


@pytest.fixture(scope="module")
def page() -> Iterator[Node]:
    with Node(Path(__file__).parents[1] / "kit" / "carry_out.mjs") as node:
        yield node


def a_script(chance: Random, widget: Heads) -> list[dict[str, Any]]:
    setup = widget.setup()
    heads = range(sum(len(layer["heads"]) for layer in setup["layers"]))
    requests: list[dict[str, Any]] = []
    for _ in range(chance.randint(5, 30)):
        example = {"example": chance.randrange(len(setup["examples"]))}
        some = [head for head in heads if chance.random() < 0.4]
        silence = [{"silenced": some}] * 4 if setup["can_silence"] else []
        requests.append({"edit": chance.choice([example, *silence, {"silenced": []}])})
    return requests


def as_text(state: dict[str, Any]) -> dict[str, Any]:
    return {**state, "maps": {"bytes": base64.b64encode(state["maps"]).decode()}}


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", MAKERS)
def test_after_every_request_the_page_is_where_python_is(page: Node, name: str, seed: int) -> None:
    widget = MAKERS[name]()
    requests = a_script(Random(seed), widget)
    asked = {"widget": "heads", "setup": widget.setup(), "state": widget.pack()}
    theirs = page.ask({**asked, "requests": requests})
    for k, (request, told) in enumerate(zip(requests, theirs, strict=True)):
        widget.receive(request["edit"])
        if goal := told.get("goal"):
            told["goal"] = {"met": goal["met"]}
        assert told == as_text(widget.pack()), f"after request {k + 1}, {request}"


@pytest.mark.usefixtures("home")
def test_a_goal_is_met_in_the_page_by_the_same_heads(page: Node) -> None:
    """An untrained model is enough: it loses some of its lucky answers."""
    now = [moment["now"][0] for moment in heads(2).setup()["film"]["moments"]]
    worst = 0 if now[1] < now[2] else 1
    least = min(now[1:3])
    assert least < now[0]
    widget = heads(2, Silencing("79-met", "Lose some.", loses=[0], lost=least + 1e-4))
    requests = [{"edit": {"silenced": some}} for some in ([], [worst], [])]
    asked = {"widget": "heads", "setup": widget.setup(), "state": widget.pack()}
    theirs = page.ask({**asked, "requests": requests})
    assert [told["goal"]["met"] for told in theirs] == [False, True, True]
    assert [told["jobs"] is None for told in theirs] == [True, False, False]


@pytest.mark.parametrize(
    ("make", "moments"),
    [
        (lambda: heads(4), 16),
        (lambda: heads(8), 1),  # too many: 256 combinations of silenced heads
        (lambda: stack(2, 1), 4),
        (lambda: stack(2, 2), 1),  # too large for its 16 combinations
        (lambda: stack(6, 8), None),
        (lambda: Heads.of(OneHead(Recall().n_tokens, Recall().n_answers), Recall()), 1),
        (lambda: Heads([[1.0]], ["a"]), None),  # type: ignore[arg-type]
    ],
)
def test_a_film_is_small_or_there_is_none(make: Any, moments: int | None) -> None:
    film = make().setup()["film"]
    assert (film and len(film["moments"])) == moments
    assert not film or len(film["maps"]) <= 24_000


def test_what_is_not_in_the_film_is_left_to_python(page: Node) -> None:
    widget = heads(8)
    asked = {"widget": "heads", "setup": widget.setup(), "state": widget.pack()}
    requests = [{"edit": {"silenced": [3]}}, {"edit": {"example": 1}}]
    silenced, example = page.ask({**asked, "requests": requests})
    assert silenced is False
    assert example["example"] == 1
    widget.receive(requests[0]["edit"])
    asked = {"widget": "heads", "setup": widget.setup(), "state": widget.pack()}
    requests = [{"edit": {"example": 1}}, {"edit": {"silenced": []}}]
    example, heard = page.ask({**asked, "requests": requests})
    assert example is False, "nobody knows it without head 4"
    assert heard["silenced"] == []
