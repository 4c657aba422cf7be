"""Test that a page computes arrows and scores as torch does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
import torch

from qkvlib.widgets import NextToken, SoftLookup, Turning, Vectors
from tests.node import Node


@pytest.fixture(scope="module")
def page() -> Iterator[Node]:
    with Node(Path(__file__).parent / "numbers.mjs") as node:
        yield node


def points(chance: Random, count: int) -> list[list[float]]:
    return [[round(chance.uniform(-3, 3), 2) for _ in range(2)] for _ in range(count)]


def soft_lookup(chance: Random) -> SoftLookup:
    count = chance.randint(1, 5)
    keys, values = points(chance, count), points(chance, count)
    lookup = SoftLookup(points(chance, 1)[0], keys, values)
    lookup.receive({"temperature": chance.uniform(0.05, 9), "hard": chance.random() < 0.3})
    return lookup


def turning(chance: Random) -> Turning:
    query, key = points(chance, 2)
    return Turning(query, key, place=chance.randrange(8), angle=chance.uniform(0, 90))


def vectors(chance: Random) -> Vectors:
    return Vectors(chance.choice([[0.0, 0.0], *points(chance, 4)]), points(chance, chance.randint(1, 5)))


KINDS: dict[str, Callable[[Random], Any]] = {
    "soft_lookup": soft_lookup,
    "turning": turning,
    "vectors": vectors,
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_pages_numbers_are_torchs(page: Node, kind: str) -> None:
    for seed in range(50):
        widget = KINDS[kind](Random(seed))
        found = page.ask({"widget": kind, "setup": widget.setup(), "state": widget.pack()})
        for name in {"scores", "weights", "output", "cosines"} & {*widget.trait_names()}:
            numbers = [float("nan") if number is None else number for number in found[name]]
            expected = getattr(widget, name)
            torch.testing.assert_close(
                torch.tensor(numbers, dtype=torch.float32),
                expected,
                rtol=1e-4,
                atol=1e-4,
                equal_nan=True,
                msg=f"{name}, {seed}",
            )


def test_the_page_leaves_in_what_the_mathematics_leaves_in(page: Node) -> None:
    chance = Random(0)
    scores = 4 * torch.randn(41, generator=torch.Generator().manual_seed(0))
    for _ in range(40):
        heat, k = round(10 ** chance.uniform(-1, 0.69), 2), chance.randint(1, 41)
        p = round(chance.uniform(0.05, 1), 2)
        widget = NextToken({"it": scores}, [f"t{i}" for i in range(41)])
        widget.receive({"heat": heat, "k": k, "p": p})
        found = page.ask({"widget": "next_token", "setup": widget.setup(), "state": widget.pack()})
        expected = [*widget.probabilities["it"].values()]
        assert [share for share in found["left"][0] if share] == pytest.approx(expected, rel=1e-4)
