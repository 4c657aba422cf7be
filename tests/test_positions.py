"""Test that positions tell tokens apart, and that sinusoidal ones encode distances."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from qkvlib.positions import positional_encoding, rotate_by_position
from tests.strategies import generators, normals, ones, refuses, sizes

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


@given(sizes, pairs, generators)
def test_each_pair_is_a_complex_number_times_one_on_the_circle(
    n: int, half: int, generator: torch.Generator
) -> None:
    x = normals(generator, torch.float64)(2, n, 2 * half)
    places = torch.randint(-50, 500, (n,), generator=generator)
    speeds = 10000.0 ** (-torch.arange(half, dtype=torch.float64) / half)
    turns = torch.polar(torch.ones(n, half, dtype=torch.float64), places[:, None] * speeds)
    expected = torch.view_as_real(torch.view_as_complex(x.view(2, n, half, 2)) * turns)
    torch.testing.assert_close(rotate_by_position(x, places), expected.flatten(-2))


@given(sizes, pairs, st.integers(-300, 300), generators)
def test_the_product_of_two_turned_rows_depends_on_their_distance_alone(
    n: int, half: int, shift: int, generator: torch.Generator
) -> None:
    q, k = (normals(generator, torch.float64)(n, 2 * half) for _ in "qk")
    here, there = torch.arange(n), torch.arange(n) + shift
    scores = rotate_by_position(q, here) @ rotate_by_position(k, here).mT
    shifted = rotate_by_position(q, there) @ rotate_by_position(k, there).mT
    torch.testing.assert_close(scores, shifted, rtol=1e-10, atol=1e-10)
    together = (q * rotate_by_position(k, shift * torch.ones(n))).sum(-1)
    apart = (rotate_by_position(q, -shift * torch.ones(n)) * k).sum(-1)
    torch.testing.assert_close(together, apart, rtol=1e-10, atol=1e-10)


@given(sizes, pairs, generators)
def test_turning_keeps_lengths_and_its_gradient_is_right(
    n: int, half: int, generator: torch.Generator
) -> None:
    x = normals(generator, torch.float64)(n, 2 * half)
    places = torch.randint(0, 100, (n,), generator=generator)
    turned = rotate_by_position(x, places)
    torch.testing.assert_close(turned.norm(dim=-1), x.norm(dim=-1))
    assert torch.equal(rotate_by_position(x, torch.zeros(n)), x)
    x.requires_grad_()
    assert torch.autograd.gradcheck(lambda rows: rotate_by_position(rows, places), x)


def test_turning_is_the_sinusoidal_encoding_seen_by_an_arrow_on_the_axis() -> None:
    up = torch.tensor([1.0, 0.0]).repeat(5, 3)
    turned = rotate_by_position(up, torch.arange(5)).unflatten(-1, (3, 2))
    torch.testing.assert_close(turned.flip(-1).flatten(-2), positional_encoding(5, 6))


test_what_has_no_place_or_no_partner_is_refused = refuses(
    [
        (
            lambda: positional_encoding(3, 5),
            "d is 5, but columns come in pairs, sine and cosine: d needs to be even",
        ),
        (
            lambda: rotate_by_position(ones(2, 3), torch.arange(2)),
            "x has 3 columns, but columns are turned in pairs: d needs to be even",
        ),
        (
            lambda: rotate_by_position(ones(3, 4), torch.arange(2)),
            "positions has shape (2,), but x has 3 rows: give a position for each",
        ),
    ]
)
