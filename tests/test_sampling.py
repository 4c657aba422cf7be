"""Test which tokens remain when the next token is sampled, and their probabilities."""

from __future__ import annotations

import itertools

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from qkvlib.sampling import temperature, top_k, top_p
from tests.strategies import batches, generators, normals, sizes


@given(batches, sizes, st.floats(0.1, 10), generators)
def test_a_temperature_divides_the_scores(
    batch: tuple[int, ...], n: int, heat: float, generator: torch.Generator
) -> None:
    scores = normals(generator, torch.float64)(*batch, n)
    expected = torch.softmax(scores / heat, dim=-1)
    torch.testing.assert_close(temperature(scores, heat), expected)


@given(batches, sizes, st.integers(1, 8), generators)
def test_top_k_leaves_k_in_and_their_proportions_as_they_are(
    batch: tuple[int, ...], n: int, k: int, generator: torch.Generator
) -> None:
    given_ = normals(generator, torch.float64)(*batch, n).softmax(-1)
    left = top_k(given_, k)
    assert ((left > 0).sum(-1) == min(k, n)).all()
    torch.testing.assert_close(left.sum(-1), torch.ones_like(left[..., 0]))
    cut = given_.masked_fill(left > 0, 0).amax(-1)
    assert (given_.masked_fill(left == 0, 2).amin(-1) >= cut).all()
    kept = given_.masked_fill(left == 0, 0)
    torch.testing.assert_close(left, kept / kept.sum(-1, keepdim=True))


@given(st.integers(1, 6), st.floats(0.01, 0.99), generators)
def test_top_p_leaves_the_smallest_set_in_that_has_p(n: int, p: float, generator: torch.Generator) -> None:
    given_ = normals(generator, torch.float64)(n).softmax(-1)
    left = top_p(given_, p)
    kept = {i for i in range(n) if left[i] > 0}
    assert float(given_[[*kept]].sum()) >= p - 1e-12
    for size in range(len(kept)):
        for fewer in itertools.combinations(range(n), size):
            assert float(given_[[*fewer]].sum()) < p + 1e-12
    assert min(given_[[*kept]]) >= max([given_[i] for i in range(n) if i not in kept], default=0)
    torch.testing.assert_close(left[[*kept]], given_[[*kept]] / given_[[*kept]].sum())


@given(batches, sizes, st.floats(0.01, 0.99), generators)
def test_top_p_cuts_every_row_for_itself(
    batch: tuple[int, ...], n: int, p: float, generator: torch.Generator
) -> None:
    given_ = normals(generator, torch.float64)(*batch, n).softmax(-1)
    rows = [top_p(row, p) for row in given_.reshape(-1, n)]
    torch.testing.assert_close(top_p(given_, p).reshape(-1, n), torch.stack(rows))


def test_what_reaches_p_exactly_is_enough_and_the_likeliest_always_stays() -> None:
    given_ = torch.tensor([0.25, 0.5, 0.125, 0.125])
    assert top_p(given_, 0.5).tolist() == [0, 1, 0, 0]
    assert top_p(given_, 0.75).tolist() == pytest.approx([1 / 3, 2 / 3, 0, 0])
    assert top_p(given_, 0.0).tolist() == [0, 1, 0, 0]
    assert top_p(given_, 1.0).tolist() == given_.tolist()


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="above 0"):
        temperature(torch.zeros(3), 0.0)
    with pytest.raises(ValueError, match="at least one"):
        top_k(torch.ones(3) / 3, 0)
