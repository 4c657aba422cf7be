"""Backwards through softmax."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from qkvlib import gradients
from qkvlib.exercises.kit.exercise import Case, ExerciseBuilder
from qkvlib.exercises.kit.random_inputs import attending, normal, scattered

exercise = ExerciseBuilder(
    points=2,
    needed_later=("float64",),
    builds_on=("softmax",),
    hints=(
        "The weights of a row sum to one, so a gradient that is the same for all weights of the row changes "
        "nothing.",
        "Compare each entry with the average of its row. In this average each entry counts by its weight.",
        "product = weights times d_weights; subtract from d_weights the row sums of product; multiply by the"
        " weights",
    ),
)

exercise.reference(gradients.softmax_backward)


@exercise.cases
def cases(generator: torch.Generator) -> list[Case]:
    def pair(*shape: int, scale: float = 1.0) -> tuple[Tensor, Tensor]:
        return normal(generator, *shape, scale=scale), attending(generator, *shape)

    d_weights, weights = pair(3, 4)
    masked = attending(generator, 3, 4) * torch.tensor([1.0, 1.0, 0.0, 1.0])
    return [
        Case("one row, easy numbers", (torch.tensor([[4.0, 0.0, 8.0]]), torch.tensor([[0.25, 0.25, 0.5]]))),
        Case("2 rows of 3", pair(2, 3)),
        Case("as many rows as columns", pair(4, 4)),
        Case("5 rows of 3", pair(5, 3)),
        Case(
            "a weight that is zero, because it was masked", (d_weights, masked / masked.sum(-1, keepdim=True))
        ),
        Case("a gradient with a large common part, which changes nothing", (2.0 + 0.5 * d_weights, weights)),
        Case("a batch of 2", pair(2, 3, 5)),
        Case("a large gradient", pair(3, 4, scale=1e3)),
        Case("a tiny gradient", pair(3, 4, scale=1e-4)),
        Case("tensors that are not stored row by row", (*map(scattered, pair(3, 5)),)),
    ]


@exercise.mistake(
    "You return d_weights unchanged, as if there were no softmax.",
    "If one score grows, does only its own weight change?",
)
def softmax_forgotten(d_weights: Tensor, weights: Tensor) -> Tensor:
    return d_weights


@exercise.mistake(
    "You consider only how each weight depends on its own score. But every weight of a row depends on every "
    "score of the row, because the weights share one sum.",
    "If one score grows, what happens to the other weights of its row?",
)
def diagonal_only(d_weights: Tensor, weights: Tensor) -> Tensor:
    return weights * (1 - weights) * d_weights


@exercise.mistake(
    "The part that couples the weights of a row is missing. What one weight gains, the other weights lose.",
    "If you add the same number to every score of a row, no weight changes. So what should a row of "
    "d_scores sum to, and what does your row sum to?",
)
def correction_forgotten(d_weights: Tensor, weights: Tensor) -> Tensor:
    return weights * d_weights


@exercise.mistake(
    "You subtract the plain sum of the row. But you need the weighted sum.",
    "If every entry of d_weights is 2, what is the weighted average of a row, and what do you subtract?",
)
def correction_unweighted(d_weights: Tensor, weights: Tensor) -> Tensor:
    return weights * (d_weights - d_weights.sum(-1, keepdim=True))


@exercise.mistake(
    "You subtract the plain average of the row. But an entry whose weight is almost zero should hardly "
    "count in the average.",
    "What should you multiply each entry of d_weights by before you sum the row?",
)
def correction_by_mean(d_weights: Tensor, weights: Tensor) -> Tensor:
    return weights * (d_weights - d_weights.mean(-1, keepdim=True))


@exercise.mistake(
    "You sum over the queries. But softmax ran along each row, so its derivative links all the weights of a "
    "row.",
    "With 3 queries and 5 keys, how many sums do you need?",
)
def correction_over_columns(d_weights: Tensor, weights: Tensor) -> Tensor:
    return weights * (d_weights - (weights * d_weights).sum(-2, keepdim=True))


@exercise.mistake(
    "You do not multiply by the weights at the end. But a weight of zero must not pass any gradient back.",
    "What should d_scores be where the mask made the weight 0?",
)
def weights_forgotten(d_weights: Tensor, weights: Tensor) -> Tensor:
    return d_weights - (weights * d_weights).sum(-1, keepdim=True)


@exercise.mistake(
    "The sign is reversed: you subtract the gradient from its average.",
    "If more weight on a key raises the loss, should a larger score for that key raise the loss or lower it?",
)
def sign_turned(d_weights: Tensor, weights: Tensor) -> Tensor:
    return weights * ((weights * d_weights).sum(-1, keepdim=True) - d_weights)


@exercise.mistake(
    "You add the average of the row instead of subtracting it.",
    "What should a row of d_scores sum to, and what does your row sum to?",
)
def correction_added(d_weights: Tensor, weights: Tensor) -> Tensor:
    return weights * (d_weights + (weights * d_weights).sum(-1, keepdim=True))


@exercise.mistake(
    "You subtract one sum for the whole matrix. But each row is a separate choice, and needs its own sum.",
    "If only row 1 of d_weights changes, should row 0 of d_scores change?",
)
def one_sum_for_all(d_weights: Tensor, weights: Tensor) -> Tensor:
    return weights * (d_weights - (weights * d_weights).sum())


@exercise.mistake(
    "Your row sums lost a dimension, so torch lines them up with the columns, or raises an error.",
    "What is the shape of `x.sum(-1)` for x of shape [2, 3], and what does `keepdim=True` change?",
)
def keepdim_forgotten(d_weights: Tensor, weights: Tensor) -> Tensor:
    return weights * (d_weights - (weights * d_weights).sum(-1))


@exercise.alternative
def _softmax_back_by_jacobian(d_weights: Tensor, weights: Tensor) -> Tensor:
    jacobian = torch.diag_embed(weights) - weights[..., :, None] * weights[..., None, :]
    return (jacobian @ d_weights[..., None])[..., 0]


@exercise.alternative
def _softmax_back_by_loops(d_weights: Tensor, weights: Tensor) -> Tensor:
    width = weights.shape[-1]
    rows = []
    for d, w in zip(d_weights.reshape(-1, width), weights.reshape(-1, width), strict=True):
        average = sum(w[j] * d[j] for j in range(width))
        rows.append(torch.stack([w[j] * (d[j] - average) for j in range(width)]))
    return torch.stack(rows).reshape(weights.shape)


@exercise.alternative
def _softmax_back_by_autograd(d_weights: Tensor, weights: Tensor) -> Any:
    scores = weights.clamp(min=1e-30).log().requires_grad_()
    return torch.autograd.grad(scores.softmax(-1), scores, d_weights)[0]


@exercise.alternative
def _softmax_back_in_two_terms(d_weights: Tensor, weights: Tensor) -> Tensor:
    product = weights * d_weights
    return product - weights * product.sum(dim=-1, keepdim=True)
