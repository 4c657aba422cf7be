"""The mask that hides what comes later."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from qkvlib import masks
from qkvlib.exercises.kit.exercise import Case, ExerciseBuilder
from qkvlib.exercises.kit.random_inputs import any_size

exercise = ExerciseBuilder(
    points=1,
    hints=(
        "Write the mask for 3 words on paper: a row for each word that looks.",
        "`torch.tril` keeps the lower triangle. The result has to be boolean.",
        "entry [i, j] is True when j is not greater than i",
    ),
)

exercise.reference(masks.causal_mask)


@exercise.cases
def cases(generator: torch.Generator) -> list[Case]:
    sizes = [3, 1, 2, 5, any_size(generator, 6, 40), any_size(generator, 40, 90)]
    return [Case(f"n = {n}", (n,)) for n in sizes]


@exercise.mistake(
    "Your mask is upside down: each word sees itself and later words, not earlier words.",
    "Row i is the word that looks. May word 0 look at word 2?",
)
def upper_triangle(n: int) -> Tensor:
    return torch.ones(n, n).triu().bool()


@exercise.mistake(
    "The mask is inverted: True is where looking is forbidden. But here True means *may attend*.",
    "May word 2 look back at word 0? So what should mask[2, 0] be?",
)
def inverted(n: int) -> Tensor:
    return torch.ones(n, n).triu(1).bool()


@exercise.mistake(
    "In your mask a word may not see itself, so the first word has nothing to look at.",
    "May word 0 look at itself? So what should mask[0, 0] be?",
)
def diagonal_hidden(n: int) -> Tensor:
    return torch.ones(n, n).tril(-1).bool()


@exercise.mistake(
    "In your mask each word sees one word too many: the next word, which it has to predict.",
    "What is the last word that word 0 may see?",
)
def one_too_many(n: int) -> Tensor:
    return torch.ones(n, n).tril(1).bool()


@exercise.mistake(
    "You return 0 and minus infinity, a mask that is added to the scores. But here a mask is boolean.",
    "What does a boolean mask contain where a word may be seen?",
)
def additive(n: int) -> Tensor:
    return torch.zeros(n, n).masked_fill(torch.ones(n, n).triu(1).bool(), -math.inf)


@exercise.mistake(
    "You return the numbers 0 and 1. But here a mask is boolean: True and False.",
    "What is the dtype of a comparison such as `a >= b`?",
)
def numbers_for_booleans(n: int) -> Tensor:
    return torch.ones(n, n).tril()


@exercise.mistake(
    "In your mask every word may see every other word.",
    "May word 0 see word 1, which comes after it?",
)
def nothing_hidden(n: int) -> Tensor:
    return torch.ones(n, n).bool()


@exercise.mistake(
    "In your mask each word sees only itself. But a word may see earlier words, too.",
    "Which words may the last of 3 words see?",
)
def only_itself(n: int) -> Tensor:
    return torch.eye(n).bool()


@exercise.alternative
def _causal_by_comparison(n: int) -> Tensor:
    place = torch.arange(n)
    return place[:, None] >= place[None, :]


@exercise.alternative
def _causal_by_loops(n: int) -> Tensor:
    return torch.tensor([[j <= i for j in range(n)] for i in range(n)])


@exercise.alternative
def _causal_by_inverse(n: int) -> Tensor:
    return torch.ones(n, n).triu(diagonal=1) == 0


@exercise.alternative
def _causal_in_place(n: int) -> Tensor:
    mask = torch.zeros(n, n, dtype=torch.bool)
    for i in range(n):
        mask[i, : i + 1] = True
    return mask
