"""Chapter 11, The whole layer: what a block costs."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from qkvlib.exercises.kit.exercise import Case, Exercise, mistake

# --- count_parameters -----------------------------------------------------------------------


def count_parameters(d_model: int, n_heads: int, d_ff: int) -> int:
    """How many numbers `encoder_block` trains: four w, w_1, b_1, w_2, and two layer norms."""
    attention = 4 * d_model * d_model
    feed_forward = 2 * d_model * d_ff + d_ff
    return attention + feed_forward + 4 * d_model


def _count_cases(generator: torch.Generator) -> list[Case]:
    def any_size() -> tuple[int, int, int]:
        d_k, h, d_ff = torch.randint(2, 40, (3,), generator=generator).tolist()
        return d_k * h, h, 8 * d_ff + 1

    sizes = [(2, 2, 3), (4, 2, 16), (512, 8, 2048), *(any_size() for _ in range(4))]
    return [Case(f"d_model {d}, {h} heads, d_ff {ff}", (d, h, ff)) for d, h, ff in sizes]


@mistake(
    "You count the four attention matrices once for each head. The heads share them.",
    "If 8 heads are made 16 and d_model stays, does a layer get larger?",
)
def once_for_each_head(d_model: int, n_heads: int, d_ff: int) -> int:
    return count_parameters(d_model, n_heads, d_ff) + 4 * (n_heads - 1) * d_model**2


@mistake(
    "w_o is missing.",
    "How many matrices does attention have?",
)
def w_o_missing(d_model: int, n_heads: int, d_ff: int) -> int:
    return count_parameters(d_model, n_heads, d_ff) - d_model**2


@mistake(
    "The layer norms are missing: each has a gain and a shift for every feature.",
    "How many numbers has one layer norm, and how many norms has a block?",
)
def norms_missing(d_model: int, n_heads: int, d_ff: int) -> int:
    return count_parameters(d_model, n_heads, d_ff) - 4 * d_model


@mistake(
    "You count one layer norm. A block has two.",
    "What comes before attention, and what before the feed-forward part?",
)
def one_norm_missing(d_model: int, n_heads: int, d_ff: int) -> int:
    return count_parameters(d_model, n_heads, d_ff) - 2 * d_model


@mistake(
    "The bias b_1 is missing.",
    "What is added between w_1 and relu?",
)
def bias_missing(d_model: int, n_heads: int, d_ff: int) -> int:
    return count_parameters(d_model, n_heads, d_ff) - d_ff


@mistake(
    "You count one matrix of the feed-forward part. It goes up to d_ff and down again.",
    "What is the shape of w_2?",
)
def one_way_only(d_model: int, n_heads: int, d_ff: int) -> int:
    return count_parameters(d_model, n_heads, d_ff) - d_model * d_ff


@mistake(
    "You count a bias b_2, which this block does not have.",
    "Read the formula relu(y w_1 + b_1) w_2. How many biases are in it?",
)
def second_bias(d_model: int, n_heads: int, d_ff: int) -> int:
    return count_parameters(d_model, n_heads, d_ff) + d_model


def _count_by_shapes(d_model: int, n_heads: int, d_ff: int) -> int:
    shapes = [(d_model, d_model)] * 4 + [(d_model, d_ff), (d_ff,), (d_ff, d_model)]
    return sum(math.prod(shape) for shape in shapes + [(d_model,)] * 4)


def _count_by_heads(d_model: int, n_heads: int, d_ff: int) -> int:
    d_k = d_model // n_heads
    one_head = 3 * d_model * d_k + d_k * d_model
    return n_heads * one_head + d_ff * (2 * d_model + 1) + 2 * (d_model + d_model)


def _count_by_tensor(d_model: int, n_heads: int, d_ff: int) -> Tensor:
    return torch.tensor(4 * d_model * (d_model + 1) + d_ff * (1 + 2 * d_model))


COUNT_PARAMETERS = Exercise(
    chapter=11,
    points=1,
    reference=count_parameters,
    cases=_count_cases,
    mistakes=(
        once_for_each_head,
        w_o_missing,
        norms_missing,
        one_norm_missing,
        bias_missing,
        one_way_only,
        second_bias,
    ),
    alternatives=(_count_by_shapes, _count_by_heads, _count_by_tensor),
    hints=(
        "List the eleven weights of `encoder_block` with their shapes.",
        "Four matrices of attention, two of the feed-forward part, one bias, and gain and shift "
        "of two norms.",
        "4 d_model squared, plus 2 d_model d_ff, plus d_ff, plus 4 d_model",
    ),
    builds_on=("encoder_block",),
)

# --- count_multiply_adds --------------------------------------------------------------------


def count_multiply_adds(n: int, d_model: int, d_ff: int) -> int:
    """How many multiply-adds the matrix products of one block cost for a sentence of n words."""
    projections = 4 * n * d_model * d_model
    scores_and_blend = 2 * n * n * d_model
    return projections + scores_and_blend + 2 * n * d_model * d_ff


def _cost_cases(generator: torch.Generator) -> list[Case]:
    def any_size() -> tuple[int, ...]:
        return tuple(torch.randint(3, 300, (3,), generator=generator).tolist())

    sizes = [(3, 2, 4), (10, 64, 256), (1000, 512, 2048), *(any_size() for _ in range(4))]
    return [Case(f"{n} words, d_model {d}, d_ff {ff}", (n, d, ff)) for n, d, ff in sizes]


@mistake(
    "The scores and the blend are missing: Q K^T and A V. They are what grows with the square of "
    "the sentence.",
    "How many dot products does a table of n by n scores take?",
)
def scores_missing(n: int, d_model: int, d_ff: int) -> int:
    return count_multiply_adds(n, d_model, d_ff) - 2 * n * n * d_model


@mistake(
    "You count the scores or the blend, but not both: Q K^T costs as much as A V.",
    "After softmax there is one more product. Which?",
)
def blend_missing(n: int, d_model: int, d_ff: int) -> int:
    return count_multiply_adds(n, d_model, d_ff) - n * n * d_model


@mistake(
    "You count for one word. Every word is projected and thinks.",
    "How many rows has x?",
)
def one_word_only(n: int, d_model: int, d_ff: int) -> int:
    return 4 * d_model**2 + 2 * n * d_model + 2 * d_model * d_ff


@mistake(
    "Multiplications and additions are counted apart, so your number is twice too large. "
    "A multiply-add counts once.",
    "How many multiply-adds does a dot product of 3 numbers take?",
)
def counted_twice(n: int, d_model: int, d_ff: int) -> int:
    return 2 * count_multiply_adds(n, d_model, d_ff)


@mistake(
    "One of the four projections is missing: w_o costs as much as w_q.",
    "How many matrices does attention have?",
)
def w_o_not_counted(n: int, d_model: int, d_ff: int) -> int:
    return count_multiply_adds(n, d_model, d_ff) - n * d_model**2


@mistake(
    "The feed-forward part has two products, up to d_ff and down again. You count one.",
    "What is the shape of w_2?",
)
def one_product_of_two(n: int, d_model: int, d_ff: int) -> int:
    return count_multiply_adds(n, d_model, d_ff) - n * d_model * d_ff


def _cost_by_products(n: int, d_model: int, d_ff: int) -> int:
    products = [(n, d_model, d_model)] * 4 + [(n, d_model, n), (n, n, d_model)]
    products += [(n, d_model, d_ff), (n, d_ff, d_model)]
    return sum(rows * inner * columns for rows, inner, columns in products)


def _cost_by_words(n: int, d_model: int, d_ff: int) -> int:
    return sum(2 * d_model * (2 * d_model + n + d_ff) for _ in range(n))


def _cost_by_tensor(n: int, d_model: int, d_ff: int) -> Tensor:
    return torch.tensor(2 * n * d_model) * (2 * d_model + n + d_ff)


COUNT_MULTIPLY_ADDS = Exercise(
    chapter=11,
    points=1,
    reference=count_multiply_adds,
    cases=_cost_cases,
    mistakes=(
        scores_missing,
        blend_missing,
        one_word_only,
        counted_twice,
        w_o_not_counted,
        one_product_of_two,
    ),
    alternatives=(_cost_by_products, _cost_by_words, _cost_by_tensor),
    hints=(
        "A product of [a, b] with [b, c] takes a b c multiply-adds. List the products.",
        "Eight products: four projections, the scores, the blend, two in the feed-forward part.",
        "4 times n d_model d_model, 2 times n n d_model, 2 times n d_model d_ff; add them up",
    ),
    builds_on=("count_parameters",),
)

EXERCISES = (COUNT_PARAMETERS, COUNT_MULTIPLY_ADDS)
