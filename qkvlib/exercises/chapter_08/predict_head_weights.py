"""How many numbers a layer of heads holds, predicted."""

from __future__ import annotations

import torch

from qkvlib.exercises.kit.exercise import ExerciseBuilder, asked_once

exercise = ExerciseBuilder(
    points=1,
    hints=(
        "Write the shape of each of the four matrices.",
        "One head's W_Q is 512 by 64. Eight such matrices, side by side, make up the whole W_Q.",
        "rows times columns of one matrix, times the number of matrices",
    ),
)


@exercise.reference
def predict_head_weights() -> float:
    """How many numbers W_Q, W_K, W_V and W_O hold: d_model 512, 8 heads of width 64, no biases."""
    return 4 * 512 * 512


exercise.cases(asked_once)


@exercise.mistake(
    "You count a whole 512 by 512 matrix for each head. But all heads share one such matrix, and each head "
    "has 64 of its columns.",
    "How wide are 8 heads of width 64, side by side?",
)
def a_whole_matrix_for_each_head() -> float:
    return 4 * 8 * 512 * 512


@exercise.mistake(
    "You leave out W_O.",
    "Which matrix mixes the heads' outputs, and what is its shape?",
)
def without_w_o() -> float:
    return 3 * 512 * 512


@exercise.mistake(
    "Either your matrices have 64 rows, as if each head saw only its own piece of x, or you count just one "
    "head. But there are 8 heads, and every head sees all 512 numbers.",
    "What is the shape of one head's W_Q, if it turns a word of 512 numbers into a query of 64?",
)
def pieces_of_x() -> float:
    return 4 * 8 * 64 * 64


@exercise.mistake(
    "You count only one matrix.",
    "How many weight matrices does an attention layer have?",
)
def one_matrix() -> float:
    return 512 * 512


exercise.alternative(lambda: 1_048_576)
exercise.alternative(lambda: torch.tensor(1_048_576))
exercise.alternative(lambda: 4 * 8 * 512 * 64)
