"""Test that two of the three ways to write multi-head attention agree, and that the third differs."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor
from torch.nn import functional

from qkvlib import multi_head as heads
from qkvlib.attention import scaled_dot_product_attention
from qkvlib.masks import causal_mask
from qkvlib.multi_head import (
    head_contributions,
    merge_heads,
    multi_head_attention,
    multi_head_attention_cut_input,
    multi_head_attention_per_head,
    split_heads,
    to_torch,
)
from tests.strategies import Layer, batches, close, generators, layers, normals, ones, refuses, sizes

Weights = tuple[Tensor, Tensor, Tensor, Tensor]


def run(layer: Layer) -> tuple[Tensor, Tensor]:
    return multi_head_attention(layer.x, *layer.weights, layer.w_o, layer.n_heads, layer.mask, layer.context)


@given(batches, sizes, st.integers(1, 4), st.integers(1, 4), generators)
def test_each_head_gets_its_own_columns_and_merging_brings_them_back(
    batch: tuple[int, ...], n: int, n_heads: int, d_k: int, generator: torch.Generator
) -> None:
    x = normals(generator, torch.float32)(*batch, n, n_heads * d_k)
    pieces = split_heads(x, n_heads)
    for i in range(n_heads):
        assert torch.equal(pieces[..., i, :, :], x[..., i * d_k : (i + 1) * d_k])
    assert torch.equal(merge_heads(pieces), x)


@given(layers())
def test_many_heads_are_attention_on_slices_of_the_big_weights(layer: Layer) -> None:
    source = layer.x if layer.context is None else layer.context
    d_k, d_v = layer.w_q.shape[1] // layer.n_heads, layer.w_v.shape[1] // layer.n_heads
    output, weights = run(layer)
    expected = torch.zeros_like(output)
    for i in range(layer.n_heads):
        keys, values = slice(i * d_k, (i + 1) * d_k), slice(i * d_v, (i + 1) * d_v)
        q, k = layer.x @ layer.w_q[:, keys], source @ layer.w_k[:, keys]
        v = source @ layer.w_v[:, values]
        expected += functional.scaled_dot_product_attention(q, k, v, layer.mask) @ layer.w_o[values]
        close(weights[..., i, :, :], scaled_dot_product_attention(q, k, v, layer.mask)[1])
    close(output, expected)


def one_by_one(layer: Layer) -> tuple[Tensor, Tensor]:
    own = (split_heads(w, layer.n_heads) for w in layer.weights)
    return multi_head_attention_per_head(layer.x, *own, layer.w_o, layer.mask, layer.context)


@given(layers())
def test_a_w_for_each_head_is_one_big_w_and_a_reshape(layer: Layer) -> None:
    for big, own in zip(run(layer), one_by_one(layer), strict=True):
        close(own, big)


@given(layers(), st.integers(1, 3))
def test_cutting_x_first_is_a_big_w_with_blocks_on_its_diagonal(layer: Layer, piece: int) -> None:
    n_heads, n = layer.n_heads, layer.x.shape[-2]
    generator = torch.Generator().manual_seed(piece)
    normal = normals(generator, layer.x.dtype)
    x = normal(*layer.x.shape[:-2], n, n_heads * piece)
    context = None if layer.context is None else normal(*layer.context.shape[:-1], n_heads * piece)
    blocks = [normal(n_heads, piece, w.shape[1] // n_heads) for w in layer.weights]
    output, weights = multi_head_attention_cut_input(x, *blocks, layer.w_o, layer.mask, context)
    big = (torch.block_diag(*block) for block in blocks)
    expected = multi_head_attention(x, *big, layer.w_o, n_heads, layer.mask, context)
    close(output, expected[0])
    close(weights, expected[1])


def test_cutting_x_first_is_another_function_when_the_big_w_is_full() -> None:
    normal = normals(torch.Generator().manual_seed(0), torch.float64)
    x, weights, w_o = normal(2, 5, 12), [normal(12, 12) for _ in range(3)], normal(12, 12)
    full, _ = multi_head_attention(x, *weights, w_o, 3)
    blocks = [torch.stack([w[i : i + 4, i : i + 4] for i in (0, 4, 8)]) for w in weights]
    cut, _ = multi_head_attention_cut_input(x, *blocks, w_o)
    assert float((cut - full).norm() / full.norm()) > 0.5


def equivariance_error(n: int = 5, d: int = 12, n_heads: int = 3) -> float:
    """Return how far shuffling the words differs from shuffling the output: a test worth remembering."""
    normal = normals(torch.Generator().manual_seed(1), torch.float64)
    x, weights = normal(2, n, d), [normal(d, d) for _ in range(4)]
    order = [3, 1, 4, 0, 2]
    output, _ = multi_head_attention(x, *weights, n_heads)
    shuffled, _ = multi_head_attention(x[:, order], *weights, n_heads)
    return float((shuffled - output[:, order]).abs().max())


def view_without_transpose(x: Tensor, n_heads: int) -> Tensor:
    return x.reshape(*x.shape[:-2], n_heads, x.shape[-2], -1)


def merge_without_transpose(pieces: Tensor) -> Tensor:
    return pieces.reshape(*pieces.shape[:-3], pieces.shape[-2], -1)


def test_shuffling_the_words_shuffles_the_output() -> None:
    assert equivariance_error() < 1e-12


@pytest.mark.parametrize(
    ("name", "bug"), [("split_heads", view_without_transpose), ("merge_heads", merge_without_transpose)]
)
def test_shuffling_the_words_catches_both_reshape_bugs(
    name: str, bug: Callable[..., Tensor], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heads, name, bug)
    assert equivariance_error() > 0.1


def test_no_head_sees_the_future() -> None:
    normal = normals(torch.Generator().manual_seed(0), torch.float32)
    x, weights = normal(2, 5, 6), [normal(6, 6) for _ in range(4)]
    before, _ = multi_head_attention(x, *weights, 2, causal_mask(5))
    x[:, -1] += 1
    after, _ = multi_head_attention(x, *weights, 2, causal_mask(5))
    assert torch.equal(after[:, :-1], before[:, :-1])
    assert not torch.equal(after[:, -1], before[:, -1])


@given(layers())
def test_the_heads_contributions_add_up_to_the_output(layer: Layer) -> None:
    source = layer.x if layer.context is None else layer.context
    q, k, v = (
        split_heads(t @ w, layer.n_heads)
        for t, w in zip((layer.x, source, source), layer.weights, strict=True)
    )
    mask = None if layer.mask is None else layer.mask.unsqueeze(-3)
    outputs, _ = scaled_dot_product_attention(q, k, v, mask)
    contributions = head_contributions(outputs, layer.w_o)
    close(contributions.sum(-3), run(layer)[0])
    d_v = outputs.shape[-1]
    close(contributions[..., -1, :, :], outputs[..., -1, :, :] @ layer.w_o[-d_v:])


@st.composite
def torch_layers(draw: st.DrawFn) -> tuple[Tensor, Tensor | None, Weights, int, Tensor | None]:
    """Draw like `layers`, but only widths that nn.MultiheadAttention can have."""
    n_heads, d_k, n, m, d_source = (draw(st.integers(1, 4)) for _ in range(5))
    normal, d = normals(draw(generators), torch.float64), n_heads * d_k
    context = normal(2, m, d_source) if draw(st.booleans()) else None
    if context is None:
        m, d_source = n, d
    mask = torch.rand(n, m, generator=draw(generators)) < 0.7
    mask[:, 0] = True  # torch's layer gives NaN to a query with nothing to attend to
    weights = (normal(d, d), normal(d_source, d), normal(d_source, d), normal(d, d))
    return normal(2, n, d), context, weights, n_heads, draw(st.sampled_from([None, mask]))


@given(torch_layers())
def test_torchs_layer_with_our_weights_is_our_layer(
    drawn: tuple[Tensor, Tensor | None, Weights, int, Tensor | None],
) -> None:
    x, context, weights, n_heads, mask = drawn
    source = x if context is None else context
    layer = to_torch(*weights, n_heads)
    output, maps = layer(
        x, source, source, attn_mask=None if mask is None else ~mask, average_attn_weights=False
    )
    ours = multi_head_attention(x, *weights, n_heads, mask, context)
    close(ours[0], output.detach())
    close(ours[1], maps.detach())


REFUSED: list[tuple[Callable[[], object], str]] = [
    (
        lambda: split_heads(ones(4, 10), 3),
        "x has shape (4, 10), but there are to be 3 heads of equal width: x needs a number of "
        "columns divisible by 3",
    ),
    (
        lambda: split_heads(ones(4, 10), 0),
        "n_heads is 0, but somebody has to attend: n_heads needs 1 or more",
    ),
    (
        lambda: multi_head_attention(ones(4, 5), ones(5, 6), ones(5, 6), ones(4, 6), ones(6, 5), 2),
        "w_v has shape (4, 6), but x has 5 features: w_v needs 5 rows",
    ),
    (
        lambda: multi_head_attention(ones(4, 5), ones(5, 6), ones(5, 6), ones(5, 6), ones(5, 5), 2),
        "w_o has shape (5, 5), but w_v has 6 columns: w_o needs 6 rows",
    ),
    (
        lambda: multi_head_attention(ones(4, 5), ones(5, 6), ones(5, 6), ones(5, 7), ones(7, 5), 2),
        "w_v has shape (5, 7), but there are to be 2 heads of equal width: w_v needs a number of "
        "columns divisible by 2",
    ),
    (
        lambda: multi_head_attention(
            *[ones(5, 5), ones(5, 6), ones(5, 6), ones(5, 6), ones(6, 5)], 2, ones(4, 4) > 0
        ),
        "mask has shape (4, 4), but the scores have shape (2, 5, 5): mask needs that shape, or "
        "one that broadcasts to it",
    ),
    (
        lambda: head_contributions(ones(2, 4, 3), ones(5, 4)),
        "w_o has shape (5, 4), but 2 heads of 3 features make 6: w_o needs 6 rows",
    ),
    (
        lambda: to_torch(ones(4, 4), ones(3, 4), ones(3, 2), ones(4, 4), 2),
        "w_v has shape (3, 2), but torch's layer keeps the width 4 of w_q's rows throughout: w_v "
        "needs the shape (3, 4)",
    ),
]


test_errors_name_the_argument_its_shape_and_the_shape_wanted = refuses(REFUSED)
