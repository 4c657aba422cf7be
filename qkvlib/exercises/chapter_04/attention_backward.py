"""Backwards through the whole of attention."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from qkvlib import gradients
from qkvlib.exercises.kit.exercise import Case, ExerciseBuilder
from qkvlib.exercises.kit.random_inputs import normal, scattered

exercise = ExerciseBuilder(
    points=4,
    needed_later=("float64",),
    builds_on=("softmax_backward", "scaled_dot_product_attention"),
    returns=("d_q", "d_k", "d_v"),
    hints=(
        "Go backwards through the forward pass, one line at a time: output, weights, scores.",
        "For y = a b the gradients are d_a = d_y b^T and d_b = a^T d_y. Check that "
        "each gradient has the shape of its matrix.",
        "d_v = weights^T d_output; d_weights = d_output v^T; d_scores comes from softmax_backward; d_q = "
        "d_scores k and d_k = d_scores^T q, both divided by sqrt(d_k)",
    ),
)

exercise.reference(gradients.attention_backward)

Three = tuple[Tensor, Tensor, Tensor]


@exercise.cases
def cases(generator: torch.Generator) -> list[Case]:
    def case(n: int, m: int, d_k: int, d_v: int, *batch: int, scale: float = 1.0) -> Any:
        q = normal(generator, *batch, n, d_k)
        k, v = normal(generator, *batch, m, d_k), normal(generator, *batch, m, d_v)
        weights = (q @ k.mT / math.sqrt(d_k)).softmax(-1)
        return normal(generator, *batch, n, d_v, scale=scale), q, k, v, weights

    d_output, q, k, v, _ = case(4, 4, 3, 5)
    seen = torch.ones(4, 4).tril().bool()
    masked = (q @ k.mT / math.sqrt(3)).masked_fill(~seen, -math.inf).softmax(-1)
    return [
        Case(
            "one query, two keys, easy numbers",
            (
                torch.tensor([[1.0, 0.0]]),
                torch.tensor([[2.0, 0.0, 0.0, 0.0]]),
                torch.tensor([[0.0, 2.0, 0.0, 0.0], [0.0, 0.0, 0.0, 4.0]]),
                torch.tensor([[4.0, 1.0], [0.0, 1.0]]),
                torch.tensor([[0.5, 0.5]]),
            ),
        ),
        Case("2 queries, 3 keys, d_k = 4, d_v = 5", case(2, 3, 4, 5)),
        Case("all sizes equal", case(4, 4, 4, 4)),
        Case("as many queries as keys", case(3, 3, 2, 4)),
        Case("a causal mask was used", (d_output, q, k, v, masked)),
        Case("a batch of 2", case(3, 4, 2, 3, 2)),
        Case("a large gradient", case(3, 2, 5, 4, scale=1e3)),
        Case("a tiny gradient", case(3, 2, 5, 4, scale=1e-4)),
        Case("tensors that are not stored row by row", (*map(scattered, case(3, 4, 2, 5)),)),
    ]


def _back(d_scores: Tensor, q: Tensor, k: Tensor) -> tuple[Tensor, Tensor]:
    scale = math.sqrt(q.shape[-1])
    return d_scores @ k / scale, d_scores.mT @ q / scale


def _through(d_weights: Tensor, weights: Tensor) -> Tensor:
    return weights * (d_weights - (weights * d_weights).sum(-1, keepdim=True))


def _all(d_output: Tensor, q: Tensor, k: Tensor, v: Tensor, weights: Tensor) -> Three:
    d_q, d_k = _back(_through(d_output @ v.mT, weights), q, k)
    return d_q, d_k, weights.mT @ d_output


@exercise.mistake(
    "d_v is right. But on the way to d_q and d_k you skip the softmax: you use d_weights where d_scores "
    "belongs.",
    "Which of your earlier functions turns d_weights into d_scores?",
)
def no_softmax(d_output: Tensor, q: Tensor, k: Tensor, v: Tensor, weights: Tensor) -> Three:
    return (*_back(d_output @ v.mT, q, k), weights.mT @ d_output)


@exercise.mistake(
    "d_v is right. But in d_scores you treat each weight as if it depended only on its own score.",
    "If one score grows, what happens to the other weights of its row?",
)
def own_score_only(d_output: Tensor, q: Tensor, k: Tensor, v: Tensor, weights: Tensor) -> Three:
    d_scores = weights * (1 - weights) * (d_output @ v.mT)
    return (*_back(d_scores, q, k), weights.mT @ d_output)


@exercise.mistake(
    "d_v is right. But in d_scores you do not subtract the weighted average of each row of d_weights.",
    "What should a row of d_scores sum to, and what does your row sum to?",
)
def no_correction(d_output: Tensor, q: Tensor, k: Tensor, v: Tensor, weights: Tensor) -> Three:
    return (*_back(weights * (d_output @ v.mT), q, k), weights.mT @ d_output)


@exercise.mistake(
    "d_v is right. But in d_scores you subtract the plain sum of each row of d_weights, not the weighted "
    "sum.",
    "What should you multiply each entry of d_weights by before you sum the row?",
)
def plain_row_sum(d_output: Tensor, q: Tensor, k: Tensor, v: Tensor, weights: Tensor) -> Three:
    d_weights = d_output @ v.mT
    d_scores = weights * (d_weights - d_weights.sum(-1, keepdim=True))
    return (*_back(d_scores, q, k), weights.mT @ d_output)


@exercise.mistake(
    "d_v is right. In d_scores you sum down the columns, but softmax couples only the weights of a row.",
    "With 3 queries and 5 keys, how many sums do you need?",
)
def column_sums(d_output: Tensor, q: Tensor, k: Tensor, v: Tensor, weights: Tensor) -> Three:
    d_weights = d_output @ v.mT
    d_scores = weights * (d_weights - (weights * d_weights).sum(-2, keepdim=True))
    return (*_back(d_scores, q, k), weights.mT @ d_output)


@exercise.mistake(
    "d_v is right. d_q and d_k are too large, because the division by sqrt(d_k) is missing.",
    "scores = q k^T / sqrt(d_k). What happens to sqrt(d_k) when you differentiate with respect to q?",
)
def no_scale(d_output: Tensor, q: Tensor, k: Tensor, v: Tensor, weights: Tensor) -> Three:
    d_scores = _through(d_output @ v.mT, weights)
    return d_scores @ k, d_scores.mT @ q, weights.mT @ d_output


@exercise.mistake(
    "d_v is right. d_q and d_k are too small, because you divide by sqrt(d_k) twice.",
    "How many times does the forward pass divide the scores by sqrt(d_k)?",
)
def scaled_twice(d_output: Tensor, q: Tensor, k: Tensor, v: Tensor, weights: Tensor) -> Three:
    d_q, d_k, d_v = _all(d_output, q, k, v, weights)
    return d_q / math.sqrt(q.shape[-1]), d_k / math.sqrt(q.shape[-1]), d_v


@exercise.mistake(
    "d_q and d_v are right, but you do not divide the gradient of k by the square root of `q.shape[-1]`.",
    "scores = q k^T / sqrt(d_k). Does the division belong to only one of q and k, or to the whole product?",
)
def d_k_not_scaled(d_output: Tensor, q: Tensor, k: Tensor, v: Tensor, weights: Tensor) -> Three:
    d_q, d_k, d_v = _all(d_output, q, k, v, weights)
    return d_q, d_k * math.sqrt(q.shape[-1]), d_v


@exercise.mistake(
    "d_k and d_v are right, but you do not divide the gradient of q by the square root of `q.shape[-1]`.",
    "scores = q k^T / sqrt(d_k). Does the division belong to only one of q and k, or to the whole product?",
)
def d_q_not_scaled(d_output: Tensor, q: Tensor, k: Tensor, v: Tensor, weights: Tensor) -> Three:
    d_q, d_k, d_v = _all(d_output, q, k, v, weights)
    return d_q * math.sqrt(q.shape[-1]), d_k, d_v


@exercise.mistake(
    "You do not transpose d_scores on the way to d_k. But the gradient of a key is a sum over all queries.",
    "d_scores has a row for each query. Should d_k have a row for each query, or for each key?",
)
def d_k_not_transposed(d_output: Tensor, q: Tensor, k: Tensor, v: Tensor, weights: Tensor) -> Three:
    d_scores = _through(d_output @ v.mT, weights)
    scale = math.sqrt(q.shape[-1])
    return d_scores @ k / scale, d_scores @ q / scale, weights.mT @ d_output


@exercise.mistake(
    "You do not transpose the weights on the way to d_v. But the gradient of a value is a sum over all "
    "queries that attended to it.",
    "The weights have a row for each query. Should d_v have a row for each query, or for each value?",
)
def d_v_not_transposed(d_output: Tensor, q: Tensor, k: Tensor, v: Tensor, weights: Tensor) -> Three:
    d_q, d_k, _ = _all(d_output, q, k, v, weights)
    return d_q, d_k, weights @ d_output


@exercise.mistake(
    "d_q and d_k are swapped.",
    "Which has a row for each query, d_q or d_k?",
)
def results_swapped(d_output: Tensor, q: Tensor, k: Tensor, v: Tensor, weights: Tensor) -> Three:
    d_q, d_k, d_v = _all(d_output, q, k, v, weights)
    return d_k, d_q, d_v


@exercise.mistake(
    "You return the results in the order in which you found them, d_v first.",
    "In which order does the docstring name the results?",
)
def values_first(d_output: Tensor, q: Tensor, k: Tensor, v: Tensor, weights: Tensor) -> Three:
    d_q, d_k, d_v = _all(d_output, q, k, v, weights)
    return d_v, d_k, d_q


@exercise.mistake(
    "d_q and d_k have the wrong sign, because in d_scores you subtract the gradient from its average.",
    "In dS = A * (dA - rowsum(A * dA)), which comes first, the gradient or its average?",
)
def both_signs_turned(d_output: Tensor, q: Tensor, k: Tensor, v: Tensor, weights: Tensor) -> Three:
    d_q, d_k, d_v = _all(d_output, q, k, v, weights)
    return -d_q, -d_k, d_v


@exercise.mistake(
    "You never use d_output, so you return the gradients of the sum of all outputs.",
    "If the loss depends only on the output of query 0, what should row 1 of d_q be?",
)
def d_output_ignored(d_output: Tensor, q: Tensor, k: Tensor, v: Tensor, weights: Tensor) -> Three:
    return _all(torch.ones_like(d_output), q, k, v, weights)


@exercise.mistake(
    "In d_q and d_k, q and k are swapped: you compute d_q from q, and d_k from k.",
    "A score is q_i . k_j. What do you get when you differentiate this score with respect to q_i?",
)
def factors_swapped(d_output: Tensor, q: Tensor, k: Tensor, v: Tensor, weights: Tensor) -> Three:
    d_scores = _through(d_output @ v.mT, weights)
    scale = math.sqrt(q.shape[-1])
    return d_scores @ q / scale, d_scores.mT @ k / scale, weights.mT @ d_output


@exercise.mistake(
    "`.T` works for a single matrix, but on a batch it reverses all dimensions, even the batch dimension.",
    "In a tensor of shape [b, n, m], which two dimensions should be swapped, and which dimension should "
    "stay where it is?",
)
def dot_t_on_a_batch(d_output: Tensor, q: Tensor, k: Tensor, v: Tensor, weights: Tensor) -> Three:
    d_q, d_k = _back(_through(d_output @ v.T, weights), q, k)
    return d_q, d_k, weights.mT @ d_output


@exercise.alternative
def _by_autograd(d_output: Tensor, q: Tensor, k: Tensor, v: Tensor, weights: Tensor) -> Any:
    q, k, v = (x.clone().requires_grad_() for x in (q, k, v))
    hidden = torch.where(weights == 0, -math.inf, 0.0)
    output = (q @ k.mT / q.shape[-1] ** 0.5 + hidden).softmax(-1) @ v
    return torch.autograd.grad(output, (q, k, v), d_output)


@exercise.alternative
def _by_einsum(d_output: Tensor, q: Tensor, k: Tensor, v: Tensor, weights: Tensor) -> Three:
    d_weights = torch.einsum("...iv,...jv->...ij", d_output, v)
    d_scores = weights * d_weights
    d_scores = d_scores - weights * d_scores.sum(-1, keepdim=True)
    d_scores = d_scores / q.shape[-1] ** 0.5
    return (
        torch.einsum("...ij,...jd->...id", d_scores, k),
        torch.einsum("...ij,...id->...jd", d_scores, q),
        torch.einsum("...ij,...iv->...jv", weights, d_output),
    )


@exercise.alternative
def _by_queries(d_output: Tensor, q: Tensor, k: Tensor, v: Tensor, weights: Tensor) -> Three:
    """One query after the other, adding up what each sends back to keys and values."""
    d_q, d_k, d_v = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    for i in range(q.shape[-2]):
        a, g = weights[..., i, :, None], d_output[..., i, None, :]
        d_a = (v * g).sum(-1, keepdim=True)
        d_s = a * (d_a - (a * d_a).sum(-2, keepdim=True)) / math.sqrt(q.shape[-1])
        d_q[..., i, :] = (d_s * k).sum(-2)
        d_k += d_s * q[..., i, None, :]
        d_v += a * g
    return d_q, d_k, d_v
