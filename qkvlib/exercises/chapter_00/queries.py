"""The queries of a sentence, in one line: the first exercise, to try the checks and the hints on."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812 (torch's own name for it)

from qkvlib.exercises.kit.exercise import Case, ExerciseBuilder
from qkvlib.exercises.kit.random_inputs import normal, scattered

exercise = ExerciseBuilder(
    points=1,
    hints=(
        "Each word's vector is multiplied by the same matrix.",
        "In Python `@` is the matrix product. x has as many columns as w_q has rows.",
        "the matrix product of x and w_q, with x on the left",
    ),
)


@exercise.reference
def queries(x: Tensor, w_q: Tensor) -> Tensor:
    """A query for each word: the word's vector times W_Q."""
    return x @ w_q


@exercise.cases
def cases(generator: torch.Generator) -> list[Case]:
    x = torch.tensor([[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]])
    w_q = torch.tensor([[1.0, 0.0, 2.0], [0.0, 1.0, -1.0]])
    return [
        Case("three words of 2 whole numbers", (x, w_q)),
        Case("3 words of 5 numbers, d_k = 4", (normal(generator, 3, 5), normal(generator, 5, 4))),
        Case("all sizes equal", (normal(generator, 4, 4), normal(generator, 4, 4))),
        Case("a single word", (normal(generator, 1, 3), normal(generator, 3, 2))),
        Case("large numbers", (normal(generator, 3, 4, scale=1e3), normal(generator, 4, 2))),
        Case(
            "tensors that are not stored row by row",
            (scattered(normal(generator, 3, 4)), scattered(normal(generator, 4, 3))),
        ),
    ]


@exercise.mistake(
    "You return x unchanged. But a word's vector is not its query yet. W_Q turns the vector into the query.",
    "What would w_q have to be for x @ w_q to equal x?",
)
def x_itself(x: Tensor, w_q: Tensor) -> Tensor:
    return x


@exercise.mistake(
    "You return W_Q. That matrix makes the queries, but it is the same for every sentence.",
    "Which argument holds the words, and where does your function use this argument?",
)
def the_matrix_itself(x: Tensor, w_q: Tensor) -> Tensor:
    return w_q


@exercise.mistake(
    "You multiply by W_Q transposed. But W_Q already has a row for each number that comes in and a column "
    "for each number that goes out.",
    "If x has 5 columns and w_q has 5 rows, which product of x and w_q fits without a transpose?",
)
def transposed(x: Tensor, w_q: Tensor) -> Tensor:
    return x @ w_q.T


@exercise.mistake(
    "You multiply element by element. But a projection is a matrix product, `@`.",
    "What is the difference between `*` and `@` for two matrices?",
)
def entry_by_entry(x: Tensor, w_q: Tensor) -> Tensor:
    return x * w_q


@exercise.mistake(
    "In your product W_Q is on the left, so W_Q mixes the words. But a projection works on each word "
    "separately.",
    "If you change only the first word, which rows of the result may change?",
)
def matrix_on_the_left(x: Tensor, w_q: Tensor) -> Tensor:
    return w_q @ x


@exercise.mistake(
    "You make only one query for the whole sentence. But each word has its own query.",
    "The result should have the shape [n, d_k]. What does n count?",
)
def one_for_all(x: Tensor, w_q: Tensor) -> Tensor:
    return x.sum(0) @ w_q


@exercise.mistake(
    "The result is transposed: each word has a column, but should have a row.",
    "Which dimension of the result comes first in the docstring, n or d_k, and which comes first in your "
    "result?",
)
def on_its_side(x: Tensor, w_q: Tensor) -> Tensor:
    return (x @ w_q).mT


@exercise.mistake(
    "You turn the queries into weights. But softmax comes later, after the queries have been compared with "
    "the keys.",
    "Can a query contain negative numbers, and can the result of softmax?",
)
def softmax_too_early(x: Tensor, w_q: Tensor) -> Tensor:
    return torch.softmax(x @ w_q, dim=-1)


@exercise.mistake(
    "You divide by the square root of d_k. But that division belongs to the scores, where a query meets a "
    "key.",
    "Is there a key in this exercise?",
)
def divided_too_early(x: Tensor, w_q: Tensor) -> Tensor:
    return x @ w_q / w_q.shape[1] ** 0.5


@exercise.alternative
def _by_loops(x: Tensor, w_q: Tensor) -> Any:
    rows = []
    for word in x:
        query: Any = 0
        for i in range(len(w_q)):
            query = query + word[i] * w_q[i]
        rows.append(query)
    return torch.stack(rows)


exercise.alternative(lambda x, w_q: torch.einsum("nd,dk->nk", x, w_q))
exercise.alternative(lambda x, w_q: F.linear(x, w_q.T))
exercise.alternative(lambda x, w_q: torch.matmul(x, w_q))
