"""Positions tell tokens apart, and sinusoidal ones tell distances."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from qkvlib.positions import add_positions, learned_positions, positional_encoding
from tests.strategies import sizes

pairs = st.integers(1, 5)


@given(sizes, pairs)
def test_sine_and_cosine_stand_side_by_side(n: int, half: int) -> None:
    d = 2 * half
    encoding = positional_encoding(n, d)
    for t in range(n):
        for i in range(half):
            angle = t / 10000 ** (2 * i / d)
            assert float(encoding[t, 2 * i]) == pytest.approx(math.sin(angle), abs=1e-5)
            assert float(encoding[t, 2 * i + 1]) == pytest.approx(math.cos(angle), abs=1e-5)


@given(st.integers(1, 20), st.integers(0, 20), pairs)
def test_the_product_of_two_positions_depends_on_their_distance_alone(
    distance: int, shift: int, half: int
) -> None:
    encoding = positional_encoding(41, 2 * half)
    here, there = encoding[0] @ encoding[distance], encoding[shift] @ encoding[shift + distance]
    assert float(here) == pytest.approx(float(there), abs=1e-4)


def test_an_odd_width_is_refused() -> None:
    message = "d is 5, but columns come in pairs, sine and cosine: d needs to be even"
    with pytest.raises(ValueError, match=message):
        positional_encoding(3, 5)


def test_learned_positions_come_from_their_seed_and_can_be_trained() -> None:
    first, again = (learned_positions(500, 8, 0.1, torch.Generator().manual_seed(3)) for _ in "ab")
    assert torch.equal(first, again)
    assert float(first.detach().std()) == pytest.approx(0.1, rel=0.05)
    assert first.is_leaf
    assert first.requires_grad


def test_only_the_positions_that_occur_get_a_gradient() -> None:
    table = learned_positions(4, 3, generator=torch.Generator().manual_seed(0))
    x, d_output = torch.ones(2, 3, 3), torch.arange(18.0).view(2, 3, 3)
    output = add_positions(x, table)
    assert torch.equal(output[1], x[1] + table[:3])
    output.backward(d_output)
    assert table.grad is not None
    assert torch.equal(table.grad[:3], d_output[0] + d_output[1])
    assert table.grad[3].tolist() == [0, 0, 0]


@pytest.mark.usefixtures("unchecked_signatures")
def test_a_sequence_longer_than_the_table_is_refused() -> None:
    message = (
        r"table has shape \(4, 3\), but x has shape \(5, 3\): "
        "table needs at least 5 rows and 3 columns"
    )
    with pytest.raises(ValueError, match=message):
        add_positions(torch.ones(5, 3), torch.ones(4, 3))
