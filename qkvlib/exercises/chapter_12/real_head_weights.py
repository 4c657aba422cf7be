"""The attention of a real head, biases and all."""

from __future__ import annotations

import math

import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812 (torch's own name for it)

from qkvlib import attention
from qkvlib.exercises.kit.exercise import Case, ExerciseBuilder
from qkvlib.exercises.kit.random_inputs import normal

exercise = ExerciseBuilder(
    points=1,
    builds_on=("attention_weights",),
    hints=(
        "Use `attention_weights`, but add the biases to the queries and keys first.",
        "A bias is added to every row: `x @ w + b`.",
        "q = x times w_q plus b_q; k in the same way; scores divided by the root of d_k; softmax",
    ),
)


@exercise.reference
def real_head_weights(x: Tensor, w_q: Tensor, b_q: Tensor, w_k: Tensor, b_k: Tensor) -> Tensor:
    """What one head of a real model attends to: projections with biases, then as before.

    q = x w_q + b_q        k = x w_k + b_k        weights = softmax(q k^T / sqrt(d_k))
    """
    return attention.attention_weights(x @ w_q + b_q, x @ w_k + b_k)


@exercise.cases
def cases(generator: torch.Generator) -> list[Case]:
    def case(n: int, d: int, d_k: int, scale: float = 1.0) -> tuple[Tensor, ...]:
        return (
            scale * normal(generator, n, d),
            normal(generator, d, d_k) / math.sqrt(d),
            normal(generator, d_k),
            normal(generator, d, d_k) / math.sqrt(d),
            normal(generator, d_k),
        )

    easy = (
        torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]),
        torch.eye(2),
        torch.tensor([1.0, 0.0]),
        torch.tensor([[0.0, 1.0], [1.0, 0.0]]),
        torch.tensor([0.0, 2.0]),
    )
    return [
        Case("3 words of 2 numbers", easy),
        Case("4 words of 6 numbers, d_k = 3", case(4, 6, 3)),
        Case("as many words as numbers", case(5, 5, 5)),
        Case("as wide as a head of MiniLM", case(6, 384, 32)),
        Case("tiny vectors: the biases decide", case(4, 6, 4, 1e-3)),
        Case("long vectors", case(4, 6, 4, 4.0)),
    ]


@exercise.mistake(
    "You leave out the queries' bias. This bias changes which keys every query prefers.",
    "If every number of x is 0, what should the queries be?",
)
def no_query_bias(x: Tensor, w_q: Tensor, b_q: Tensor, w_k: Tensor, b_k: Tensor) -> Tensor:
    return attention.attention_weights(x @ w_q, x @ w_k + b_k)


@exercise.mistake(
    "You add b_k to the queries.",
    "Which bias does the formula add to x w_q?",
)
def biases_swapped(x: Tensor, w_q: Tensor, b_q: Tensor, w_k: Tensor, b_k: Tensor) -> Tensor:
    return attention.attention_weights(x @ w_q + b_k, x @ w_k + b_q)


@exercise.mistake(
    "You add the bias to each row of the weight matrix. Add the bias to the queries, after the product.",
    "In x (w_q + b_q), what is b_q multiplied by?",
)
def bias_added_to_the_weights(x: Tensor, w_q: Tensor, b_q: Tensor, w_k: Tensor, b_k: Tensor) -> Tensor:
    return attention.attention_weights(x @ (w_q + b_q), x @ (w_k + b_k))


@exercise.mistake(
    "You swapped queries and keys.",
    "Does each row of your scores belong to a query or to a key?",
)
def roles_swapped(x: Tensor, w_q: Tensor, b_q: Tensor, w_k: Tensor, b_k: Tensor) -> Tensor:
    return attention.attention_weights(x @ w_k + b_k, x @ w_q + b_q)


@exercise.mistake(
    "You divide by the square root of x's width. But a head divides by the square root of its own d_k.",
    "How many numbers does a query of this head have?",
)
def root_of_d_model(x: Tensor, w_q: Tensor, b_q: Tensor, w_k: Tensor, b_k: Tensor) -> Tensor:
    return ((x @ w_q + b_q) @ (x @ w_k + b_k).T / math.sqrt(x.shape[1])).softmax(-1)


@exercise.mistake(
    "You do not divide the scores by sqrt(d_k).",
    "With d_k = 32, by what factor are your scores too large?",
)
def no_scale(x: Tensor, w_q: Tensor, b_q: Tensor, w_k: Tensor, b_k: Tensor) -> Tensor:
    return ((x @ w_q + b_q) @ (x @ w_k + b_k).T).softmax(-1)


@exercise.mistake(
    "Your softmax runs over the queries, so your columns sum to one.",
    "Which weights should sum to one: the weights that a query gives, or the weights that a key gets?",
)
def softmax_over_queries(x: Tensor, w_q: Tensor, b_q: Tensor, w_k: Tensor, b_k: Tensor) -> Tensor:
    return attention.attention_scores(x @ w_q + b_q, x @ w_k + b_k).softmax(0)


@exercise.alternative
def _by_linear(x: Tensor, w_q: Tensor, b_q: Tensor, w_k: Tensor, b_k: Tensor) -> Tensor:
    q, k = F.linear(x, w_q.T, b_q), F.linear(x, w_k.T, b_k)
    return F.softmax(q @ k.T / q.shape[1] ** 0.5, dim=-1)


@exercise.alternative
def _without_the_keys_bias(x: Tensor, w_q: Tensor, b_q: Tensor, w_k: Tensor, b_k: Tensor) -> Tensor:
    """b_k adds the same to all scores of a row, and softmax ignores it."""
    return attention.attention_weights(x @ w_q + b_q, x @ w_k)


@exercise.alternative
def _with_a_one_in_x(x: Tensor, w_q: Tensor, b_q: Tensor, w_k: Tensor, b_k: Tensor) -> Tensor:
    """A bias is a weight of a feature that is always 1."""
    x = torch.cat([x, torch.ones(len(x), 1)], dim=1)
    q, k = x @ torch.cat([w_q, b_q[None]]), x @ torch.cat([w_k, b_k[None]])
    return torch.softmax(torch.einsum("id,jd->ij", q, k) / math.sqrt(len(b_q)), dim=1)
