"""A vector for each position."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from qkvlib import positions
from qkvlib.exercises.kit.exercise import Case, ExerciseBuilder
from qkvlib.exercises.kit.random_inputs import any_size

exercise = ExerciseBuilder(
    points=2,
    hints=(
        "Each pair of columns is a hand of a clock: the sine and the cosine of the same angle.",
        "`torch.arange(0, d, 2)` gives the numbers 2i. `table[:, 0::2]` are the even columns.",
        "angle = position divided by 10000 to the power 2i / d; sine in column 2i, cosine in column 2i + 1",
    ),
)

exercise.reference(positions.positional_encoding)


@exercise.cases
def cases(generator: torch.Generator) -> list[Case]:
    sizes = [(3, 4), (1, 2), (4, 4), (5, 8), (10, 6)]
    sizes += [(any_size(generator, 3, 60), 2 * any_size(generator, 2, 16)) for _ in range(3)]
    sizes.append((100, 18))  # far enough for 9999 in place of 10000 to show
    return [Case(f"n = {n}, d = {d}", (n, d)) for n, d in sizes]


def _angles(n: int, d: int, base: float = 10_000.0) -> Tensor:
    return torch.arange(n)[:, None] / base ** (torch.arange(0, d, 2) / d)


def _alternating(even: Tensor, odd: Tensor) -> Tensor:
    return torch.stack([even, odd], dim=-1).flatten(1)


@exercise.mistake(
    "In your matrix all sines come first, then all cosines. Some models use this order, but here sines and "
    "cosines alternate, because each pair of columns is one hand of a clock.",
    "Which columns are `encoding[:, 0::2]`, and what should they contain?",
)
def in_halves(n: int, d: int) -> Tensor:
    return torch.cat([_angles(n, d).sin(), _angles(n, d).cos()], dim=1)


@exercise.mistake(
    "The exponent is half of what it should be: pair i has the exponent 2i / d, but you use i / d.",
    "Columns 2 and 3 are pair 1. With d = 4, what is their exponent?",
)
def exponent_i_over_d(n: int, d: int) -> Tensor:
    angles = torch.arange(n)[:, None] / 10_000 ** (torch.arange(d // 2) / d)
    return _alternating(angles.sin(), angles.cos())


@exercise.mistake(
    "The exponent is doubled, because the numbers 0, 2, 4 of `torch.arange(0, d, 2)` are already 2i.",
    "With d = 4, what is the exponent of the second pair, and which exponent do you use?",
)
def exponent_doubled(n: int, d: int) -> Tensor:
    angles = torch.arange(n)[:, None] / 10_000 ** (2 * torch.arange(0, d, 2) / d)
    return _alternating(angles.sin(), angles.cos())


@exercise.mistake(
    "Your matrix has only sines. But you need the cosine beside each sine, because two different angles can "
    "have the same sine.",
    "Which angle between 90 and 180 degrees has the same sine as 30 degrees?",
)
def sines_only(n: int, d: int) -> Tensor:
    return _alternating(_angles(n, d).sin(), _angles(n, d).sin())


@exercise.mistake(
    "You count positions from 1. But the first position is 0, where all sines are 0 and all cosines are 1.",
    "What does `torch.arange(n)` begin with?",
)
def counted_from_one(n: int, d: int) -> Tensor:
    return positions.positional_encoding(n + 1, d)[1:]


@exercise.mistake(
    "You put the cosine first in each pair, but the sine comes first.",
    "What should the first two numbers of position 0 be?",
)
def cosine_first(n: int, d: int) -> Tensor:
    return _alternating(_angles(n, d).cos(), _angles(n, d).sin())


@exercise.mistake(
    "Your base is 1000, but the formula has 10000.",
    "With d = 4, what is the angle for columns 2 and 3 at position 1, in the formula and in your code?",
)
def another_base(n: int, d: int) -> Tensor:
    return _alternating(_angles(n, d, 1000.0).sin(), _angles(n, d, 1000.0).cos())


@exercise.mistake(
    "Each of your columns has its own frequency. But the two columns of a pair have to share a frequency, "
    "because together they are one hand of a clock.",
    "Columns 0 and 1 are one pair. What is sin^2 + cos^2 of one angle, and what do your two columns give?",
)
def own_frequency_a_column(n: int, d: int) -> Tensor:
    angles = torch.arange(n)[:, None] / 10_000 ** (torch.arange(d) / d)
    return _alternating(angles[:, 0::2].sin(), angles[:, 1::2].cos())


@exercise.mistake(
    "Your matrix is transposed: each position has a column, but should have a row.",
    "What shape should the result have for n = 3 positions and d = 4?",
)
def table_transposed(n: int, d: int) -> Tensor:
    return positions.positional_encoding(n, d).T


@exercise.mistake(
    "You multiply by the power of 10000, so the hands become faster from pair to pair. But the hands should "
    "become slower.",
    "Which hand of a clock is the slowest, and which pair of columns should be the slowest?",
)
def multiplied(n: int, d: int) -> Tensor:
    angles = torch.arange(n)[:, None] * 10_000 ** (torch.arange(0, d, 2) / d)
    return _alternating(angles.sin(), angles.cos())


@exercise.alternative
def _encoding_by_loops(n: int, d: int) -> Tensor:
    def number(t: int, column: int) -> float:
        angle = t / 10_000 ** ((column - column % 2) / d)
        return math.cos(angle) if column % 2 else math.sin(angle)

    return torch.tensor([[number(t, column) for column in range(d)] for t in range(n)])


@exercise.alternative
def _encoding_by_exp(n: int, d: int) -> Tensor:
    speed = torch.exp(torch.arange(0, d, 2).float() * (-math.log(10_000.0) / d))
    angle = torch.arange(n).float().unsqueeze(1) * speed
    table = torch.zeros(n, d)
    table[:, 0::2] = torch.sin(angle)
    table[:, 1::2] = torch.cos(angle)
    return table


@exercise.alternative
def _encoding_by_shift(n: int, d: int) -> Any:
    """A cosine is a sine a quarter of a turn ahead."""
    pair = torch.arange(d) // 2
    angle = torch.arange(n)[:, None] / torch.pow(torch.tensor(10_000.0), 2 * pair / d)
    return torch.sin(angle + (torch.arange(d) % 2) * (math.pi / 2))
