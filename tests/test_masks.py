"""Test that a mask hides what it should and nothing else, and that True means may attend."""

from __future__ import annotations

import math

import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn
from torch.nn import functional

from qkvlib.attention import scaled_dot_product_attention
from qkvlib.masks import apply_mask, causal_mask, combine_masks, padding_mask
from tests.strategies import generators, normals, refuses, sizes


@given(sizes)
def test_a_causal_mask_allows_oneself_and_the_past(n: int) -> None:
    assert causal_mask(n).tolist() == [[j <= i for j in range(n)] for i in range(n)]


@given(st.lists(st.integers(0, 6), min_size=1, max_size=4), st.booleans())
def test_a_padding_mask_allows_the_first_keys_of_each_sequence(lengths: list[int], as_tensor: bool) -> None:
    mask = padding_mask(torch.tensor(lengths) if as_tensor else lengths, 6)
    assert mask.tolist() == [[[j < length for j in range(6)]] for length in lengths]


@given(sizes, sizes, sizes, generators)
def test_the_last_token_does_not_leak_into_earlier_outputs(
    n: int, d_k: int, d_v: int, generator: torch.Generator
) -> None:
    normal = normals(generator, torch.float32)
    q, k, v = normal(n, d_k), normal(n, d_k), normal(n, d_v)
    before, _ = scaled_dot_product_attention(q, k, v, causal_mask(n))
    for tensor in (q, k, v):
        tensor[-1] += 1
    after, _ = scaled_dot_product_attention(q, k, v, causal_mask(n))
    assert torch.equal(after[:-1], before[:-1])
    assert not torch.equal(after[-1], before[-1])


@given(st.integers(1, 5), st.integers(1, 5), sizes, generators)
def test_padding_changes_nothing(length: int, padding: int, d: int, generator: torch.Generator) -> None:
    normal = normals(generator, torch.float64)
    q, k, v = normal(2, 3, d), normal(2, length + padding, d), normal(2, length + padding, d)
    mask = padding_mask([length, length], length + padding)
    padded, weights = scaled_dot_product_attention(q, k, v, mask)
    unpadded, _ = scaled_dot_product_attention(q, k[:, :length], v[:, :length])
    torch.testing.assert_close(padded, unpadded, rtol=0, atol=1e-14)
    assert (weights[..., length:] == 0).all()


def test_combined_masks_allow_what_all_of_them_allow() -> None:
    combined = combine_masks(causal_mask(3), padding_mask([3, 1], 3), torch.ones(3, 3) > 0)
    expected = [[[j <= i and j < length for j in range(3)] for i in range(3)] for length in (3, 1)]
    assert combined.tolist() == expected


def test_true_means_may_attend_as_in_sdpa_and_unlike_multihead_attention() -> None:
    x = torch.randn(4, 2, generator=torch.Generator().manual_seed(0))
    mask = torch.tensor([[True, False, False, True]]).repeat(4, 1)
    ours, weights = scaled_dot_product_attention(x, x, x, mask)
    assert (weights[:, 1:3] == 0).all()
    torch.testing.assert_close(ours, functional.scaled_dot_product_attention(x, x, x, mask))

    layer = nn.MultiheadAttention(2, 1, bias=False)
    with torch.no_grad():
        layer.in_proj_weight.copy_(torch.eye(2).repeat(3, 1))
        layer.out_proj.weight.copy_(torch.eye(2))
        theirs, _ = layer(x, x, x, attn_mask=~mask)
    torch.testing.assert_close(ours, theirs)


def test_who_may_attend_to_nobody_gets_zero_and_no_gradient() -> None:
    generator = torch.Generator().manual_seed(0)
    q, k, v = (torch.randn(3, 2, generator=generator).requires_grad_() for _ in range(3))
    mask = torch.tensor([[True, True, False], [False, False, False], [True, False, True]])
    output, weights = scaled_dot_product_attention(q, k, v, mask)
    assert output[1].tolist() == [0, 0]
    assert weights[1].tolist() == [0, 0, 0]
    output.backward(torch.randn(3, 2, generator=generator))
    assert q.grad[1].tolist() == [0, 0]
    for tensor in (q, k, v):
        assert tensor.grad.isfinite().all()


def test_a_forbidden_score_becomes_minus_infinity_and_the_scores_stay_as_they_were() -> None:
    scores = torch.tensor([[1.0, 2.0]])
    masked = apply_mask(scores, torch.tensor([[True, False]]))
    assert masked.tolist() == [[1.0, -math.inf]]
    assert scores.tolist() == [[1.0, 2.0]]
    assert apply_mask(scores, None) is scores


test_impossible_lengths_are_refused = refuses(
    [
        (lambda: padding_mask([2, 4], 3), "lengths is [2, 4], but each must lie between 0 and n = 3"),
        (lambda: padding_mask([-1], 3), "lengths is [-1], but each must lie between 0 and n = 3"),
        (
            lambda: padding_mask(torch.tensor([[2]]), 3),
            "lengths has shape (1, 1), but there is one length a sequence: lengths needs one dimension",
        ),
    ]
)
