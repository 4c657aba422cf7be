"""Read off which letter each sound looks at."""

from __future__ import annotations

import torch
from torch import Tensor

from qkvlib.exercises.kit.exercise import Case, ExerciseBuilder
from qkvlib.exercises.kit.random_inputs import attending

exercise = ExerciseBuilder(
    points=1,
    builds_on=("cross_attention",),
    hints=(
        "Each row belongs to a sound.",
        "`argmax` with a dimension gives the position of the largest number along that dimension.",
        "for each row: the column of its largest weight",
    ),
)


@exercise.reference
def read_alignment(weights: Tensor) -> Tensor:
    """For each sound the position of the letter it looks at most. weights [sounds letters]."""
    return weights.argmax(-1)


@exercise.cases
def cases(generator: torch.Generator) -> list[Case]:
    sure = torch.tensor([[0.1, 0.8, 0.1], [0.7, 0.2, 0.1]])
    return [
        Case("2 sounds, 3 letters", (sure,)),
        Case("4 sounds, 6 letters", (attending(generator, 4, 6),)),
        Case("as many sounds as letters", (attending(generator, 5, 5),)),
        Case("more sounds than letters", (attending(generator, 7, 3),)),
        Case("8 sounds, 9 letters", (attending(generator, 8, 9),)),
    ]


@exercise.mistake(
    "You look for the best sound of each letter. But each sound should look for its letter.",
    "With 4 sounds and 6 letters, how many positions should you return?",
)
def best_sound_of_each_letter(weights: Tensor) -> Tensor:
    return weights.argmax(0)


@exercise.mistake(
    "You return the largest weights. Return the positions of these weights.",
    "In the row 0.1, 0.8, 0.1, what is the largest weight, and what is its position?",
)
def weights_for_places(weights: Tensor) -> Tensor:
    return weights.amax(-1)


@exercise.mistake(
    "You take the letter with the smallest weight.",
    "Does a sound look at the letters with large weights or at the letters with small weights?",
)
def smallest(weights: Tensor) -> Tensor:
    return weights.argmin(-1)


@exercise.mistake(
    "Each of your positions is too large by 1. Python counts from 0.",
    "With 6 letters, what is the position of the last letter?",
)
def counted_from_one(weights: Tensor) -> Tensor:
    return weights.argmax(-1) + 1


@exercise.mistake(
    "You return one position for the whole matrix. But each sound has its own letter.",
    "What does `argmax()` do when you do not pass a dimension?",
)
def one_place_for_all(weights: Tensor) -> Tensor:
    return weights.argmax()


@exercise.mistake(
    "You round the average position. For a sound that looks only at the first letter and the last letter, "
    "you would return a letter in the middle.",
    "For the weights 0.6, 0 and 0.4, which position do you return, and which position should you return?",
)
def average_place(weights: Tensor) -> Tensor:
    return (weights @ torch.arange(weights.shape[1]).to(weights.dtype)).round().long()


@exercise.mistake(
    "The positions are right, but you return a column. A list of positions has only one dimension.",
    "What does `keepdim=True` do to a shape?",
)
def in_a_column(weights: Tensor) -> Tensor:
    return weights.argmax(-1, keepdim=True)


@exercise.mistake(
    "You mark each sound's letter in a matrix. Return the letter's position, one number per sound.",
    "If a sound's row in your matrix is 0, 0, 1, 0, what is the position of its letter?",
)
def marked_in_a_table(weights: Tensor) -> Tensor:
    return (torch.arange(weights.shape[1]) == weights.argmax(-1, keepdim=True)).long()


@exercise.mistake(
    "You sort all letters of each sound. Return only the position of the best letter.",
    "In each of your rows, is the position of the best letter the first number or the last number?",
)
def all_places_sorted(weights: Tensor) -> Tensor:
    return weights.argsort(-1)


exercise.alternative(lambda weights: weights.max(dim=1).indices)
exercise.alternative(lambda weights: torch.tensor([row.tolist().index(max(row.tolist())) for row in weights]))
exercise.alternative(lambda weights: weights.argsort(dim=1, descending=True)[:, 0])
