"""Test that the page computes what torch does, and that training from any state changes the ending."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from torch.nn.functional import cross_entropy

from qkvlib.widgets import LearnToLook
from tests.node import Node

SETUP = LearnToLook().setup()
N_WORDS = len(SETUP["words"])
NAMES = ("w_q", "w_k", "w_v")
Place = dict[str, Any]


@pytest.fixture(scope="module")
def page() -> Iterator[Node]:
    with Node(Path(__file__).parent / "answer.mjs") as node:
        yield node


def places(n: int, seed: int, *, locked: bool, values: bool = True) -> list[Place]:
    """Return random states that a learner can reach, with each ending; `values` of the start, or any."""
    generator = torch.Generator().manual_seed(seed)

    def drawn(name: str) -> list[list[float]]:
        size = SETUP["bounds"][name]
        rows = torch.rand(N_WORDS + 1, 2, generator=generator, dtype=torch.float64) * 2 * size - size
        return [[round(x, 2) for x in row] for row in rows.tolist()]

    made = []
    for k in range(n):
        weights = {name: drawn(name) for name in NAMES}
        if not values:
            weights["w_v"] = SETUP["start"]["w_v"]
        made.append({"weights": weights, "wish": k % len(SETUP["endings"]), "locked": locked})
    return made


def run(page: Node, given: list[Place], most: int) -> list[dict[str, Any]]:
    return list(page.ask({"setup": SETUP, "places": given, "most": most}))


def by_torch(place: Place) -> tuple[list[float], float, dict[str, torch.Tensor]]:
    """Return the attention weights, the loss, and its gradients by autograd."""
    leaves = {name: torch.tensor(place["weights"][name], dtype=torch.float64) for name in NAMES}
    for leaf in leaves.values():
        leaf.requires_grad_()
    x = torch.eye(N_WORDS + 1, dtype=torch.float64)
    q = x[N_WORDS:] @ leaves["w_q"]
    k, v = (x[:N_WORDS] @ leaves[name] for name in ("w_k", "w_v"))
    weights = (q @ k.T / 2**0.5).softmax(-1)
    read_out = torch.tensor(SETUP["read_out"], dtype=torch.float64)
    scores = weights @ v @ read_out + torch.tensor(SETUP["bias"], dtype=torch.float64)
    loss = cross_entropy(scores, torch.tensor([place["wish"]]))
    loss.backward()  # type: ignore[no-untyped-call]
    gradients = {name: leaf.grad for name, leaf in leaves.items() if leaf.grad is not None}
    return weights[0].tolist(), loss.item(), gradients


@pytest.fixture
def many(swept_too: bool) -> int:
    """Return how many random states to try."""
    return 3000 if swept_too else 400


def test_every_number_is_the_one_that_torch_finds(page: Node) -> None:
    given = places(200, 0, locked=False)
    for place, found in zip(given, page.ask({"setup": SETUP, "places": given}), strict=True):
        weights, loss, gradients = by_torch(place)
        assert found["attention"] == pytest.approx(weights, abs=1e-9)
        assert found["loss"] == pytest.approx(loss, rel=1e-6, abs=1e-9)
        for name in NAMES:
            ours = torch.tensor(found["gradients"][name], dtype=torch.float64)
            assert torch.allclose(ours, gradients[name], rtol=1e-6, atol=1e-9), name
            assert found["lengths"][name] == pytest.approx(gradients[name].norm().item(), abs=1e-9)


def test_the_rows_that_are_not_drawn_have_no_gradient(page: Node) -> None:
    """The page draws one row of W_Q, and three of W_K and W_V."""
    (found,) = page.ask({"setup": SETUP, "places": places(1, 1, locked=False)})
    assert found["gradients"]["w_q"][:N_WORDS] == [[0, 0]] * N_WORDS
    assert found["gradients"]["w_k"][N_WORDS] == found["gradients"]["w_v"][N_WORDS] == [0, 0]


def test_the_first_ending_is_right_and_each_other_can_be_learned(page: Node) -> None:
    """Training begins at the start, or where another ending was learned; the explaining word wins."""
    start = {"weights": SETUP["start"], "wish": None, "locked": False}
    assert page.ask({"setup": SETUP, "places": [start]})[0]["ending"] == 0
    for first in range(len(SETUP["endings"])):
        here = learned(page, {**start, "wish": first})
        for second in range(len(SETUP["endings"])):
            learned(page, {**here, "wish": second})


def learned(page: Node, place: Place) -> Place:
    """Return the state where learning stops, after few enough steps to watch, at the wanted ending."""
    for _ in range(SETUP["most"]):
        (found,) = page.ask({"setup": SETUP, "places": [place]})
        if found["chances"][place["wish"]] >= SETUP["enough"]:
            assert max(found["attention"]) == found["attention"][place["wish"]] > 0.6
            return place
        place = one_step(place)
    raise AssertionError(f"{place} is not learned in {SETUP['most']} steps")


def one_step(place: Place) -> Place:
    gradients = by_torch(place)[2]
    weights = {
        name: (torch.tensor(rows, dtype=torch.float64) - SETUP["rate"] * gradients[name])
        .clamp(-SETUP["bounds"][name], SETUP["bounds"][name])
        .tolist()
        for name, rows in place["weights"].items()
    }
    return {**place, "weights": weights}


def test_each_wish_turns_the_ending_from_wherever_a_hand_can_go(page: Node, many: int) -> None:
    """W_V is open: it takes 60 steps from the original values, otherwise one press of Learn."""
    for values, most in ((False, 60), (True, SETUP["most"])):
        found = run(page, places(many, 2, locked=False, values=values), most)
        late = [one["place"] for one in found if one["steps"] is None]
        assert not late, late[:3]


def test_what_gets_stuck_with_w_v_locked_learns_when_it_is_opened(page: Node, many: int) -> None:
    """If one word has nearly all the weight, softmax passes almost no gradient on to W_Q and W_K."""
    found = run(page, places(many, 3, locked=True, values=False), 60)
    stuck = [one for one in found if one["steps"] is None]
    assert 0.02 < len(stuck) / len(found) < 0.2
    pulled = [sum(one["found"]["lengths"][name] ** 2 for name in ("w_q", "w_k")) ** 0.5 for one in stuck]
    assert sorted(pulled)[len(pulled) // 2] < 0.1
    attention = [max(one["found"]["attention"]) for one in stuck]
    assert sorted(attention)[len(attention) // 2] > 0.95
    opened = [{**one["place"], "locked": False} for one in stuck]
    assert all(one["steps"] is not None for one in run(page, opened, SETUP["most"]))


def test_its_picture_has_the_weights() -> None:
    html = LearnToLook().static_html()
    assert "The weight matrices." in html
    assert repr(LearnToLook()) == (
        "LearnToLook('The cat left the milk in the bowl, because it was', endings=full, sour, cracked)"
    )
