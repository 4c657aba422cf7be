"""The dot product of two vectors."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from qkvlib import attention
from qkvlib.exercises.kit.exercise import Case, ExerciseBuilder

exercise = ExerciseBuilder(
    points=1,
    hints=(
        "One number comes out. Start a running total at zero.",
        "Go through the positions 0, 1, 2, ... At each position, multiply a's number by b's number and add "
        "the product to the total.",
        "total = 0; for each i in range(len(a)): add a[i] times b[i] to total; return total",
    ),
)

exercise.reference(attention.dot)


@exercise.cases
def cases(generator: torch.Generator) -> list[Case]:
    def vector(d: int, scale: float = 1.0) -> Tensor:
        return scale * torch.randn(d, generator=generator)

    return [
        Case(
            "two short vectors of whole numbers",
            (torch.tensor([1.0, 2.0, -3.0]), torch.tensor([4.0, -5.0, 2.0])),
        ),
        Case("two perpendicular vectors", (torch.tensor([2.0, 1.0]), torch.tensor([-1.0, 2.0]))),
        Case("two random vectors of 5 numbers", (vector(5), vector(5))),
        Case("vectors of a single number", (vector(1), vector(1))),
        Case("a vector with itself", (vector(4),) * 2),
        Case("large numbers", (vector(7, 1e3), vector(7, 1e3))),
        Case("tiny numbers", (vector(7, 1e-3), vector(7, 1e-3))),
        Case("every second entry of a longer vector", (vector(12)[::2], vector(6))),
    ]


@exercise.mistake(
    "You return one product for each pair of numbers. But a dot product is one number, the sum of these "
    "products.",
    "(1, 2) and (3, 4) give the products 3 and 8. Which single number is the dot product?",
)
def products_not_summed(a: Tensor, b: Tensor) -> Tensor:
    return a * b


@exercise.mistake(
    "You add the two vectors and sum the result. But a dot product first multiplies the numbers pair by "
    "pair.",
    "(1, 0) and (0, 1) are perpendicular. What should their dot product be, and what does your function "
    "give?",
)
def added_not_multiplied(a: Tensor, b: Tensor) -> Tensor:
    return (a + b).sum()


@exercise.mistake(
    "You return only the first product. Probably `return` is inside the loop.",
    "How many times does a loop run when its body ends with `return`?",
)
def returned_too_early(a: Tensor, b: Tensor) -> Tensor:
    return a[0] * b[0]


@exercise.mistake(
    "You return only the last product, because each round of the loop overwrites the previous product.",
    "What is the difference between `total = x` and `total += x`?",
)
def overwritten_not_added(a: Tensor, b: Tensor) -> Tensor:
    return a[-1] * b[-1]


@exercise.mistake(
    "Your sum leaves out the last pair. `range(n)` already ends at n - 1.",
    "Which indices does `range(len(a) - 1)` visit when a has 3 numbers?",
)
def last_pair_left_out(a: Tensor, b: Tensor) -> Tensor:
    return a[:-1] @ b[:-1]


@exercise.mistake(
    "Your sum leaves out the first pair. Python counts from 0.",
    "Which indices does `range(1, len(a))` visit when a has 3 numbers?",
)
def first_pair_left_out(a: Tensor, b: Tensor) -> Tensor:
    return a[1:] @ b[1:]


@exercise.mistake(
    "You divide by the lengths. The result is the cosine, which comes later in this chapter. But in a dot "
    "product the lengths count.",
    "If a becomes twice as long, what happens to the dot product, and what happens to your result?",
)
def cosine_for_dot(a: Tensor, b: Tensor) -> Tensor:
    return (a @ b) / (a.norm() * b.norm())


@exercise.mistake(
    "You average the products. But a dot product is the sum of the products.",
    "What is the dot product of (1, 1) with (1, 1), and what does your function give?",
)
def mean_for_sum(a: Tensor, b: Tensor) -> Tensor:
    return (a * b).mean()


@exercise.mistake(
    "Your result never uses b: you multiply a by itself.",
    "If only b changes, should the dot product change?",
)
def a_with_itself(a: Tensor, b: Tensor) -> Tensor:
    return a @ a


@exercise.mistake(
    "You take absolute values, so the sign is lost. But a dot product below zero means that the two vectors "
    "point away from each other.",
    "What is the dot product of (1, 0) and (-1, 0)?",
)
def absolute_products(a: Tensor, b: Tensor) -> Tensor:
    return (a * b).abs().sum()


@exercise.mistake(
    "You add up squared differences. Their sum is the squared distance, which is small for vectors that are "
    "alike. But a dot product is a sum of products.",
    "What does your function give for (1, 0) with itself, and what should the dot product be?",
)
def squared_distance(a: Tensor, b: Tensor) -> Tensor:
    return ((a - b) ** 2).sum()


@exercise.mistake(
    "You multiply only the first two pairs. But a vector can have any number of entries.",
    "How can a function visit every pair, whatever the length of the vectors?",
)
def first_two_pairs_only(a: Tensor, b: Tensor) -> Tensor:
    return a[0] * b[0] + a[1] * b[1]


@exercise.mistake(
    "You sum each vector and multiply the two sums. But a dot product first multiplies the numbers pair by "
    "pair, and then sums the products.",
    "The vectors (1, 0) and (0, 1) have the sums 1 and 1. What should the dot product of the two vectors be?",
)
def sums_multiplied(a: Tensor, b: Tensor) -> Tensor:
    return a.sum() * b.sum()


@exercise.mistake(
    "Your result is never below zero, because its sign is lost. But two arrows that point away from each "
    "other have a dot product below zero.",
    "What is the dot product of (1, 0) and (-1, 0)?",
)
def sign_taken_away(a: Tensor, b: Tensor) -> Tensor:
    return (a * b).sum().abs()


@exercise.alternative
def _dot_by_index(a: Tensor, b: Tensor) -> Any:
    total = torch.tensor(0.0)
    for i in range(len(a)):
        total = total + a[i] * b[i]
    return total


@exercise.alternative
def _dot_by_pairs(a: Tensor, b: Tensor) -> Any:
    return sum(x * y for x, y in zip(a.tolist(), b.tolist(), strict=True))


@exercise.alternative
def _dot_in_place(a: Tensor, b: Tensor) -> Tensor:
    return a.clone().mul_(b).sum()


@exercise.alternative
def _dot_by_einsum(a: Tensor, b: Tensor) -> Tensor:
    return torch.einsum("i,i->", a, b)


exercise.alternative(torch.dot)
