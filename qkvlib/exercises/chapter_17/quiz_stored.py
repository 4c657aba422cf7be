"""The quiz: how many numbers a layer stores."""

from __future__ import annotations

import torch

from qkvlib.exercises.chapter_17._answers import one_number
from qkvlib.exercises.kit.exercise import ExerciseBuilder, asked_once

exercise = ExerciseBuilder(
    points=1,
    hints=(
        "Count tables, and the numbers in each.",
        "How many heads there are makes no difference.",
        "four tables, each of d_model rows and d_model columns",
    ),
)


@exercise.reference
def quiz_stored() -> int:
    """The same layer, d_model = 64 and 4 heads, without biases. How many numbers does it store?"""
    return 16384


exercise.cases(asked_once)
exercise.judged_by(one_number)


@exercise.mistake(
    "Those are W_Q, W_K and W_V. There is a fourth table, W_O. Read again: chapter 8, “What W_O does”.",
    "Which table reads what the heads have found?",
)
def w_o_forgotten() -> int:
    return 12288


@exercise.mistake(
    "You give each head tables of 64 by 64. The heads share the width: their tables side by side "
    "make one of 64 by 64. Read again: chapter 8, “What many heads cost”.",
    "How many columns of W_Q belong to one head?",
)
def a_full_layer_for_each_head() -> int:
    return 65536


@exercise.mistake(
    "That is one table of 64 by 64, or what one head has of all four. Read again: chapter 8, "
    "“What many heads cost”.",
    "How many tables are there, and how large is each for all heads together?",
)
def one_head_alone() -> int:
    return 4096


@exercise.mistake(
    "The *operation* has no parameters. The layer has the tables around it. Read again: chapter "
    "2, “What is there to train?”.",
    "Where are W_Q and its kin?",
)
def nothing() -> int:
    return 0


exercise.alternative(lambda: 4 * 64 * 64)
exercise.alternative(lambda: 16384.0)
exercise.alternative(lambda: torch.tensor(16384))
