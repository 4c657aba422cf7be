"""Each row without its mean: a first exercise in `dim`, `keepdim` and broadcasting."""

from __future__ import annotations

import torch
from torch import Tensor

from qkvlib.exercises.kit.exercise import Case, ExerciseBuilder

exercise = ExerciseBuilder(
    points=1,
    hints=(
        "Three rows have three means. Along which dimension do the numbers of one row lie?",
        "`x.mean(dim=1)` has the shape [n]. To subtract the means from x row by row, you need the shape [n, "
        "1].",
        "the means of the rows, with keepdim=True; x minus these means",
    ),
)


@exercise.reference
def centre(x: Tensor) -> Tensor:
    return x - x.mean(dim=1, keepdim=True)


@exercise.cases
def cases(generator: torch.Generator) -> list[Case]:
    def rows(n: int, d: int, scale: float = 1.0) -> Tensor:
        return scale * torch.randn(n, d, generator=generator)

    return [
        Case("two rows of whole numbers", (torch.tensor([[1.0, 2.0, 6.0], [10.0, 10.0, 40.0]]),)),
        Case("as many rows as columns", (torch.tensor([[1.0, 3.0], [10.0, 20.0]]),)),
        Case("3 rows of 5 numbers", (rows(3, 5) + 2,)),
        Case("a single row", (rows(1, 4) + 1,)),
        Case("a single column", (rows(3, 1) + 1,)),
        Case("large numbers", (rows(4, 3, 1e3),)),
        Case("a transposed view, not stored row by row", (rows(4, 3).T + 1,)),
    ]


@exercise.mistake(
    "`keepdim=True` is missing, so the means have the shape [n], and torch treats them as a *row*. If n "
    "equals d, torch subtracts mean j from column j. Otherwise torch usually raises an error, because the "
    "sizes do not match.",
    "What are the shapes of `x.mean(dim=1)` and of `x.mean(dim=1, keepdim=True)`?",
)
def without_keepdim(x: Tensor) -> Tensor:
    return x - x.mean(dim=1)


@exercise.mistake(
    "You take the mean of each *column*. `dim` names the dimension that disappears, and dim=0 removes the "
    "rows.",
    "x is [2, 3]. Which of `x.mean(dim=0)` and `x.mean(dim=1)` has two numbers?",
)
def columns_centred(x: Tensor) -> Tensor:
    return x - x.mean(dim=0)


@exercise.mistake(
    "You take one mean for the whole of x. But each row has its own mean.",
    "What is the mean of each row of your result, and what should it be?",
)
def one_mean_for_all(x: Tensor) -> Tensor:
    return x - x.mean()


@exercise.mistake(
    "You subtract the sum of each row, not the mean. The mean is the sum divided by the length of the row.",
    "What is the mean of 1, 2 and 6, and what is their sum?",
)
def sum_for_mean(x: Tensor) -> Tensor:
    return x - x.sum(dim=1, keepdim=True)


@exercise.mistake(
    "You return only the means. Return x minus the means, in the shape of x.",
    "How many numbers does x have, and how many does your result have?",
)
def only_the_means(x: Tensor) -> Tensor:
    return x.mean(dim=1, keepdim=True)


@exercise.mistake(
    "You return only the means, one for each row. Return x minus the means, in the shape of x.",
    "How many numbers does x have, and how many does your result have?",
)
def only_the_means_in_a_list(x: Tensor) -> Tensor:
    return x.mean(dim=1)


@exercise.mistake(
    "The signs are reversed: you subtract x from the means.",
    "If a number is above the mean of its row, should the result be positive or negative?",
)
def means_minus_x(x: Tensor) -> Tensor:
    return x.mean(dim=1, keepdim=True) - x


@exercise.mistake(
    "You add the means instead of subtracting them.",
    "What should `centre(x).mean(dim=1)` be?",
)
def means_added(x: Tensor) -> Tensor:
    return x + x.mean(dim=1, keepdim=True)


@exercise.alternative
def _centre_by_none(x: Tensor) -> Tensor:
    return x - x.mean(1)[:, None]


@exercise.alternative
def _centre_by_loop(x: Tensor) -> Tensor:
    return torch.stack([row - row.mean() for row in x])


@exercise.alternative
def _centre_on_its_side(x: Tensor) -> Tensor:
    return (x.T - x.T.mean(dim=0)).T


@exercise.alternative
def _centre_by_sums(x: Tensor) -> Tensor:
    n, d = x.shape
    return x - (x @ torch.ones(d) / d).reshape(n, 1)
