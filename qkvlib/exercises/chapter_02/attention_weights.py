"""The weights of attention, for all queries at once."""

from __future__ import annotations

import math

import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812 (torch's own name for it)

from qkvlib import attention
from qkvlib.exercises.kit.exercise import Case, ExerciseBuilder
from qkvlib.exercises.kit.random_inputs import normal, scattered

exercise = ExerciseBuilder(
    points=2,
    builds_on=("softmax",),
    hints=(
        "This is the first half of the soft lookup, for all queries at once, with scaled scores.",
        "`q @ k.mT` has the dot product of every query with every key. d_k is `q.shape[-1]`.",
        "scores = q times k transposed, divided by the square root of d_k; softmax of each row",
    ),
)

exercise.reference(attention.attention_weights)


@exercise.cases
def cases(generator: torch.Generator) -> list[Case]:
    def pair(n: int, m: int, d: int, scale: float = 1.0) -> tuple[Tensor, Tensor]:
        return normal(generator, n, d, scale=scale), normal(generator, m, d, scale=scale)

    q = torch.tensor([[2.0, 0.0, 0.0, 0.0], [0.0, 2.0, 0.0, 0.0]])
    k = torch.tensor([[1.0, 0.0, 3.0, 0.0], [0.0, 1.0, 0.0, 0.0], [1.0, 1.0, 0.0, 1.0]])
    return [
        Case("two queries, three keys, whole numbers", (q, k)),
        Case("3 queries, 5 keys of 4 numbers", pair(3, 5, 4)),
        Case("as many queries as keys as numbers", pair(4, 4, 4)),
        Case("as many queries as keys", pair(3, 3, 5)),
        Case("a single key: there is no choice", pair(3, 1, 2)),
        Case("wide keys of 64 numbers", pair(3, 4, 64)),
        Case("large numbers, which make hard choices", pair(2, 5, 3, 30.0)),
        Case("tiny numbers, which make equal weights", pair(2, 5, 3, 1e-2)),
        Case("a batch of 2", (normal(generator, 2, 3, 4), normal(generator, 2, 5, 4))),
        Case("tensors that are not stored row by row", (*map(scattered, pair(4, 3, 6)),)),
    ]


@exercise.mistake(
    "You do not divide the scores by sqrt(d_k). With wide keys the scores become large, and softmax gives "
    "almost all the weight to one key.",
    "If each of d_k products has variance 1, what is the variance of their sum?",
)
def no_scale(q: Tensor, k: Tensor) -> Tensor:
    return (q @ k.mT).softmax(-1)


@exercise.mistake(
    "You divide by d_k, not by its square root, so the weights become too equal.",
    "The variance of the scores is d_k. What is their standard deviation?",
)
def divided_by_d_k(q: Tensor, k: Tensor) -> Tensor:
    return (q @ k.mT / q.shape[-1]).softmax(-1)


@exercise.mistake(
    "You divide by the square root of the number of queries. But scores are large because each score is a "
    "sum of many products.",
    "Over which dimension does one dot product run: over words, or over the numbers of a word?",
)
def root_of_n_queries(q: Tensor, k: Tensor) -> Tensor:
    return (q @ k.mT / math.sqrt(q.shape[-2])).softmax(-1)


@exercise.mistake(
    "You divide by the square root of the number of keys. But scores are large because each score is a sum "
    "of many products.",
    "Over which dimension does one dot product run: over words, or over the numbers of a word?",
)
def root_of_n_keys(q: Tensor, k: Tensor) -> Tensor:
    return (q @ k.mT / math.sqrt(k.shape[-2])).softmax(-1)


@exercise.mistake(
    "You multiply by sqrt(d_k). But the scores are already too large, and need to shrink.",
    "Wide keys make large scores. What do large scores do to the weights?",
)
def multiplied(q: Tensor, k: Tensor) -> Tensor:
    return (q @ k.mT * math.sqrt(q.shape[-1])).softmax(-1)


@exercise.mistake(
    "Your columns sum to one, so the queries share each key. But each query has to divide its own attention "
    "among the keys.",
    "In the score matrix, is a query a row or a column?",
)
def softmax_over_queries(q: Tensor, k: Tensor) -> Tensor:
    return (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-2)


@exercise.mistake(
    "You take softmax along dimension 0. That dimension counts the queries of a matrix or the examples of a "
    "batch, but never the keys.",
    "Which number names the last dimension, for any number of dimensions?",
)
def softmax_over_dimension_0(q: Tensor, k: Tensor) -> Tensor:
    return (q @ k.mT / math.sqrt(q.shape[-1])).softmax(0)


@exercise.mistake(
    "You compare the queries with each other, and never use the keys.",
    "With 3 queries and 5 keys, what shape should the scores have?",
)
def queries_with_queries(q: Tensor, k: Tensor) -> Tensor:
    return (q @ q.mT / math.sqrt(q.shape[-1])).softmax(-1)


@exercise.mistake(
    "You scale only after softmax, so the rows no longer sum to one.",
    "Which step makes each row sum to one, and what do you do after this step?",
)
def scaled_too_late(q: Tensor, k: Tensor) -> Tensor:
    return (q @ k.mT).softmax(-1) / math.sqrt(q.shape[-1])


@exercise.mistake(
    "You return the scores. But scores are not weights yet, because a score can be negative.",
    "Which function turns a row of scores into positive numbers that sum to one?",
)
def scores_returned(q: Tensor, k: Tensor) -> Tensor:
    return q @ k.mT / math.sqrt(q.shape[-1])


@exercise.mistake(
    "Your matrix is transposed: its rows belong to keys. But row i must say how query i divides its "
    "attention.",
    "With 3 queries and 5 keys, what shape should the result have?",
)
def table_transposed(q: Tensor, k: Tensor) -> Tensor:
    return (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1).mT


@exercise.mistake(
    "Your keys ask and your queries are found, because you compute k q^T, not q k^T.",
    "Which divides its attention here, a query or a key?",
)
def roles_swapped(q: Tensor, k: Tensor) -> Tensor:
    return (k @ q.mT / math.sqrt(q.shape[-1])).softmax(-1)


@exercise.mistake(
    "You compare by cosine. But attention uses dot products, in which the lengths count, too.",
    "What does the formula divide by: the vectors' lengths, or sqrt(d_k)?",
)
def cosines(q: Tensor, k: Tensor) -> Tensor:
    q, k = F.normalize(q, dim=-1), F.normalize(k, dim=-1)
    return (q @ k.mT).softmax(-1)


@exercise.mistake(
    "`.T` works for a single matrix, but in a batch it reverses all dimensions, even the batch dimension.",
    "Which two dimensions of k should be swapped, and which dimension should stay where it is?",
)
def dot_t_on_a_batch(q: Tensor, k: Tensor) -> Tensor:
    return (q @ k.T / math.sqrt(q.shape[-1])).softmax(-1)


@exercise.alternative
def _weights_by_loops(q: Tensor, k: Tensor) -> Tensor:
    if q.ndim == 3:
        return torch.stack([_weights_by_loops(a, b) for a, b in zip(q, k, strict=True)])
    rows = []
    for query in q:
        scores = torch.stack([(query * key).sum() / len(query) ** 0.5 for key in k])
        rows.append(torch.softmax(scores, 0))
    return torch.stack(rows)


@exercise.alternative
def _weights_by_einsum(q: Tensor, k: Tensor) -> Tensor:
    return torch.einsum("...id,...jd->...ij", q, k).div(q.size(-1) ** 0.5).softmax(dim=-1)


@exercise.alternative
def _weights_scaled_first(q: Tensor, k: Tensor) -> Tensor:
    return F.softmax((q / math.sqrt(k.shape[-1])) @ k.transpose(-2, -1), dim=-1)


@exercise.alternative
def _weights_from_sdpa(q: Tensor, k: Tensor) -> Tensor:
    """Values that are the unit vectors make torch's own attention return its weights."""
    return F.scaled_dot_product_attention(q, k, torch.eye(k.shape[-2]).expand(*k.shape[:-1], -1))
