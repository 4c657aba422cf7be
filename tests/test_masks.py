"""Test that a mask hides what it should and nothing else, and that True means may attend."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from qkvlib.attention import scaled_dot_product_attention
from qkvlib.masks import apply_mask, causal_mask, combine_masks, padding_mask
from tests.strategies import sizes


@given(sizes)
def test_a_causal_mask_allows_oneself_and_the_past(n: int) -> None:
    assert causal_mask(n).tolist() == [[j <= i for j in range(n)] for i in range(n)]


@given(st.lists(st.integers(0, 6), min_size=1, max_size=4), st.booleans())
def test_a_padding_mask_allows_the_first_keys_of_each_sequence(lengths: list[int], as_tensor: bool) -> None:
    mask = padding_mask(torch.tensor(lengths) if as_tensor else lengths, 6)
    assert mask.tolist() == [[[j < length for j in range(6)]] for length in lengths]


def test_combined_masks_allow_what_all_of_them_allow() -> None:
    combined = combine_masks(causal_mask(3), padding_mask([3, 1], 3), torch.ones(3, 3) > 0)
    expected = [[[j <= i and j < length for j in range(3)] for i in range(3)] for length in (3, 1)]
    assert combined.tolist() == expected


def test_who_may_attend_to_nobody_gets_zero_and_no_gradient() -> None:
    generator = torch.Generator().manual_seed(0)
    q, k, v = (torch.randn(3, 2, generator=generator).requires_grad_() for _ in range(3))
    mask = torch.tensor([[True, True, False], [False, False, False], [True, False, True]])
    output, weights = scaled_dot_product_attention(q, k, v, mask)
    assert output[1].tolist() == [0, 0]
    assert weights[1].tolist() == [0, 0, 0]
    output.backward(torch.randn(3, 2, generator=generator))
    assert q.grad is not None
    assert q.grad[1].tolist() == [0, 0]
    for tensor in (q, k, v):
        assert tensor.grad is not None
        assert tensor.grad.isfinite().all()


def test_a_forbidden_score_becomes_minus_infinity_and_the_scores_stay_as_they_were() -> None:
    scores = torch.tensor([[1.0, 2.0]])
    masked = apply_mask(scores, torch.tensor([[True, False]]))
    assert masked.tolist() == [[1.0, -math.inf]]
    assert scores.tolist() == [[1.0, 2.0]]
    assert apply_mask(scores, None) is scores


@pytest.mark.parametrize(
    ("lengths", "message"),
    [
        ([2, 4], "lengths is [2, 4], but each must lie between 0 and n = 3"),
        ([-1], "lengths is [-1], but each must lie between 0 and n = 3"),
        (
            torch.tensor([[2]]),
            "lengths has shape (1, 1), but there is one length a sequence: lengths needs one dimension",
        ),
    ],
)
@pytest.mark.usefixtures("unchecked_signatures")
def test_impossible_lengths_are_refused(lengths: list[int] | Tensor, message: str) -> None:
    with pytest.raises(ValueError, match=r".") as refused:
        padding_mask(lengths, 3)
    assert str(refused.value) == message
