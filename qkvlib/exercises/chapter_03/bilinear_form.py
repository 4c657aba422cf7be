"""The form behind the scores: the matrix between two words."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from qkvlib import attention
from qkvlib.exercises.kit.exercise import Case, ExerciseBuilder
from qkvlib.exercises.kit.random_inputs import normal, scattered

exercise = ExerciseBuilder(
    points=1,
    builds_on=("project_qkv",),
    hints=(
        "Write the score of two words in full: (x_i w_q) times (x_j w_k) transposed.",
        "Transposing a product reverses its order: (A B)^T = B^T A^T.",
        "everything between x_i and x_j transposed is w_q times w_k transposed",
    ),
)

exercise.reference(attention.bilinear_form)


@exercise.cases
def cases(generator: torch.Generator) -> list[Case]:
    def pair(d: int, d_k: int, scale: float = 1.0) -> tuple[Tensor, Tensor]:
        return normal(generator, d, d_k, scale=scale), normal(generator, d, d_k, scale=scale)

    whole = (
        torch.tensor([[1.0, 2.0], [0.0, 1.0], [3.0, 0.0]]),
        torch.tensor([[0.0, 1.0], [2.0, 0.0], [1.0, 1.0]]),
    )
    return [
        Case("3 rows of 2 whole numbers", whole),
        Case("5 rows of 3 random numbers", pair(5, 3)),
        Case("square weights", pair(4, 4)),
        Case("wide weights", pair(2, 6)),
        Case("a single column", pair(3, 1)),
        Case("large numbers", pair(4, 2, 1e3)),
        Case("tiny numbers", pair(4, 2, 1e-3)),
        Case("tensors that are not stored row by row", (*map(scattered, pair(4, 3)),)),
    ]


@exercise.mistake(
    "Your matrix is transposed. Entry [a, b] should belong to feature a of the word that asks and feature b "
    "of the word that is found.",
    "In x_i M x_j^T, the word that asks is on the left. So which weight matrix should come first in M?",
)
def keys_first(w_q: Tensor, w_k: Tensor) -> Tensor:
    return w_k @ w_q.T


@exercise.mistake(
    "You compute w_q^T w_k. This product sums over d_model, so its shape is [d_k, d_k]. But the form "
    "compares two words of d_model numbers, so its shape has to be [d_model, d_model].",
    "The score q . k is x_i w_q (x_j w_k)^T. How can you write this score without brackets?",
)
def inner_product(w_q: Tensor, w_k: Tensor) -> Tensor:
    return w_q.T @ w_k


@exercise.mistake(
    "You multiply w_q by w_k without transposing w_k. But q . k sums over the d_k numbers of a query and a "
    "key, so your sum has to run over the columns of both matrices.",
    "Over which dimension of w_q and which dimension of w_k would w_q @ w_k sum?",
)
def not_transposed(w_q: Tensor, w_k: Tensor) -> Tensor:
    return w_q @ w_k


@exercise.mistake(
    "You multiply element by element. But the form is a matrix product.",
    "The form takes a word on each side. What shape does the form need, if a word has d_model numbers?",
)
def entries_multiplied(w_q: Tensor, w_k: Tensor) -> Tensor:
    return w_q * w_k


@exercise.mistake(
    "You use w_q twice. Then the form is symmetric, so two words always have the same score for each other.",
    "Which weight matrix makes the key of word j?",
)
def w_q_with_itself(w_q: Tensor, w_k: Tensor) -> Tensor:
    return w_q @ w_q.T


@exercise.mistake(
    "You divide by sqrt(d_k). The scores are scaled, but the bilinear form is just the product.",
    "In the formula x_i (W_Q W_K^T) x_j^T, what is between x_i and x_j^T?",
)
def scaled_form(w_q: Tensor, w_k: Tensor) -> Tensor:
    return w_q @ w_k.T / w_q.shape[1] ** 0.5


@exercise.mistake(
    "You average the form with its transpose. That makes the form symmetric, but attention can be one-sided.",
    "Should *its* looking at *law* force *law* to look at *its*?",
)
def made_symmetric(w_q: Tensor, w_k: Tensor) -> Tensor:
    form = w_q @ w_k.T
    return (form + form.T) / 2


@exercise.alternative
def _bilinear_by_columns(w_q: Tensor, w_k: Tensor) -> Any:
    return sum(torch.outer(a, b) for a, b in zip(w_q.T, w_k.T, strict=True))


@exercise.alternative
def _bilinear_by_loops(w_q: Tensor, w_k: Tensor) -> Tensor:
    form = torch.zeros(len(w_q), len(w_k))
    for a in range(len(w_q)):
        for b in range(len(w_k)):
            form[a, b] = (w_q[a] * w_k[b]).sum()
    return form


@exercise.alternative
def _bilinear_by_einsum(w_q: Tensor, w_k: Tensor) -> Tensor:
    return torch.einsum("ac,bc->ab", w_q, w_k)
