"""How many numbers a block holds."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from qkvlib.exercises.kit.exercise import Case, ExerciseBuilder

exercise = ExerciseBuilder(
    points=1,
    builds_on=("encoder_block",),
    hints=(
        "List the eleven weights of `encoder_block` with their shapes.",
        "Four matrices of attention, two of the feed-forward part, one bias, and the gain and shift of two "
        "norms.",
        "4 times d_model squared, plus 2 times d_model d_ff, plus d_ff, plus 4 times d_model",
    ),
)


@exercise.reference
def count_parameters(d_model: int, n_heads: int, d_ff: int) -> int:
    """How many numbers `encoder_block` trains: four w, w_1, b_1, w_2, and two layer norms."""
    attention = 4 * d_model * d_model
    feed_forward = 2 * d_model * d_ff + d_ff
    return attention + feed_forward + 4 * d_model


@exercise.cases
def cases(generator: torch.Generator) -> list[Case]:
    def any_size() -> tuple[int, int, int]:
        d_k, h, d_ff = torch.randint(2, 40, (3,), generator=generator).tolist()
        return d_k * h, h, 8 * d_ff + 1

    sizes = [(2, 2, 3), (4, 2, 16), (512, 8, 2048), *(any_size() for _ in range(4))]
    return [Case(f"d_model {d}, {h} heads, d_ff {ff}", (d, h, ff)) for d, h, ff in sizes]


@exercise.mistake(
    "You count the four attention matrices once for each head, but one set serves all heads.",
    "If a layer has 16 heads instead of 8, with the same d_model, does the layer hold more numbers?",
)
def once_for_each_head(d_model: int, n_heads: int, d_ff: int) -> int:
    return count_parameters(d_model, n_heads, d_ff) + 4 * (n_heads - 1) * d_model**2


@exercise.mistake(
    "One matrix of d_model times d_model is missing, probably w_o.",
    "How many weight matrices does attention have?",
)
def w_o_missing(d_model: int, n_heads: int, d_ff: int) -> int:
    return count_parameters(d_model, n_heads, d_ff) - d_model**2


@exercise.mistake(
    "The layer norms are missing. Each layer norm has a gain and a shift for every feature.",
    "How many numbers does one layer norm have, and how many norms does a block have?",
)
def norms_missing(d_model: int, n_heads: int, d_ff: int) -> int:
    return count_parameters(d_model, n_heads, d_ff) - 4 * d_model


@exercise.mistake(
    "You count only the six matrices. The bias b_1 is missing, and so are the gain and shift of both norms.",
    "Which of the eleven weights in w are not matrices?",
)
def matrices_alone(d_model: int, n_heads: int, d_ff: int) -> int:
    return count_parameters(d_model, n_heads, d_ff) - d_ff - 4 * d_model


@exercise.mistake(
    "You count only half of the numbers of the layer norms.",
    "How many layer norms does a block have, and which numbers does each layer norm train?",
)
def one_norm_missing(d_model: int, n_heads: int, d_ff: int) -> int:
    return count_parameters(d_model, n_heads, d_ff) - 2 * d_model


@exercise.mistake(
    "The bias b_1 is missing.",
    "How many numbers does b_1 have?",
)
def bias_missing(d_model: int, n_heads: int, d_ff: int) -> int:
    return count_parameters(d_model, n_heads, d_ff) - d_ff


@exercise.mistake(
    "You count only one matrix of the feed-forward part. But this part has two matrices, one up to d_ff and "
    "one down to d_model.",
    "What is the shape of w_2?",
)
def one_way_only(d_model: int, n_heads: int, d_ff: int) -> int:
    return count_parameters(d_model, n_heads, d_ff) - d_model * d_ff


@exercise.mistake(
    "Your count is too large by d_model. Did you count a bias b_2? This block has no b_2.",
    "Read the formula relu(y w_1 + b_1) w_2. How many biases are in it?",
)
def second_bias(d_model: int, n_heads: int, d_ff: int) -> int:
    return count_parameters(d_model, n_heads, d_ff) + d_model


@exercise.mistake(
    "You count each gain and each shift as a single number. But each gain and each shift has one number per "
    "feature.",
    "How many numbers do the two layer norms have together?",
)
def norms_of_one_number(d_model: int, n_heads: int, d_ff: int) -> int:
    return count_parameters(d_model, n_heads, d_ff) - 4 * d_model + 4


@exercise.mistake(
    "You count biases for the four matrices of attention. But attention has no biases in this block.",
    "Which names in w belong to attention?",
)
def attention_with_biases(d_model: int, n_heads: int, d_ff: int) -> int:
    return count_parameters(d_model, n_heads, d_ff) + 4 * d_model


@exercise.mistake(
    "You count biases for every matrix. But this block has only one bias, b_1.",
    "After which matrix product is b_1 added?",
)
def biases_everywhere(d_model: int, n_heads: int, d_ff: int) -> int:
    return count_parameters(d_model, n_heads, d_ff) + 5 * d_model


@exercise.mistake(
    "You count only one head's part of the attention matrices. Count the parts of all heads.",
    "How many columns does w_q have, for all heads together?",
)
def one_head_only(d_model: int, n_heads: int, d_ff: int) -> int:
    return count_parameters(d_model, n_heads, d_ff) - 4 * d_model * (d_model - d_model // n_heads)


@exercise.mistake(
    "The bias b_1 is missing, and so are half of the numbers of the layer norms.",
    "Which of the eleven weights in w are not matrices?",
)
def bias_and_one_norm_missing(d_model: int, n_heads: int, d_ff: int) -> int:
    return count_parameters(d_model, n_heads, d_ff) - d_ff - 2 * d_model


@exercise.alternative
def _count_by_shapes(d_model: int, n_heads: int, d_ff: int) -> int:
    shapes = [(d_model, d_model)] * 4 + [(d_model, d_ff), (d_ff,), (d_ff, d_model)]
    return sum(math.prod(shape) for shape in shapes + [(d_model,)] * 4)


@exercise.alternative
def _count_by_heads(d_model: int, n_heads: int, d_ff: int) -> int:
    d_k = d_model // n_heads
    one_head = 3 * d_model * d_k + d_k * d_model
    return n_heads * one_head + d_ff * (2 * d_model + 1) + 2 * (d_model + d_model)


@exercise.alternative
def _count_by_tensor(d_model: int, n_heads: int, d_ff: int) -> Tensor:
    return torch.tensor(4 * d_model * (d_model + 1) + d_ff * (1 + 2 * d_model))
