"""Test that attention with a cache, shared heads or blocks gives the numbers of full attention."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor
from torch.nn import functional

from qkvlib.attention import scaled_dot_product_attention
from qkvlib.cached import attend_with_cache, attention_in_blocks, grouped_query_attention, online_softmax
from qkvlib.masks import causal_mask
from tests.strategies import batches, close, generators, normals, precisions, sizes


@given(sizes, sizes, sizes, sizes, generators, precisions)
def test_one_token_at_a_time_is_the_masked_pass(
    n: int, d_model: int, d_k: int, d_v: int, generator: torch.Generator, dtype: torch.dtype
) -> None:
    normal = normals(generator, dtype)
    x = normal(n, d_model)
    w_q, w_k, w_v = normal(d_model, d_k), normal(d_model, d_k), normal(d_model, d_v)
    k, v = normal(0, d_k), normal(0, d_v)
    rows = []
    for row in x.split(1):
        output, k, v = attend_with_cache(row, w_q, w_k, w_v, k, v)
        rows.append(output)
    close(k, x @ w_k)
    close(v, x @ w_v)
    q, whole_k, whole_v = x @ w_q, x @ w_k, x @ w_v
    close(torch.cat(rows), scaled_dot_product_attention(q, whole_k, whole_v, causal_mask(n))[0])
    close(
        torch.cat(rows)[None],
        functional.scaled_dot_product_attention(q[None], whole_k[None], whole_v[None], is_causal=True),
    )


@given(batches, sizes, sizes, sizes, sizes, st.integers(1, 3), st.integers(1, 3), generators)
def test_grouped_queries_are_torchs(
    batch: tuple[int, ...],
    n: int,
    m: int,
    d_k: int,
    d_v: int,
    groups: int,
    share: int,
    generator: torch.Generator,
) -> None:
    normal = normals(generator, torch.float64)
    q = normal(*batch, groups * share, n, d_k)
    k, v = normal(*batch, groups, m, d_k), normal(*batch, groups, m, d_v)
    expected = functional.scaled_dot_product_attention(q, k, v, enable_gqa=True)
    close(grouped_query_attention(q, k, v), expected)


def test_heads_that_cannot_be_shared_out_are_refused() -> None:
    with pytest.raises(ValueError, match="5 heads of queries and 2 of keys"):
        grouped_query_attention(torch.zeros(5, 1, 2), torch.zeros(2, 3, 2), torch.zeros(2, 3, 2))


@given(sizes, st.integers(1, 12), sizes, sizes, sizes, generators, precisions)
def test_in_blocks_of_any_size_it_is_attention(
    n: int, m: int, d_k: int, d_v: int, size: int, generator: torch.Generator, dtype: torch.dtype
) -> None:
    normal = normals(generator, dtype)
    q, k, v = normal(n, d_k), normal(m, d_k), normal(m, d_v)
    close(attention_in_blocks(q, k, v, size), scaled_dot_product_attention(q, k, v)[0])


@given(sizes, sizes, sizes, generators)
def test_a_block_leaves_the_sums_of_all_scores_so_far(
    n: int, first: int, second: int, generator: torch.Generator
) -> None:
    normal = normals(generator, torch.float64)
    scores, v = 100 * normal(n, first + second), normal(first + second, 3)
    state = (torch.full((n, 1), -math.inf).double(), torch.zeros(n, 1).double())
    largest, total, blend = online_softmax(scores[:, :first], v[:first], *state, torch.zeros(n, 3).double())
    largest, total, blend = online_softmax(scores[:, first:], v[first:], largest, total, blend)
    assert torch.equal(largest, scores.amax(1, keepdim=True))
    exponentials = (scores - largest).exp()
    close(total, exponentials.sum(1, keepdim=True))
    close(blend, exponentials @ v)


def test_gradients_come_back_through_the_blocks() -> None:
    normal = normals(torch.Generator().manual_seed(0), torch.float64)
    q, k, v = (normal(*shape).requires_grad_() for shape in ((3, 2), (5, 2), (5, 4)))
    assert torch.autograd.gradcheck(lambda *given: attention_in_blocks(*given, 2), (q, k, v))


def _in_blocks(q: Tensor, k: Tensor, v: Tensor, may: Tensor, size: int) -> Tensor:
    """Compute masked attention block by block. A query with nothing to attend to gets a row of zeros."""
    scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~may, -math.inf)
    state = q.new_full((len(q), 1), -math.inf), q.new_zeros(len(q), 1), q.new_zeros(len(q), 4)
    for block, values in zip(scores.split(size, 1), v.split(size), strict=True):
        state = online_softmax(block, values, *state)
    _, total, blend = state
    return blend / total.masked_fill(total == 0, 1)


@pytest.mark.parametrize(
    ("hidden", "may"),
    [
        ("the first block", torch.tensor([0, 0, 1, 1, 1, 0]).bool().expand(6, 6)),
        ("the last block", torch.tensor([1, 0, 1, 1, 0, 0]).bool().expand(6, 6)),
        ("what came before, and everything for the last query", torch.ones(6, 6).bool().triu(1)),
    ],
    ids=lambda part: part if isinstance(part, str) else "",
)
def test_a_block_that_is_hidden_whole_adds_nothing(hidden: str, may: Tensor) -> None:
    normal = normals(torch.Generator().manual_seed(0), torch.float64)
    q, k, v = (normal(6, size).requires_grad_() for size in (3, 3, 4))
    close(_in_blocks(q, k, v, may, 2), scaled_dot_product_attention(q, k, v, may)[0])
    assert torch.autograd.gradcheck(lambda *given: _in_blocks(*given, may, 2), (q, k, v))
