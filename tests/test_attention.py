"""Test that attention computes its formulas, for every shape, precision, batch and mask."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn import functional

from qkvlib.attention import (
    attention_entropy,
    attention_scores,
    attention_weights,
    bilinear_form,
    cosine_similarity,
    cross_attention,
    dot,
    linear_attention,
    nearest,
    project,
    project_qkv,
    scaled_dot_product_attention,
    scores_that_know_length,
    soft_lookup,
    soft_lookup_sum,
    softmax,
    softmax_with_a_sink,
)
from tests.strategies import (
    QKV,
    Layer,
    batches,
    close,
    generators,
    layers,
    normals,
    ones,
    precisions,
    queries_keys_values,
    refuses,
    sizes,
)


@given(sizes, generators)
def test_dot_is_length_times_length_times_cosine(d: int, generator: torch.Generator) -> None:
    a, b = normals(generator, torch.float64)(2, d)
    close(dot(a, b), a.new_tensor(sum(float(a[i]) * float(b[i]) for i in range(d))))
    close(dot(a, b), a.norm() * b.norm() * functional.cosine_similarity(a, b, dim=0))


@given(sizes, sizes, sizes, precisions, generators)
def test_cosine_compares_every_row_with_every_row(
    n: int, m: int, d: int, dtype: torch.dtype, generator: torch.Generator
) -> None:
    normal = normals(generator, dtype)
    a, b = normal(n, d), normal(m, d)
    close(cosine_similarity(a, b), functional.cosine_similarity(a[:, None], b[None], dim=-1))


def test_cosine_forgets_length_and_a_zero_vector_has_no_direction() -> None:
    a = torch.tensor([[3.0, 4.0], [0.0, 0.0]], requires_grad=True)
    b = torch.tensor([[30.0, 40.0], [-4.0, 3.0]])
    cosines = cosine_similarity(a, b)
    close(cosines.detach(), torch.tensor([[1.0, 0.0], [0.0, 0.0]]))
    cosines.backward(torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
    assert a.grad.isfinite().all()


def test_the_nearest_key_is_the_closest_in_direction_not_the_longest() -> None:
    query = torch.tensor([1.0, 1.0])
    keys = torch.tensor([[9.0, 0.0], [-1.0, -1.0], [0.1, 0.11]])
    assert int((keys @ query).argmax()) == 0
    assert nearest(query, keys) == 2


@given(st.lists(sizes, min_size=1, max_size=3), precisions, generators, st.data())
def test_softmax_is_torchs_along_every_dimension(
    shape: list[int], dtype: torch.dtype, generator: torch.Generator, data: st.DataObject
) -> None:
    scores = 10 * normals(generator, dtype)(*shape)
    dim = data.draw(st.integers(-len(shape), len(shape) - 1))
    close(softmax(scores, dim), torch.softmax(scores, dim))


@given(st.lists(st.floats(width=32, allow_nan=False, allow_infinity=False), min_size=1))
def test_softmax_neither_overflows_nor_loses_its_sum(scores: list[float]) -> None:
    weights = softmax(torch.tensor(scores))
    assert (weights >= 0).all()
    assert float(weights.sum()) == pytest.approx(1, abs=1e-5)


def test_softmax_keeps_its_argument_and_takes_half_precision() -> None:
    scores = torch.tensor([[60000.0, 60000.0], [-math.inf, 0.0]], dtype=torch.float16)
    before = scores.clone()
    assert softmax(scores).tolist() == [[0.5, 0.5], [0.0, 1.0]]
    assert torch.equal(scores, before)


def test_softmax_of_nobody_is_zero_with_a_gradient_of_zero() -> None:
    scores = torch.tensor([[-math.inf, -math.inf], [1.0, -math.inf]], requires_grad=True)
    weights = softmax(scores)
    assert weights.tolist() == [[0.0, 0.0], [1.0, 0.0]]
    weights.backward(torch.tensor([[3.0, -5.0], [7.0, 2.0]]))
    assert scores.grad.tolist() == [[0.0, 0.0], [0.0, 0.0]]


def test_a_query_without_a_single_key_gets_zeros() -> None:
    q, no_keys, no_values = torch.ones(2, 3), torch.ones(0, 3), torch.ones(0, 4)
    output, weights = scaled_dot_product_attention(q, no_keys, no_values)
    assert torch.equal(output, torch.zeros(2, 4))
    assert weights.shape == (2, 0)


def test_softmax_does_not_hide_a_nan() -> None:
    assert softmax(torch.tensor([1.0, math.nan, 2.0])).isnan().all()


@given(sizes, sizes, st.integers(-2, 1), generators)
def test_the_gradient_of_softmax_is_right(n: int, m: int, dim: int, generator: torch.Generator) -> None:
    scores = normals(generator, torch.float64)(n, m).requires_grad_()
    assert torch.autograd.gradcheck(lambda s: softmax(s, dim), scores)


@given(st.lists(sizes, min_size=1, max_size=3), precisions, generators, st.data())
def test_softmax_with_a_sink_is_torchs_with_one_zero_more(
    shape: list[int], dtype: torch.dtype, generator: torch.Generator, data: st.DataObject
) -> None:
    scores = 10 * normals(generator, dtype)(*shape)
    dim = data.draw(st.integers(-len(shape), len(shape) - 1))
    zero = torch.zeros_like(scores.narrow(dim, 0, 1))
    with_one_more = torch.softmax(torch.cat([scores, zero], dim), dim)
    weights = softmax_with_a_sink(scores, dim)
    close(weights, with_one_more.narrow(dim, 0, scores.shape[dim]))
    other = 3 * torch.randn((), generator=generator, dtype=dtype)
    with_another = torch.softmax(torch.cat([scores, zero + other], dim), dim)
    close(softmax_with_a_sink(scores - other, dim), with_another.narrow(dim, 0, scores.shape[dim]))


@given(st.lists(st.floats(width=32, allow_nan=False, allow_infinity=False), min_size=1))
def test_softmax_with_a_sink_never_overflows_and_never_sums_to_more_than_one(scores: list[float]) -> None:
    weights = softmax_with_a_sink(torch.tensor(scores))
    assert (weights >= 0).all()
    assert float(weights.sum()) <= 1 + 1e-5


def test_softmax_with_a_sink_of_nobody_is_zero_and_keeps_its_argument() -> None:
    scores = torch.tensor([[-math.inf, -math.inf], [60000.0, -math.inf], [0.0, -math.inf]])
    before = scores.clone()
    scores.requires_grad_()
    weights = softmax_with_a_sink(scores)
    assert weights.tolist() == [[0.0, 0.0], [1.0, 0.0], [0.5, 0.0]]
    weights.backward(torch.tensor([[3.0, -5.0], [7.0, 2.0], [4.0, 2.0]]))
    assert scores.grad.tolist() == [[0.0, 0.0], [0.0, 0.0], [1.0, 0.0]]
    assert torch.equal(scores.detach(), before)
    assert softmax_with_a_sink(torch.ones(2, 0)).shape == (2, 0)
    assert softmax_with_a_sink(torch.tensor([1.0, math.nan])).isnan().all()


@given(sizes, sizes, st.integers(-2, 1), generators)
def test_the_gradient_of_softmax_with_a_sink_is_right(
    n: int, m: int, dim: int, generator: torch.Generator
) -> None:
    scores = normals(generator, torch.float64)(n, m).requires_grad_()
    assert torch.autograd.gradcheck(lambda s: softmax_with_a_sink(s, dim), scores)


@given(sizes, st.integers(2, 9), sizes, st.integers(2, 9), generators)
def test_scores_that_know_length_are_stretched_by_a_ratio_of_logarithms(
    n: int, m: int, d_k: int, trained_on: int, generator: torch.Generator
) -> None:
    normal = normals(generator, torch.float64)
    q, k = normal(2, n, d_k).requires_grad_(), normal(2, m, d_k).requires_grad_()
    scores = scores_that_know_length(q, k, trained_on)
    close(scores, attention_scores(q, k) * math.log(m, trained_on))
    if m == trained_on:
        assert torch.equal(scores, attention_scores(q, k))
    # m keys, a gap of g log m: the weight of one score among equal ones is m^g / (m^g + m - 1)
    gap = torch.zeros(1, m, dtype=torch.float64)
    gap[0, 0] = 2 * math.log(trained_on)
    weight = softmax(scores_that_know_length(torch.ones(1, 1).double(), gap.mT, trained_on))
    close(weight[0, 0], torch.tensor(m**2 / (m**2 + m - 1), dtype=torch.float64))
    assert torch.autograd.gradcheck(lambda q, k: scores_that_know_length(q, k, trained_on), (q, k))


def test_a_length_of_one_in_training_is_refused() -> None:
    with pytest.raises(ValueError, match="trained_on is 1, but it must be at least 2"):
        scores_that_know_length(torch.ones(1, 2), torch.ones(3, 2), 1)


@given(sizes, sizes, sizes, precisions, generators)
def test_a_lookup_as_a_sum_is_the_lookup_as_matrices(
    n: int, d: int, d_v: int, dtype: torch.dtype, generator: torch.Generator
) -> None:
    normal = normals(generator, dtype)
    query, keys, values = normal(d), normal(n, d), normal(n, d_v)
    looked_up = soft_lookup(query, keys, values)
    close(soft_lookup_sum(query, keys, values), looked_up)
    close(functional.scaled_dot_product_attention(query[None], keys, values, scale=1.0)[0], looked_up)


@given(queries_keys_values())
def test_attention_is_torchs_for_every_shape_mask_and_batch(given_: QKV) -> None:
    q, k, v, mask = given_.q, given_.k, given_.v, given_.mask
    output, weights = scaled_dot_product_attention(q, k, v, mask)
    close(output, functional.scaled_dot_product_attention(q, k, v, mask))
    close(weights @ v, output)


@given(queries_keys_values())
def test_each_row_of_weights_sums_to_one_and_skips_what_is_masked(given_: QKV) -> None:
    _, weights = scaled_dot_product_attention(given_.q, given_.k, given_.v, given_.mask)
    allowed = torch.ones_like(weights, dtype=torch.bool)
    if given_.mask is not None:
        allowed = given_.mask.expand_as(weights)
    assert (weights[~allowed] == 0).all()
    assert (weights[allowed] > 0).all()
    close(weights.sum(-1), allowed.any(-1).to(weights.dtype))


@given(queries_keys_values())
def test_attention_weights_are_those_of_attention_without_a_mask(given_: QKV) -> None:
    weights = attention_weights(given_.q, given_.k)
    close(weights, scaled_dot_product_attention(given_.q, given_.k, given_.v)[1])
    close(weights.log(), attention_scores(given_.q, given_.k).log_softmax(-1))


@given(queries_keys_values(), st.randoms(use_true_random=False))
def test_shuffled_queries_shuffle_the_output_and_shuffled_keys_do_not(
    given_: QKV, random: st.random.Random
) -> None:
    q, k, v = given_.q, given_.k, given_.v
    order_q = random.sample(range(q.shape[-2]), q.shape[-2])
    order_k = random.sample(range(k.shape[-2]), k.shape[-2])
    output, weights = scaled_dot_product_attention(q, k, v)
    shuffled, shuffled_weights = scaled_dot_product_attention(
        q[..., order_q, :], k[..., order_k, :], v[..., order_k, :]
    )
    close(shuffled, output[..., order_q, :])
    close(shuffled_weights, weights[..., order_q, :][..., order_k])


@given(layers())
def test_projections_are_products_whatever_the_batch(layer: Layer) -> None:
    x, (w_q, w_k, w_v) = layer.x, layer.weights
    source = x if layer.context is None else layer.context
    close(project(x, w_q), torch.einsum("...nd,dk->...nk", x, w_q))
    close(project(x[..., 0, :], w_q), project(x, w_q)[..., 0, :])
    for got, w in zip(project_qkv(source, w_k, w_k + 1, w_v), (w_k, w_k + 1, w_v), strict=True):
        close(got, functional.linear(source, w.T))


@given(sizes, sizes, sizes, generators)
def test_the_bilinear_form_gives_the_scores_and_survives_a_rotation(
    n: int, d: int, d_k: int, generator: torch.Generator
) -> None:
    normal = normals(generator, torch.float64)
    x, w_q, w_k = normal(n, d), normal(d, d_k), normal(d, d_k)
    form = bilinear_form(w_q, w_k)
    close(x @ form @ x.T / math.sqrt(d_k), attention_scores(x @ w_q, x @ w_k))
    rotation, _ = torch.linalg.qr(normal(d_k, d_k))
    close(bilinear_form(w_q @ rotation, w_k @ rotation), form)


def test_tied_projections_cannot_score_one_way_only() -> None:
    w_q, w_k = torch.tensor([[1.0], [0.0]]), torch.tensor([[0.0], [2.0]])
    assert bilinear_form(w_q, w_k).tolist() == [[0.0, 2.0], [0.0, 0.0]]
    assert bilinear_form(w_k, w_k).tolist() == [[0.0, 0.0], [0.0, 4.0]]


@given(layers())
def test_cross_attention_asks_with_x_and_answers_from_memory(layer: Layer) -> None:
    x, memory = layer.x, layer.x if layer.context is None else layer.context
    output, weights = cross_attention(x, memory, *layer.weights)
    q, k, v = x @ layer.w_q, memory @ layer.w_k, memory @ layer.w_v
    close(output, functional.scaled_dot_product_attention(q, k, v))
    close(weights, attention_weights(q, k))


@given(batches, sizes, sizes, sizes, precisions, generators)
def test_linear_attention_is_the_product_in_which_hidden_scores_are_zero(
    batch: tuple[int, ...], n: int, d_k: int, d_v: int, dtype: torch.dtype, generator: torch.Generator
) -> None:
    draw = normals(generator, dtype)
    q, k, v = draw(*batch, n, d_k), draw(*batch, n, d_k), draw(*batch, n, d_v)
    close(linear_attention(q, k, v), (q @ k.mT).tril() @ v)


@given(sizes, sizes, sizes, generators)
def test_the_gradient_of_linear_attention_is_right(
    n: int, d_k: int, d_v: int, generator: torch.Generator
) -> None:
    draw = normals(generator, torch.float64)
    given_ = [draw(n, d).requires_grad_() for d in (d_k, d_k, d_v)]
    assert torch.autograd.gradcheck(linear_attention, given_)


@given(batches, sizes, sizes, generators)
def test_entropy_runs_from_zero_to_log_m(
    batch: tuple[int, ...], n: int, m: int, generator: torch.Generator
) -> None:
    scores = normals(generator, torch.float64)(*batch, n, m)
    weights = softmax(scores)
    close(attention_entropy(weights), torch.distributions.Categorical(probs=weights).entropy())
    close(attention_entropy(softmax(0 * scores)), scores.new_full(scores.shape[:-1], math.log(m)))
    certain = functional.one_hot(scores.argmax(-1), m).double()
    assert (attention_entropy(certain) == 0).all()


REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: dot(ones(3), ones(2)), "b has shape (2,), but a has 3 numbers: b needs 3 columns"),
    (
        lambda: cosine_similarity(ones(4, 3), ones(5, 2)),
        "b has shape (5, 2), but a has 3 columns: b needs 3 columns",
    ),
    (
        lambda: nearest(ones(3), ones(5, 2)),
        "keys has shape (5, 2), but query has 3 numbers: keys needs 3 columns",
    ),
    (
        lambda: soft_lookup(ones(3), ones(5, 3), ones(4, 2)),
        "values has shape (4, 2), but keys has 5 rows: values needs 5 rows",
    ),
    (lambda: project(ones(4, 5), ones(3, 5)), "w has shape (3, 5), but x has 5 features: w needs 5 rows"),
    (
        lambda: project_qkv(ones(4, 5), ones(3, 4), ones(5, 4), ones(5, 2)),
        "w_q has shape (3, 4), but x has 5 features: w_q needs 5 rows",
    ),
    (
        lambda: project_qkv(ones(4, 5), ones(5, 4), ones(5, 4), ones(5)),
        "w_v has shape (5,), but x has 5 features: w_v needs 5 rows",
    ),
    (
        lambda: bilinear_form(ones(4, 3), ones(4, 2)),
        "w_k has shape (4, 2), but w_q has 3 columns: w_k needs 3 columns",
    ),
    (
        lambda: attention_weights(ones(4, 3), ones(3, 4)),
        "k has shape (3, 4), but q has 3 columns: k needs 3 columns",
    ),
    (
        lambda: scaled_dot_product_attention(ones(4, 3), ones(5, 3), ones(4, 3)),
        "v has shape (4, 3), but k has 5 rows: v needs 5 rows",
    ),
    (
        lambda: scaled_dot_product_attention(ones(2, 4, 3), ones(3, 5, 3), ones(3, 5, 3)),
        "k has shape (3, 5, 3), but q has shape (2, 4, 3): k needs the leading dimensions (2,)",
    ),
    (
        lambda: scaled_dot_product_attention(ones(4, 3), ones(5, 3), ones(5, 2), ones(4, 4) > 0),
        "mask has shape (4, 4), but the scores have shape (4, 5): mask needs that shape, or one "
        "that broadcasts to it",
    ),
    (
        lambda: scaled_dot_product_attention(ones(4, 3), ones(4, 3), ones(4, 2), ones(2, 4, 4) > 0),
        "mask has shape (2, 4, 4), but the scores have shape (4, 4): mask needs that shape, or one "
        "that broadcasts to it",
    ),
    (
        lambda: scaled_dot_product_attention(ones(4, 3), ones(4, 3), ones(4, 2), ones(4, 4)),
        "mask has dtype torch.float32, but a mask is boolean, True where a query may attend: "
        "make one with a comparison, for example mask > 0",
    ),
    (
        lambda: cross_attention(ones(4, 3), ones(5, 2), ones(3, 3), ones(3, 3), ones(2, 3)),
        "w_k has shape (3, 3), but memory has 2 features: w_k needs 2 rows",
    ),
]


test_errors_name_the_argument_its_shape_and_the_shape_wanted = refuses(REFUSED)
