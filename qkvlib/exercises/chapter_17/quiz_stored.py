"""The quiz: how many numbers a layer stores."""

from __future__ import annotations

import torch

from qkvlib.exercises.chapter_17._answers import one_number
from qkvlib.exercises.kit.exercise import ExerciseBuilder, asked_once

exercise = ExerciseBuilder(
    points=1,
    hints=(
        "Count the weight matrices, and the numbers in each.",
        "The number of heads makes no difference.",
        "four matrices, each with d_model rows and d_model columns",
    ),
)


@exercise.reference
def quiz_stored() -> int:
    """The same layer, d_model = 64 and 4 heads, without biases. How many numbers does it store?"""
    return 16384


exercise.cases(asked_once)
exercise.judged_by(one_number)


@exercise.mistake(
    "Those are only three matrices: W_Q, W_K and W_V. Reread chapter 8, “What W_O does”.",
    "Which matrix mixes what the heads have found?",
)
def w_o_forgotten() -> int:
    return 12288


@exercise.mistake(
    "You give each head matrices of 64 by 64. But the heads share the width: their matrices side by side "
    "are one matrix of 64 by 64. Reread chapter 8, “What many heads cost”.",
    "How many columns of W_Q belong to one head?",
)
def a_full_layer_for_each_head() -> int:
    return 65536


@exercise.mistake(
    "That is one matrix of 64 by 64, or one head's part of all four matrices. Reread chapter 8, “What "
    "many heads cost”.",
    "How many matrices are there, and how large is each for all heads together?",
)
def one_head_alone() -> int:
    return 4096


@exercise.mistake(
    "The attention *operation* has no parameters, but the layer also has weight matrices. Reread "
    "chapter 2, “What is there to train?”.",
    "How large is W_Q?",
)
def nothing() -> int:
    return 0


exercise.alternative(lambda: 4 * 64 * 64)
exercise.alternative(lambda: 16384.0)
exercise.alternative(lambda: torch.tensor(16384))
