"""Attention between two sequences: one asks, the other answers."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812 (torch's own name for it)

from qkvlib import attention
from qkvlib.exercises.kit.exercise import Case, ExerciseBuilder
from qkvlib.exercises.kit.random_inputs import normal, scattered

exercise = ExerciseBuilder(
    points=2,
    builds_on=("scaled_dot_product_attention",),
    returns=("output", "weights"),
    hints=(
        "This is the attention that you know. Only the sources of q, k and v are new.",
        "x gives the queries. Which sequence is searched, and which sequence gives the values?",
        "q from x; k and v from memory; then scaled dot-product attention",
    ),
)

exercise.reference(attention.cross_attention)

Two = tuple[Tensor, Tensor]


@exercise.cases
def cases(generator: torch.Generator) -> list[Case]:
    def case(n: int, m: int, d: int, d_memory: int, d_k: int, d_v: int) -> Any:
        weights = (
            normal(generator, size, width) for size, width in ((d, d_k), (d_memory, d_k), (d_memory, d_v))
        )
        return normal(generator, n, d), normal(generator, m, d_memory), *weights

    easy = (
        torch.tensor([[2.0, 0.0]]),
        torch.tensor([[1.0, 0.0], [0.0, 1.0], [2.0, 2.0]]),
        2 * torch.eye(2),
        torch.eye(2),
        torch.tensor([[1.0, 0.0], [0.0, 10.0]]),
    )
    return [
        Case("one query, three keys", easy),
        Case("2 queries, 4 keys, all rows of 3 numbers", case(2, 4, 3, 3, 2, 5)),
        Case("all sizes equal", case(4, 4, 4, 4, 4, 4)),
        Case("memory is wider than x", case(3, 5, 4, 6, 3, 2)),
        Case("more queries than keys", case(6, 2, 3, 3, 3, 4)),
        Case("tensors that are not stored row by row", (*map(scattered, case(3, 4, 5, 5, 2, 3)),)),
    ]


def _attend(q: Tensor, k: Tensor, v: Tensor) -> Two:
    return attention.scaled_dot_product_attention(q, k, v)


@exercise.mistake(
    "You compute the queries from the memory, and the keys and values from x. But x, from the decoder, "
    "should give the queries, and the memory, the encoder's output, should give the keys and values.",
    "How many rows should the output have: as many as x, or as many as the memory?",
)
def roles_swapped(x: Tensor, memory: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Two:
    return _attend(memory @ w_q, x @ w_k, x @ w_v)


@exercise.mistake(
    "The values come from x, so x would get back only a blend of its own rows. The values have to come from "
    "the memory.",
    "If the memory's values change and its keys stay the same, should the output change?",
)
def values_from_x(x: Tensor, memory: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Two:
    return _attend(x @ w_q, memory @ w_k, x @ w_v)


@exercise.mistake(
    "The keys come from x, so x searches itself, but the values come from the memory.",
    "How many keys should there be: one for each row of x, or one for each row of the memory?",
)
def keys_from_x(x: Tensor, memory: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Two:
    return _attend(x @ w_q, x @ w_k, memory @ w_v)


@exercise.mistake(
    "You never use the memory, so this is self-attention of x.",
    "Which of q, k and v should come from the memory?",
)
def self_attention(x: Tensor, memory: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Two:
    return _attend(x @ w_q, x @ w_k, x @ w_v)


@exercise.mistake(
    "You never use x, so this is self-attention of the memory.",
    "Which of q, k and v should come from x?",
)
def memory_with_itself(x: Tensor, memory: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Two:
    return _attend(memory @ w_q, memory @ w_k, memory @ w_v)


@exercise.mistake(
    "You hide later rows of the memory. But the whole word is known before the first sound is written. A "
    "causal mask belongs only in the decoder's self-attention.",
    "May the first sound look at the last letter?",
)
def causal_on_memory(x: Tensor, memory: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Two:
    n, m = x.shape[-2], memory.shape[-2]
    mask = torch.ones(n, m).tril().bool()
    return attention.scaled_dot_product_attention(x @ w_q, memory @ w_k, memory @ w_v, mask)


@exercise.mistake(
    "You join x and the memory into one sequence, and search all of it. But in cross-attention only the "
    "memory is searched.",
    "How many columns should the weights have?",
)
def sequences_joined(x: Tensor, memory: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Two:
    both = torch.cat([x, memory], dim=-2)
    return _attend(x @ w_q, both @ w_k, both @ w_v)


@exercise.mistake(
    "You use the memory itself as keys and as values, so you never use w_k and w_v.",
    "How do you make a key from a row of the memory?",
)
def memory_not_projected(x: Tensor, memory: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Two:
    return _attend(x @ w_q, memory, memory)


@exercise.mistake(
    "You divide by the square root of x's width. But a score is a sum of d_k products, one for each number "
    "of a query and a key.",
    "Does the dot product run over the last dimension of x, or of q?",
)
def root_of_model_width(x: Tensor, memory: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Two:
    q = x @ w_q
    return _attend(q * (q.shape[-1] / x.shape[-1]) ** 0.5, memory @ w_k, memory @ w_v)


@exercise.mistake(
    "You divide by the square root of the memory's width. But a score is a sum of d_k products, one for "
    "each number of a query and a key.",
    "Does the dot product run over the last dimension of the memory, or of k?",
)
def root_of_memory_width(x: Tensor, memory: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Two:
    q = x @ w_q
    return _attend(q * (q.shape[-1] / memory.shape[-1]) ** 0.5, memory @ w_k, memory @ w_v)


@exercise.mistake(
    "You do not divide the scores by sqrt(d_k).",
    "What is the width of a query, and where do your scores use this width?",
)
def no_scale(x: Tensor, memory: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Two:
    return _attend(x @ w_q * w_q.shape[1] ** 0.5, memory @ w_k, memory @ w_v)


@exercise.mistake(
    "You swapped w_k and w_v.",
    "Which of these two matrices decides where a query looks?",
)
def weights_swapped(x: Tensor, memory: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Two:
    return _attend(x @ w_q, memory @ w_v, memory @ w_k)


@exercise.alternative
def _cross_by_loops(x: Tensor, memory: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Any:
    keys, values = memory @ w_k, memory @ w_v
    rows = [torch.softmax(keys @ (word @ w_q) / w_q.shape[1] ** 0.5, 0) for word in x]
    weights = torch.stack(rows)
    return weights @ values, weights


@exercise.alternative
def _cross_by_torch(x: Tensor, memory: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Two:
    q, k, v = x @ w_q, memory @ w_k, memory @ w_v
    dot = F.scaled_dot_product_attention
    return dot(q, k, v), dot(q, k, torch.eye(len(memory)))


@exercise.alternative
def _cross_by_the_form(x: Tensor, memory: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Two:
    scores = torch.einsum("...nd,de,...me->...nm", x, w_q @ w_k.T, memory)
    weights = (scores / w_k.shape[1] ** 0.5).softmax(-1)
    return weights @ memory @ w_v, weights
