"""How sharp attention is."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from qkvlib import attention
from qkvlib.exercises.kit.exercise import Case, ExerciseBuilder
from qkvlib.exercises.kit.random_inputs import attending, normal, scattered

exercise = ExerciseBuilder(
    points=1,
    hints=(
        "For each query: minus the sum of w log w over its keys.",
        "What happens at w = 0? `torch.xlogy(w, w)` handles this case. So does a tiny number "
        "added inside the logarithm.",
        "multiply each weight by its logarithm, and take zero where the weight is 0; sum each row; change "
        "the sign",
    ),
)

exercise.reference(attention.attention_entropy)


@exercise.cases
def cases(generator: torch.Generator) -> list[Case]:
    def one_hot(n: int, m: int) -> Tensor:
        return torch.eye(m)[torch.randint(m, (n,), generator=generator)]

    half = torch.tensor([[0.5, 0.5, 0.0, 0.0], [0.25, 0.25, 0.25, 0.25]])
    return [
        Case("half and half, and a quarter each", (half,)),
        Case("3 queries, 5 keys", (attending(generator, 3, 5),)),
        Case("as many queries as keys", (attending(generator, 4, 4),)),
        Case("all on a single key", (one_hot(3, 4),)),
        Case(
            "causal weights, zeros above the diagonal",
            (normal(generator, 4, 4).masked_fill(torch.ones(4, 4).triu(1).bool(), -math.inf).softmax(-1),),
        ),
        Case("weights that are not stored row by row", (scattered(attending(generator, 3, 6)),)),
    ]


@exercise.mistake(
    "A weight of 0 gives NaN, because log(0) is minus infinity, and 0 times minus infinity is not a number. "
    "But a key without weight should add nothing.",
    "How can you compute the terms without taking the log of 0?",
)
def nan_at_zero(weights: Tensor) -> Tensor:
    return -(weights * weights.log()).sum(-1)


@exercise.mistake(
    "Your entropy is negative. But an entropy is never below 0.",
    "What sign does log(0.5) have, and what does that mean for your sum?",
)
def sign_forgotten(weights: Tensor) -> Tensor:
    return torch.xlogy(weights, weights).sum(-1)


@exercise.mistake(
    "You measure in bits, with the logarithm of base 2. But the course uses the natural logarithm.",
    "Uniform weights on m keys should give log(m). Which logarithm is `torch.log`?",
)
def base_two(weights: Tensor) -> Tensor:
    return attention.attention_entropy(weights) / math.log(2)


@exercise.mistake(
    "You sum over the queries. But each query has its own entropy, a sum over its keys.",
    "With 3 queries and 5 keys, how many entropies do you need?",
)
def over_queries(weights: Tensor) -> Tensor:
    return -torch.xlogy(weights, weights).sum(-2)


@exercise.mistake(
    "You average over all queries. Return one number for each query.",
    "The result should have the shape [n]. What does n count?",
)
def averaged(weights: Tensor) -> Tensor:
    return attention.attention_entropy(weights).mean()


@exercise.mistake(
    "You divide by log(m), so that 1 is the largest possible value. Return the entropy itself.",
    "What is the entropy of four equal weights: 1, or log(4)?",
)
def as_a_share(weights: Tensor) -> Tensor:
    return attention.attention_entropy(weights) / math.log(weights.shape[-1])


@exercise.mistake(
    "You return exp of the entropy: the effective number of keys. This number is useful, too, but it is not "
    "the entropy.",
    "What should the result be for a query that attends to only one key: 0 or 1?",
)
def number_of_keys(weights: Tensor) -> Tensor:
    return attention.attention_entropy(weights).exp()


@exercise.mistake(
    "You take the mean over the keys. But the entropy is a sum.",
    "Two equal weights have the entropy log(2). What does your function give?",
)
def mean_for_sum(weights: Tensor) -> Tensor:
    return attention.attention_entropy(weights) / weights.shape[-1]


@exercise.mistake(
    "You sum the logarithms without the weights in front of them. A key with a tiny weight would "
    "count most of all.",
    "What is each logarithm multiplied by in the formula for the entropy?",
)
def weights_forgotten(weights: Tensor) -> Tensor:
    return -weights.clamp(min=1e-12).log().sum(-1)


@exercise.alternative
def _entropy_by_loops(weights: Tensor) -> Tensor:
    return torch.tensor([-sum(w * math.log(w) for w in row if w > 0) for row in weights.tolist()])


@exercise.alternative
def _entropy_by_entr(weights: Tensor) -> Any:
    return torch.special.entr(weights).sum(1)


@exercise.alternative
def _entropy_with_epsilon(weights: Tensor) -> Tensor:
    return -(weights * torch.log(weights + 1e-9)).sum(dim=1)


@exercise.alternative
def _entropy_by_where(weights: Tensor) -> Tensor:
    logs = torch.where(weights > 0, weights, torch.ones_like(weights)).log()
    return -torch.einsum("...m,...m->...", weights, logs)
