"""The quiz: what a head divides its scores by."""

from __future__ import annotations

import torch

from qkvlib.exercises.chapter_17._answers import one_number
from qkvlib.exercises.kit.exercise import ExerciseBuilder, asked_once

exercise = ExerciseBuilder(
    points=1,
    hints=(
        "A head divides by the root of the length of its own queries.",
        "The 64 numbers are split between the heads.",
        "d_k is d_model divided by the number of heads; then take the root",
    ),
)


@exercise.reference
def quiz_divisor() -> float:
    """A layer has d_model = 64 and 4 heads. By what number does each head divide its scores?"""
    return 4.0


exercise.cases(asked_once)
exercise.judged_by(one_number)


@exercise.mistake(
    "That is the root of d_model. But a head's dot product runs only over its own d_k numbers. Reread "
    "chapter 8, “The lines in order”.",
    "How many numbers does one head's query have?",
)
def root_of_d_model() -> float:
    return 8.0


@exercise.mistake(
    "That is d_k itself. But the scores should be divided by their standard deviation. Reread chapter "
    "2, “Why a square root?”.",
    "The variance of q · k is d_k. What is its standard deviation?",
)
def root_forgotten() -> float:
    return 16.0


@exercise.mistake(
    "That is the root of the number of heads, which does not matter for a score. Reread chapter "
    "2, “Why a square root?”.",
    "Over how many numbers does one head's dot product run?",
)
def root_of_the_heads() -> float:
    return 2.0


@exercise.mistake(
    "That is d_model. But a head's queries are shorter, and you need a square root. Reread chapter 2, "
    "“Why a square root?”.",
    "How many numbers does one head's query have?",
)
def d_model_itself() -> float:
    return 64.0


exercise.alternative(lambda: 4)
exercise.alternative(lambda: 16**0.5)
exercise.alternative(lambda: torch.tensor(16.0).sqrt())
