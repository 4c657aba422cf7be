"""What a block costs."""

from __future__ import annotations

import torch
from torch import Tensor

from qkvlib.exercises.kit.exercise import Case, ExerciseBuilder

exercise = ExerciseBuilder(
    points=1,
    builds_on=("count_parameters",),
    hints=(
        "Multiplying [a, b] by [b, c] takes a times b times c multiply-adds. List the block's "
        "matrix products.",
        "Eight products: four projections, the scores, the blend, two in the feed-forward part.",
        "4 times n d_model d_model, 2 times n n d_model, 2 times n d_model d_ff; add them up",
    ),
)


@exercise.reference
def count_multiply_adds(n: int, d_model: int, d_ff: int) -> int:
    """How many multiply-adds the matrix products of one block cost for a sentence of n words."""
    projections = 4 * n * d_model * d_model
    scores_and_blend = 2 * n * n * d_model
    return projections + scores_and_blend + 2 * n * d_model * d_ff


@exercise.cases
def cases(generator: torch.Generator) -> list[Case]:
    def any_size() -> tuple[int, ...]:
        return tuple(torch.randint(3, 300, (3,), generator=generator).tolist())

    sizes = [(3, 2, 4), (10, 64, 256), (1000, 512, 2048), *(any_size() for _ in range(4))]
    return [Case(f"{n} words, d_model {d}, d_ff {ff}", (n, d, ff)) for n, d, ff in sizes]


@exercise.mistake(
    "The scores and the blend are missing: Q K^T and A V. These two products grow with the square of the "
    "sentence's length.",
    "How many dot products does a score matrix of n by n take?",
)
def scores_missing(n: int, d_model: int, d_ff: int) -> int:
    return count_multiply_adds(n, d_model, d_ff) - 2 * n * n * d_model


@exercise.mistake(
    "You count the product for the scores or the product for the blend, but not both products. Both products "
    "cost the same.",
    "Which two matrices does each of these products multiply?",
)
def blend_missing(n: int, d_model: int, d_ff: int) -> int:
    return count_multiply_adds(n, d_model, d_ff) - n * n * d_model


@exercise.mistake(
    "You count only one word. But every word is projected and goes through the feed-forward part.",
    "How many rows does x have?",
)
def one_word_only(n: int, d_model: int, d_ff: int) -> int:
    return 4 * d_model**2 + 2 * n * d_model + 2 * d_model * d_ff


@exercise.mistake(
    "You count multiplications and additions separately, so your number is twice as large. Count each "
    "multiplication and the addition after it together, as one.",
    "How many multiply-adds does a dot product of 3 numbers take?",
)
def counted_twice(n: int, d_model: int, d_ff: int) -> int:
    return 2 * count_multiply_adds(n, d_model, d_ff)


@exercise.mistake(
    "A projection is missing, probably w_o, which costs as much as w_q.",
    "How many weight matrices does attention have?",
)
def w_o_not_counted(n: int, d_model: int, d_ff: int) -> int:
    return count_multiply_adds(n, d_model, d_ff) - n * d_model**2


@exercise.mistake(
    "The feed-forward part has two products, one up to d_ff and one down to d_model, but you count only one "
    "of these products.",
    "What is the shape of w_2?",
)
def one_product_of_two(n: int, d_model: int, d_ff: int) -> int:
    return count_multiply_adds(n, d_model, d_ff) - n * d_model * d_ff


@exercise.mistake(
    "The feed-forward part is missing: two products, one up to d_ff and one down to d_model.",
    "Where does d_ff occur in your formula?",
)
def feed_forward_missing(n: int, d_model: int, d_ff: int) -> int:
    return count_multiply_adds(n, d_model, d_ff) - 2 * n * d_model * d_ff


@exercise.mistake(
    "You count only one multiply-add for each score, and only one for each weight of the blend. But a score "
    "is a dot product, and a weight multiplies a whole value.",
    "How many multiply-adds does one dot product of d_model numbers take?",
)
def scores_of_one_product(n: int, d_model: int, d_ff: int) -> int:
    return count_multiply_adds(n, d_model, d_ff) - 2 * n * n * (d_model - 1)


@exercise.mistake(
    "You count the scores and the blend for only one query, but there are n queries.",
    "How many rows does the score matrix have, and how many columns?",
)
def one_query_only(n: int, d_model: int, d_ff: int) -> int:
    return count_multiply_adds(n, d_model, d_ff) - 2 * n * n * d_model + 2 * n * d_model


@exercise.mistake(
    "You count the bias b_1. But b_1 is only added, never multiplied.",
    "Which steps of a block are matrix products?",
)
def bias_counted(n: int, d_model: int, d_ff: int) -> int:
    return count_multiply_adds(n, d_model, d_ff) + n * d_ff


@exercise.alternative
def _cost_by_products(n: int, d_model: int, d_ff: int) -> int:
    products = [(n, d_model, d_model)] * 4 + [(n, d_model, n), (n, n, d_model)]
    products += [(n, d_model, d_ff), (n, d_ff, d_model)]
    return sum(rows * inner * columns for rows, inner, columns in products)


@exercise.alternative
def _cost_by_words(n: int, d_model: int, d_ff: int) -> int:
    return sum(2 * d_model * (2 * d_model + n + d_ff) for _ in range(n))


@exercise.alternative
def _cost_by_tensor(n: int, d_model: int, d_ff: int) -> Tensor:
    return torch.tensor(2 * n * d_model) * (2 * d_model + n + d_ff)
