"""A blend of the values: the better a key fits the query, the more its value counts."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812 (torch's own name for it)

from qkvlib import attention
from qkvlib.exercises.kit.exercise import Case, ExerciseBuilder
from qkvlib.exercises.kit.random_inputs import normal, scattered

exercise = ExerciseBuilder(
    points=2,
    builds_on=("dot", "softmax"),
    hints=(
        "Three steps: compare the query with the keys, turn the scores into weights, blend the values.",
        "`keys @ query` compares the query with every key at once. You already have `softmax`.",
        "scores = each key's dot product with the query; weights = softmax of the scores; result = the sum "
        "of weight times value",
    ),
)

exercise.reference(attention.soft_lookup)


@exercise.cases
def cases(generator: torch.Generator) -> list[Case]:
    def library(n: int, d: int, d_v: int, scale: float = 1.0) -> tuple[Tensor, Tensor, Tensor]:
        query = normal(generator, d, scale=scale)
        keys = normal(generator, n, d)
        return query, keys, normal(generator, n, d_v)

    whole = (
        torch.tensor([1.0, 0.0]),
        torch.tensor([[2.0, 0.0], [0.0, 2.0]]),
        torch.tensor([[10.0, 0.0, 0.0], [0.0, 10.0, 20.0]]),
    )
    query, keys, values = library(4, 3, 3)
    long = (normal(generator, 4, scale=30.0), normal(generator, 5, 4), normal(generator, 5, 2))
    high = torch.tensor([[1.0, 1.0], [2.0, 1.0], [0.0, 1.0]])
    return [
        Case("two keys, values of three numbers", whole),
        Case("3 keys of 4 numbers, values of 2", library(3, 4, 2)),
        Case("keys and values of the same size", (query, keys, values)),
        Case("as many keys as numbers in each", library(4, 4, 4)),
        Case("a single key", library(1, 3, 2)),
        Case("a long query, which nearly makes a hard choice", long),
        Case("a tiny query, which blends all values almost equally", library(6, 5, 3, 1e-3)),
        Case("values far from zero", (query, keys, 100 + values)),
        Case("tensors that are not stored row by row", tuple(scattered(x) for x in library(5, 3, 4))),
        Case("scores around a thousand", (torch.tensor([1.0, 1000.0]), high, library(3, 2, 2)[2])),
    ]


@exercise.mistake(
    "You return only the value of the best key. That is a hard lookup, but a soft lookup is a weighted sum "
    "of all values.",
    "When two keys match almost equally well, what should happen to the value of the second-best key?",
)
def hard_lookup(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    return values[(keys @ query).argmax()]


@exercise.mistake(
    "You use the raw scores as weights. But scores can be negative and do not sum to one.",
    "Which function of this chapter turns scores into weights?",
)
def raw_scores(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    return (keys @ query) @ values


@exercise.mistake(
    "Every value gets the same weight, so your result is the average of the values, whatever the query is.",
    "Where does your function compare the query with the keys?",
)
def query_ignored(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    return values.mean(0)


@exercise.mistake(
    "You blend the keys. A key says how a word is found, but a value says what the word passes on.",
    "Your weights are right. Which argument does your function never use?",
)
def keys_blended(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    return torch.softmax(keys @ query, 0) @ keys


@exercise.mistake(
    "You compare the query with the values. But the keys say how a word is found.",
    "The query has the shape [d]. Which matrix has rows of d numbers, the keys or the values?",
)
def matched_with_values(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    return torch.softmax(values @ query, 0) @ values


@exercise.mistake(
    "Keys and values are swapped: you compare the query with the values, and blend the keys.",
    "What does a key say about a word, and what does a value say?",
)
def keys_and_values_swapped(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    return torch.softmax(values @ query, 0) @ keys


@exercise.mistake(
    "You multiply in the wrong order. The weights come first, because each weight belongs to a row of the "
    "values.",
    "The weights are [n] and the values [n, d_v]. In which order are the two sizes n side by side?",
)
def values_first(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    return values @ torch.softmax(keys @ query, 0)


@exercise.mistake(
    "The best key gets the smallest weight, because there is one minus sign too many.",
    "Should a larger dot product mean a larger or a smaller weight?",
)
def sign_flipped(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    return torch.softmax(-(keys @ query), 0) @ values


@exercise.mistake(
    "You divide the scores by the square root of d. That division comes later in this chapter, but "
    "`soft_lookup` uses the dot products as they are.",
    "What does the formula softmax(K q) V do to the scores before softmax?",
)
def scaled_already(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    return torch.softmax(keys @ query / math.sqrt(len(query)), 0) @ values


@exercise.mistake(
    "Your weights are exponentials, but you do not divide them by their sum.",
    "With only one key, its weight should be 1. What weight do you get?",
)
def not_normalised(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    return (keys @ query).exp() @ values


@exercise.mistake(
    "Your exponentials are safe from overflow, but you do not divide them by their sum.",
    "With two keys that match equally well, what should each weight be, and what weight do you get?",
)
def largest_taken_away_not_normalised(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    scores = keys @ query
    return (scores - scores.max()).exp() @ values


@exercise.mistake(
    "You average the weighted values. But the weights already sum to one, so just add up the weighted "
    "values.",
    "If all values are equal to 10, what should the blend be, and what blend do you get?",
)
def mean_for_sum(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    return (torch.softmax(keys @ query, 0)[:, None] * values).mean(0)


@exercise.mistake(
    "You return the weighted values one by one. But the blend is one vector, the sum of the weighted values.",
    "How many numbers does one value have, and how many does your result have?",
)
def not_summed(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    return torch.softmax(keys @ query, 0)[:, None] * values


@exercise.mistake(
    "You return the weights. But the weights only say how much of each value to take.",
    "What are the weights multiplied by in the formula softmax(K q) V?",
)
def weights_returned(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    return torch.softmax(keys @ query, 0)


@exercise.mistake(
    "You compare by cosine. But a soft lookup uses dot products, in which the lengths count, too.",
    "If the query becomes ten times as long, should the choice become sharper?",
)
def cosines_for_products(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    return torch.softmax(F.cosine_similarity(keys, query[None], dim=1), 0) @ values


exercise.alternative(attention.soft_lookup_sum)


@exercise.alternative
def _lookup_by_loop(query: Tensor, keys: Tensor, values: Tensor) -> Any:
    scores = [float(key @ query) for key in keys]
    e = [math.exp(s - max(scores)) for s in scores]
    blend: Any = 0
    for weight, value in zip(e, values, strict=True):
        blend = blend + weight / sum(e) * value
    return blend


@exercise.alternative
def _lookup_by_einsum(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    weights = torch.einsum("nd,d->n", keys, query).softmax(0)
    return torch.einsum("n,nv->v", weights, values)


@exercise.alternative
def _lookup_by_broadcast(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    weights = F.softmax((keys * query).sum(1), dim=0)
    return (weights.unsqueeze(1) * values).sum(dim=0)
