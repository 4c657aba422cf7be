"""Chapter 2, Soft lookup: the weights of all queries at once, and why they are scaled."""

from __future__ import annotations

import math

import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812 (torch's own name for it)

from qkvlib import attention
from qkvlib.exercises.kit.exercise import Case, Exercise, asked_once, mistake
from qkvlib.exercises.kit.random_inputs import normal, scattered

# --- attention_weights ----------------------------------------------------------------------


def _weights_cases(generator: torch.Generator) -> list[Case]:
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


@mistake(
    "You do not divide the scores by sqrt(d_k). With wide keys the scores become large, and "
    "softmax gives nearly everything to one key.",
    "If each of d_k products has variance 1, what variance has their sum?",
)
def no_scale(q: Tensor, k: Tensor) -> Tensor:
    return (q @ k.mT).softmax(-1)


@mistake(
    "You divide by d_k, not by its square root. The weights become too equal.",
    "The variance of the scores is d_k. What is their standard deviation?",
)
def divided_by_d_k(q: Tensor, k: Tensor) -> Tensor:
    return (q @ k.mT / q.shape[-1]).softmax(-1)


@mistake(
    "You divide by the square root of the number of queries. "
    "What makes scores large is how many products each one sums.",
    "Over which dimension does one dot product run: over words, or over the numbers of a word?",
)
def root_of_n_queries(q: Tensor, k: Tensor) -> Tensor:
    return (q @ k.mT / math.sqrt(q.shape[-2])).softmax(-1)


@mistake(
    "You divide by the square root of the number of keys. "
    "What makes scores large is how many products each one sums.",
    "Over which dimension does one dot product run: over words, or over the numbers of a word?",
)
def root_of_n_keys(q: Tensor, k: Tensor) -> Tensor:
    return (q @ k.mT / math.sqrt(k.shape[-2])).softmax(-1)


@mistake(
    "You multiply by sqrt(d_k). The scores are too large already; they need to shrink.",
    "Should the scores of wide keys become larger or smaller by the scaling?",
)
def multiplied(q: Tensor, k: Tensor) -> Tensor:
    return (q @ k.mT * math.sqrt(q.shape[-1])).softmax(-1)


@mistake(
    "Your columns sum to one: the queries share each key. "
    "It is each query that divides its attention among the keys.",
    "In the table of scores, does a query stand in a row or in a column?",
)
def softmax_over_queries(q: Tensor, k: Tensor) -> Tensor:
    return (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-2)


@mistake(
    "You take softmax along dimension 0. That is right for no shape here: for a matrix it runs "
    "over the queries, for a batch over the examples.",
    "Which number names the last dimension, however many there are?",
)
def softmax_over_dimension_0(q: Tensor, k: Tensor) -> Tensor:
    return (q @ k.mT / math.sqrt(q.shape[-1])).softmax(0)


@mistake(
    "You compare the queries with themselves. The keys never come in.",
    "With 3 queries and 5 keys, what shape should the table have?",
)
def queries_with_queries(q: Tensor, k: Tensor) -> Tensor:
    return (q @ q.mT / math.sqrt(q.shape[-1])).softmax(-1)


@mistake(
    "You scale after softmax, so the rows no longer sum to one.",
    "What should a row of weights sum to, and which step makes it so?",
)
def scaled_too_late(q: Tensor, k: Tensor) -> Tensor:
    return (q @ k.mT).softmax(-1) / math.sqrt(q.shape[-1])


@mistake(
    "You return the scores. They are not weights yet: they can be negative.",
    "Which function makes a row of scores positive and lets it sum to one?",
)
def scores_returned(q: Tensor, k: Tensor) -> Tensor:
    return q @ k.mT / math.sqrt(q.shape[-1])


@mistake(
    "Your table is transposed: rows belong to keys. Row i must say how query i divides its "
    "attention.",
    "With 3 queries and 5 keys, how many rows should there be?",
)
def table_transposed(q: Tensor, k: Tensor) -> Tensor:
    return (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1).mT


@mistake(
    "The keys ask and the queries answer: you computed k q^T, not q k^T.",
    "Who divides its attention here, a query or a key?",
)
def roles_swapped(q: Tensor, k: Tensor) -> Tensor:
    return (k @ q.mT / math.sqrt(q.shape[-1])).softmax(-1)


@mistake(
    "You compare by cosine. Attention uses dot products: a long key may speak louder.",
    "What does sqrt(d_k) replace in the formula, and what stays?",
)
def cosines(q: Tensor, k: Tensor) -> Tensor:
    q, k = F.normalize(q, dim=-1), F.normalize(k, dim=-1)
    return (q @ k.mT).softmax(-1)


@mistake(
    "`.T` turns all dimensions around, also that of the batch. For one matrix it happens to work.",
    "Which two dimensions should change places, and which should stay?",
)
def dot_t_on_a_batch(q: Tensor, k: Tensor) -> Tensor:
    if k.ndim > 2:
        raise RuntimeError("shapes do not fit")
    return (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1)


def _weights_by_loops(q: Tensor, k: Tensor) -> Tensor:
    if q.ndim == 3:
        return torch.stack([_weights_by_loops(a, b) for a, b in zip(q, k, strict=True)])
    rows = []
    for query in q:
        scores = torch.stack([(query * key).sum() / len(query) ** 0.5 for key in k])
        rows.append(torch.softmax(scores, 0))
    return torch.stack(rows)


def _weights_by_einsum(q: Tensor, k: Tensor) -> Tensor:
    return torch.einsum("...id,...jd->...ij", q, k).div(q.size(-1) ** 0.5).softmax(dim=-1)


def _weights_scaled_first(q: Tensor, k: Tensor) -> Tensor:
    return F.softmax((q / math.sqrt(k.shape[-1])) @ k.transpose(-2, -1), dim=-1)


def _weights_from_sdpa(q: Tensor, k: Tensor) -> Tensor:
    """Values that are the unit vectors make torch's own attention return its weights."""
    return F.scaled_dot_product_attention(q, k, torch.eye(k.shape[-2]).expand(*k.shape[:-1], -1))


ATTENTION_WEIGHTS = Exercise(
    chapter=2,
    points=2,
    reference=attention.attention_weights,
    cases=_weights_cases,
    mistakes=(
        no_scale,
        divided_by_d_k,
        root_of_n_queries,
        root_of_n_keys,
        multiplied,
        softmax_over_queries,
        softmax_over_dimension_0,
        queries_with_queries,
        scaled_too_late,
        scores_returned,
        table_transposed,
        roles_swapped,
        cosines,
        dot_t_on_a_batch,
    ),
    alternatives=(
        _weights_by_loops,
        _weights_by_einsum,
        _weights_scaled_first,
        _weights_from_sdpa,
    ),
    hints=(
        "It is the first half of the soft lookup, for all queries at once, and scaled.",
        "`q @ k.mT` holds every query's dot product with every key. d_k is `q.shape[-1]`.",
        "scores = q times k transposed, divided by the square root of d_k; softmax of each row",
    ),
    builds_on=("softmax",),
)

# --- predict_variance -----------------------------------------------------------------------


def predict_variance() -> float:
    """The variance of q . k when both have 64 independent numbers of variance 1."""
    return 64.0


@mistake(
    "A single product of two such numbers has variance 1. A dot product sums many of them.",
    "How many products does a dot product of two vectors of 64 numbers add up?",
)
def variance_of_one_product() -> float:
    return 1


@mistake(
    "That is the standard deviation, the square root of the variance. It is what the scores are "
    "divided by.",
    "If the standard deviation is 8, what is the variance?",
)
def standard_deviation() -> float:
    return 8


@mistake(
    "You add up the variances of 64 queries' numbers and of 64 keys' numbers. They are multiplied "
    "pair by pair first.",
    "What is the variance of one product of two independent numbers of variance 1?",
)
def both_added() -> float:
    return 128


@mistake(
    "You square the 64. Variances of independent terms add up; standard deviations would not.",
    "Two independent terms of variance 1 have a sum of variance 2. And 64 terms?",
)
def variances_multiplied() -> float:
    return 4096


PREDICT_VARIANCE = Exercise(
    chapter=2,
    points=1,
    reference=predict_variance,
    cases=asked_once,
    mistakes=(variance_of_one_product, standard_deviation, both_added, variances_multiplied),
    alternatives=(lambda: 64, lambda: torch.tensor(64), lambda: 8**2),
    hints=(
        "Start with one product of two independent numbers of mean 0 and variance 1.",
        "The variances of independent terms add up.",
        "variance of one product, times the number of products in the sum",
    ),
)
EXERCISES = (ATTENTION_WEIGHTS, PREDICT_VARIANCE)
