"""Chapter 8, Many heads: lines to put in order, and numbers to predict."""

from __future__ import annotations

from typing import Any

import torch

from qkvlib.exercises.kit.exercise import Exercise, asked_once, mistake
from qkvlib.exercises.kit.puzzle import Puzzle
from qkvlib.exercises.kit.random_inputs import normal

# --- order_the_heads ------------------------------------------------------------------------


def _given() -> dict[str, Any]:
    generator = torch.Generator().manual_seed(8)
    b, n, h, d = 2, 3, 5, 4
    weights = {name: normal(generator, h * d, h * d) for name in ("w_q", "w_k", "w_v", "w_o")}
    return {"x": normal(generator, b, n, h * d), **weights, "b": b, "n": n, "h": h, "d": d}


HEADS_PUZZLE = Puzzle(
    lines={
        "A": "weights = scores.softmax(-1)",
        "B": "q, k, v = (t.transpose(1, 2) for t in (q, k, v))",
        "C": "output = heads.reshape(b, n, h * d) @ w_o",
        "D": "scores = q @ k.transpose(-2, -1) / math.sqrt(h * d)",
        "E": "q, k, v = x @ w_q, x @ w_k, x @ w_v",
        "F": "heads = heads.transpose(1, 2)",
        "G": "q, k, v = (t.view(b, h, n, d) for t in (q, k, v))",
        "H": "scores = q @ k.transpose(-2, -1) / math.sqrt(d)",
        "I": "heads = weights @ v",
        "J": "q, k, v = (t.view(b, n, h, d) for t in (q, k, v))",
        "K": "weights = scores.softmax(1)",
    },
    given=_given,
    result="output",
    needed=8,
    sizes={2: "b", 3: "n", 5: "h", 4: "d", 20: "h·d"},
)


def order_the_heads() -> str:
    """Multi-head attention as letters of lines, in order. Three of the eleven lines are bugs."""
    return "EJBHAIFC"


@mistake(
    "You cut the heads with line G. It has the right shape and mixes the words; there is nothing "
    "left to transpose.",
    "A word's numbers lie side by side. Which `view` keeps n before h, so that it cuts words, "
    "not sentences?",
)
def cut_across_words() -> str:
    return "EGHAIFC"


@mistake(
    "You divide by the square root of the whole width, line D.",
    "How many products does one head's dot product sum up, d or h times d?",
)
def scaled_by_whole_width() -> str:
    return "EJBDAIFC"


@mistake(
    "Softmax runs over the heads, line K.",
    "The scores are [b, h, n, n]. Which dimension counts the keys?",
)
def softmax_over_dimension_1() -> str:
    return "EJBHKIFC"


@mistake(
    "The heads are joined without coming back behind the words: line F is missing.",
    "What undoes line B?",
)
def joined_too_early() -> str:
    return "EJBHAIC"


@mistake(
    "The heads never come before the words: line B is missing, and so attention runs among the "
    "heads of each word.",
    "After line J the shape is [b, n, h, d]. Which two dimensions does `@` multiply?",
)
def attended_among_heads() -> str:
    return "EJHAIC"


@mistake(
    "You attend with the raw scores: line I needs weights, and nothing has made them yet.",
    "Which line turns scores into weights, and does it stand before line I?",
)
def softmax_too_late() -> str:
    return "EJBHIAFC"


ORDER_THE_HEADS = Exercise(
    chapter=8,
    points=2,
    reference=order_the_heads,
    cases=asked_once,
    mistakes=(
        cut_across_words,
        scaled_by_whole_width,
        softmax_over_dimension_1,
        joined_too_early,
        attended_among_heads,
        softmax_too_late,
    ),
    alternatives=(
        lambda: "E J B H A I F C",
        lambda: ["E", "J", "B", "H", "A", "I", "F", "C"],
        lambda: "e, j, b, h, a, i, f, c",
    ),
    hints=(
        "Project, cut, bring the heads forward, score, weigh, blend, bring them back, join.",
        "Three lines are bugs. Say the shape after each line, and you will see which.",
        "shapes: [b n h*d]; [b n h d]; [b h n d]; [b h n n] twice; [b h n d]; [b n h d]; [b n h*d]",
    ),
    builds_on=("split_heads", "merge_heads"),
    judged_by=HEADS_PUZZLE,
)

# --- predict_head_weights -------------------------------------------------------------------


def predict_head_weights() -> float:
    """How many numbers W_Q, W_K, W_V and W_O hold: d_model 512, 8 heads of width 64, no biases."""
    return 4 * 512 * 512


@mistake(
    "You count a whole 512 by 512 matrix for each head. The heads share it: each has 64 columns.",
    "8 heads of width 64, side by side: how wide is that?",
)
def a_whole_matrix_for_each_head() -> float:
    return 4 * 8 * 512 * 512


@mistake(
    "W_O is missing.",
    "Which matrix mixes the heads' outputs, and what is its shape?",
)
def without_w_o() -> float:
    return 3 * 512 * 512


@mistake(
    "You count matrices of 64 rows, as if each head saw only its own piece of x, or you count one "
    "head alone. Every head sees all 512 numbers.",
    "What is the shape of one head's W_Q, if it takes a word of 512 numbers to a query of 64?",
)
def pieces_of_x() -> float:
    return 4 * 8 * 64 * 64


@mistake(
    "You count one of the four matrices.",
    "How many matrices does a layer of attention have?",
)
def one_matrix() -> float:
    return 512 * 512


PREDICT_HEAD_WEIGHTS = Exercise(
    chapter=8,
    points=1,
    reference=predict_head_weights,
    cases=asked_once,
    mistakes=(a_whole_matrix_for_each_head, without_w_o, pieces_of_x, one_matrix),
    alternatives=(lambda: 1_048_576, lambda: torch.tensor(1_048_576), lambda: 4 * 8 * 512 * 64),
    hints=(
        "Write the shape of each of the four matrices.",
        "One head's W_Q is 512 by 64. Eight of them stand side by side.",
        "rows times columns of one matrix, times how many matrices there are",
    ),
)

EXERCISES = (ORDER_THE_HEADS, PREDICT_HEAD_WEIGHTS)
