"""How far dot products spread, predicted."""

from __future__ import annotations

import torch

from qkvlib.exercises.kit.exercise import ExerciseBuilder, asked_once

exercise = ExerciseBuilder(
    points=1,
    hints=(
        "Start with the variance of one product of two independent numbers of mean 0 and variance 1.",
        "The variances of independent terms add up.",
        "variance of one product, times the number of products in the sum",
    ),
)


@exercise.reference
def predict_variance() -> float:
    """The variance of q . k when both have 64 independent numbers of variance 1."""
    return 64.0


exercise.cases(asked_once)


@exercise.mistake(
    "Your answer is the variance of a single product. But a dot product sums many products.",
    "How many products are added in the dot product of these two vectors?",
)
def variance_of_one_product() -> float:
    return 1


@exercise.mistake(
    "Your answer is the standard deviation, the square root of the variance. The scores are divided by the "
    "standard deviation, but the question is about the variance.",
    "If the standard deviation is 8, what is the variance?",
)
def standard_deviation() -> float:
    return 8


@exercise.mistake(
    "You add up the variances of all the numbers in the query and the key. But these numbers are first "
    "multiplied in pairs.",
    "What is the variance of one product of two independent numbers of variance 1?",
)
def both_added() -> float:
    return 128


@exercise.mistake(
    "You square the number of terms. But the variances of independent terms simply add up.",
    "The sum of two independent terms of variance 1 has variance 2. What is the variance of the sum of "
    "three such terms?",
)
def variances_multiplied() -> float:
    return 4096


exercise.alternative(lambda: 64)
exercise.alternative(lambda: torch.tensor(64))
exercise.alternative(lambda: 8**2)
