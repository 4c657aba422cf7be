"""Q, K and V from one x."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 (torch's own name for it)

from qkvlib import attention
from qkvlib.exercises.kit.exercise import Case, ExerciseBuilder
from qkvlib.exercises.kit.random_inputs import normal, scattered

exercise = ExerciseBuilder(
    points=2,
    returns=("q", "k", "v"),
    hints=(
        "The same x goes through three matrices.",
        "`x @ w` multiplies every word of x by w. The order of the results is q, k, v.",
        "q is x times w_q; k is x times w_k; v is x times w_v; return all three",
    ),
)

exercise.reference(attention.project_qkv)

Three = tuple[Tensor, Tensor, Tensor]


@exercise.cases
def cases(generator: torch.Generator) -> list[Case]:
    def weights(d: int, d_k: int, d_v: int) -> Three:
        return (normal(generator, d, d_k), normal(generator, d, d_k), normal(generator, d, d_v))

    x = torch.tensor([[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]])
    w_q = torch.tensor([[1.0, 0.0, 2.0], [0.0, 1.0, -1.0]])
    w_k = torch.tensor([[0.0, 3.0, 1.0], [1.0, 0.0, 0.0]])
    w_v = torch.tensor([[2.0], [5.0]])
    return [
        Case("three words of 2 whole numbers", (x, w_q, w_k, w_v)),
        Case("3 words of 5 numbers, d_k = 4, d_v = 2", (normal(generator, 3, 5), *weights(5, 4, 2))),
        Case("all sizes equal", (normal(generator, 4, 4), *weights(4, 4, 4))),
        Case("a single word", (normal(generator, 1, 3), *weights(3, 2, 4))),
        Case("large numbers", (normal(generator, 3, 4, scale=1e3), *weights(4, 2, 3))),
        Case("tiny numbers", (normal(generator, 3, 4, scale=1e-3), *weights(4, 2, 3))),
        Case(
            "tensors that are not stored row by row",
            (scattered(normal(generator, 3, 4)), *(scattered(w) for w in weights(4, 3, 2))),
        ),
    ]


@exercise.mistake(
    "You compute queries and keys with the same matrix, w_q. Then each word's query equals its key, and w_k "
    "is never trained.",
    "If only w_k changes, should the keys change, and do your keys change?",
)
def w_q_used_twice(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Three:
    return x @ w_q, x @ w_q, x @ w_v


@exercise.mistake(
    "You compute the values with w_k. A key says how a word is found, but a value says what the word passes "
    "on.",
    "Which of the three weight matrices does not appear in your function?",
)
def w_k_used_twice(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Three:
    return x @ w_q, x @ w_k, x @ w_k


@exercise.mistake(
    "Your queries and keys are swapped.",
    "Which weight matrix makes the first result, and which makes the second?",
)
def queries_and_keys_swapped(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Three:
    return x @ w_k, x @ w_q, x @ w_v


@exercise.mistake(
    "Your keys and values are swapped.",
    "Which weight matrix makes the second result, and which makes the third?",
)
def keys_and_values_swapped(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Three:
    return x @ w_q, x @ w_v, x @ w_k


@exercise.mistake(
    "You multiply by the transposed weights. But a weight matrix already has a row for each number that "
    "comes in and a column for each number that goes out.",
    "If x has 5 columns and w_q has 5 rows, which product of x and w_q fits without a transpose?",
)
def weights_transposed(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Three:
    return x @ w_q.T, x @ w_k.T, x @ w_v.T


@exercise.mistake(
    "You return x three times. But queries, keys and values are three different projections of x, each with "
    "its own matrix.",
    "What would w_q have to be, so that x @ w_q equals x?",
)
def not_projected(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Three:
    return x, x, x


@exercise.mistake(
    "You compute the keys from the queries, and the values from the keys. But all three projections start "
    "from x.",
    "If only w_q changes, should the keys change?",
)
def chained(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Three:
    q = x @ w_q
    k = q @ w_k
    return q, k, k @ w_v


@exercise.mistake(
    "You multiply element by element. But a projection is a matrix product, `@`.",
    "What is the difference between `*` and `@` for two matrices?",
)
def entry_by_entry(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Three:
    return x * w_q, x * w_k, x * w_v


@exercise.mistake(
    "In your products the weights are on the left, so they mix the words. But a projection mixes only the "
    "numbers inside each word.",
    "If you change only the first word, which rows of q may change?",
)
def weights_on_the_left(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Three:
    return w_q @ x, w_k @ x, w_v @ x


@exercise.mistake(
    "Your values are x itself, not projected. But w_v decides what a word passes on when it is found.",
    "Which of the three weight matrices does not appear in your function?",
)
def values_not_projected(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Three:
    return x @ w_q, x @ w_k, x


@exercise.mistake(
    "You return one wide tensor. Return three results: q, k, v.",
    "How does a Python function return three results?",
)
def side_by_side(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Tensor:
    return x @ torch.cat([w_q, w_k, w_v], dim=1)


@exercise.mistake(
    "You return the values first, and the queries last.",
    "In which order does the docstring name the results?",
)
def values_first(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Any:
    return x @ w_v, x @ w_k, x @ w_q


@exercise.mistake(
    "Your results are transposed: each word has a column, but should have a row.",
    "What is the shape of `x @ w_q`: [n, d_k] or [d_k, n]?",
)
def results_on_their_side(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Any:
    return tuple((x @ w).mT for w in (w_q, w_k, w_v))


@exercise.mistake(
    "All three of your results are the queries. But there are three weight matrices, one for each result.",
    "Which of your three products uses w_k?",
)
def queries_thrice(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Any:
    return x @ w_q, x @ w_q, x @ w_q


@exercise.mistake(
    "The values are missing: you return only queries and keys.",
    "What is w_v for?",
)
def values_missing(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Any:
    return x @ w_q, x @ w_k


@exercise.alternative
def _project_by_loops(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Any:
    def times(w: Tensor) -> Tensor:
        words = [sum(f * row for f, row in zip(word, w, strict=True)) for word in x]
        return torch.stack(words)

    return [times(w_q), times(w_k), times(w_v)]


@exercise.alternative
def _project_by_einsum(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Three:
    q, k, v = (torch.einsum("...d,de->...e", x, w) for w in (w_q, w_k, w_v))
    return q, k, v


@exercise.alternative
def _project_by_one_product(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Any:
    widths = [w_q.shape[1], w_k.shape[1], w_v.shape[1]]
    return torch.split(x @ torch.cat([w_q, w_k, w_v], dim=1), widths, dim=1)


@exercise.alternative
def _project_by_linear(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Any:
    layer = nn.Linear(w_q.shape[0], w_q.shape[1], bias=False)
    layer.weight = nn.Parameter(w_q.T)
    return layer(x), F.linear(x, w_k.T), torch.matmul(x, w_v)
