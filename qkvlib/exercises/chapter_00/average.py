"""The average of some numbers: one small exercise to try the checks and the hints on."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from qkvlib.exercises.kit.exercise import Case, ExerciseBuilder
from qkvlib.exercises.kit.random_inputs import normal, scattered

exercise = ExerciseBuilder(
    points=1,
    hints=(
        "An average is what each would have if all had the same.",
        "`numbers.sum()` adds them up, and `len(numbers)` says how many there are.",
        "the sum of the numbers, divided by how many there are",
    ),
)


@exercise.reference
def average(numbers: Tensor) -> Tensor:
    """The average of some numbers: their sum, divided by how many they are."""
    return numbers.sum() / len(numbers)


@exercise.cases
def cases(generator: torch.Generator) -> list[Case]:
    return [
        Case("three whole numbers", (torch.tensor([1.0, 2.0, 6.0]),)),
        Case("four whole numbers, not in order", (torch.tensor([9.0, 1.0, 2.0, 4.0]),)),
        Case("a single number", (torch.tensor([5.0]),)),
        Case("seven random numbers", (normal(generator, 7),)),
        Case("large numbers", (normal(generator, 5, scale=1e3),)),
        Case("numbers that are not stored in a row", (scattered(normal(generator, 4, 2))[:, 0],)),
    ]


@exercise.mistake(
    "You return the sum. An average is the sum, divided by how many numbers there are.",
    "Can the average of 1, 2 and 6 be larger than 6?",
)
def sum_alone(numbers: Tensor) -> Tensor:
    return numbers.sum()


@exercise.mistake(
    "You divide by three, also when there are more numbers, or fewer.",
    "What does `len(numbers)` say?",
)
def divided_by_three(numbers: Tensor) -> Tensor:
    return numbers.sum() / 3


@exercise.mistake(
    "You divide by one too few.",
    "How many numbers are 1, 2 and 6?",
)
def one_too_few(numbers: Tensor) -> Tensor:
    return numbers.sum() / (len(numbers) - 1)


@exercise.mistake(
    "You take the number in the middle. That is the median, which does not care how large the largest is.",
    "If the 6 in 1, 2 and 6 were 60, should the average change?",
)
def middle(numbers: Tensor) -> Tensor:
    return numbers.median()


@exercise.mistake(
    "You take the point halfway between the smallest and the largest. The others count, too.",
    "What are the averages of 1, 2, 6 and of 1, 5, 6?",
)
def halfway(numbers: Tensor) -> Tensor:
    return (numbers.min() + numbers.max()) / 2


@exercise.mistake(
    "You divide by one too many.",
    "How many numbers are 1, 2 and 6?",
)
def one_too_many(numbers: Tensor) -> Tensor:
    return numbers.sum() / (len(numbers) + 1)


@exercise.mistake(
    "The first number is not added. Python counts from 0, so `range(1, n)` begins with the second.",
    "Which is the first number that `range(1, 3)` gives?",
)
def first_left_out(numbers: Tensor) -> Tensor:
    return numbers[1:].sum() / len(numbers)


@exercise.mistake(
    "You divide each number, and do not add them up.",
    "How many numbers is an average?",
)
def not_added_up(numbers: Tensor) -> Tensor:
    return numbers / len(numbers)


@exercise.mistake(
    "A number below zero counts as one above it, with its sign taken away.",
    "What is the average of -3 and 3?",
)
def signs_taken_away(numbers: Tensor) -> Tensor:
    return numbers.abs().sum() / len(numbers)


@exercise.mistake(
    "Only the first number is in your result, divided by how many there are. A `return` inside a "
    "loop does that.",
    "How often does a loop run, when its first round ends with `return`?",
)
def first_alone(numbers: Tensor) -> Tensor:
    return numbers[0] / len(numbers)


@exercise.alternative
def _by_loop(numbers: Tensor) -> Any:
    total: Any = 0
    for number in numbers:
        total = total + number
    return total / len(numbers)


exercise.alternative(lambda numbers: numbers.mean())
exercise.alternative(lambda numbers: float(numbers.mean()))
exercise.alternative(lambda numbers: sum(numbers.tolist()) / len(numbers))
