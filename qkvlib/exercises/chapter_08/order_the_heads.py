"""The lines of multi-head attention, to put in order."""

from __future__ import annotations

from typing import Any

import torch

from qkvlib.exercises.kit.exercise import ExerciseBuilder, asked_once
from qkvlib.exercises.kit.puzzle import Puzzle
from qkvlib.exercises.kit.random_inputs import normal

exercise = ExerciseBuilder(
    points=2,
    builds_on=("split_heads", "merge_heads"),
    hints=(
        "Project, cut, move the heads forward, score, softmax, weighted sum, move the heads back, join.",
        "Three lines are wrong. Each wrong line differs from a right line in one detail, so compare the "
        "lines that look alike.",
        "the shape after each line: [b n h*d_k]; [b n h d_k]; [b h n d_k]; [b h n n] twice; [b h n d_k]; [b "
        "n h d_k]; [b n h*d_k]",
    ),
)


def _given() -> dict[str, Any]:
    generator = torch.Generator().manual_seed(8)
    b, n, h, d_k = 2, 3, 5, 4
    weights = {name: normal(generator, h * d_k, h * d_k) for name in ("w_q", "w_k", "w_v", "w_o")}
    return {"x": normal(generator, b, n, h * d_k), **weights, "b": b, "n": n, "h": h, "d_k": d_k}


HEADS_PUZZLE = Puzzle(
    lines={
        "A": "weights = scores.softmax(-1)",
        "B": "q, k, v = (t.transpose(1, 2) for t in (q, k, v))",
        "C": "output = heads.reshape(b, n, h * d_k) @ w_o",
        "D": "scores = q @ k.transpose(-2, -1) / math.sqrt(h * d_k)",
        "E": "q, k, v = x @ w_q, x @ w_k, x @ w_v",
        "F": "heads = heads.transpose(1, 2)",
        "G": "q, k, v = (t.view(b, h, n, d_k) for t in (q, k, v))",
        "H": "scores = q @ k.transpose(-2, -1) / math.sqrt(d_k)",
        "I": "heads = weights @ v",
        "J": "q, k, v = (t.view(b, n, h, d_k) for t in (q, k, v))",
        "K": "weights = scores.softmax(1)",
    },
    given=_given,
    result="output",
    needed=8,
    sizes={2: "b", 3: "n", 5: "h", 4: "d_k", 20: "h·d_k"},
)


@exercise.reference
def order_the_heads() -> str:
    """The letters of the lines of multi-head attention, in order. Three of the eleven lines are bugs."""
    return "EJBHAIFC"


exercise.cases(asked_once)
exercise.judged_by(HEADS_PUZZLE)


@exercise.mistake(
    "You cut the heads with line G. This line gives the right shape, but it mixes the words, and no "
    "transpose can repair that.",
    "The numbers of a word are side by side. Which `view` cuts only these numbers, and leaves b and n in "
    "place?",
)
def cut_across_words() -> str:
    return "EGHAIFC"


@exercise.mistake(
    "In line D you divide by the square root of the whole width, not of one head's width.",
    "How many products are added in one head's dot product, d_k or h times d_k?",
)
def scaled_by_whole_width() -> str:
    return "EJBDAIFC"


@exercise.mistake(
    "In line K softmax runs over the heads.",
    "The scores are [b, h, n, n]. Which dimension counts the keys?",
)
def softmax_over_dimension_1() -> str:
    return "EJBHKIFC"


@exercise.mistake(
    "You join the heads without first moving them back.",
    "Which line undoes line B, and which line should come right after that line?",
)
def joined_too_early() -> str:
    return "EJBHAIC"


@exercise.mistake(
    "When the scores are computed, the heads still come after the words, so attention runs among the heads "
    "of each word. Line B belongs before the scores.",
    "After line J the shape is [b, n, h, d_k]. Which two dimensions does `@` multiply?",
)
def attended_among_heads() -> str:
    return "EJHAIC"


@exercise.mistake(
    "Line I needs weights, but no line above it computes weights.",
    "Which line turns scores into weights, and does it come before line I?",
)
def softmax_too_late() -> str:
    return "EJBHIAFC"


@exercise.mistake(
    "At the end the heads are still separate, because one line is missing.",
    "Which line turns [b, n, h, d_k] into [b, n, h d_k]?",
)
def not_joined() -> str:
    return "EJBHAIF"


@exercise.mistake(
    "Line A turns scores into weights, but no line above it computes scores.",
    "Which lines compute `scores`, and does one of them come before line A?",
)
def weights_before_scores() -> str:
    return "EJBAHIFC"


@exercise.mistake(
    "Line J cuts q, k and v, but no line above it computes them.",
    "Which line computes q, k and v from x, and does it come before line J?",
)
def cut_before_projected() -> str:
    return "JEBHAIFC"


@exercise.mistake(
    "Line I needs weights and values in the same layout. When you computed the weights, the words came "
    "before the heads. But in v the heads come before the words.",
    "What are the shapes of the weights and of v in line I?",
)
def turned_between() -> str:
    return "EJHABIFC"


exercise.alternative(lambda: "E J B H A I F C")
exercise.alternative(lambda: ["E", "J", "B", "H", "A", "I", "F", "C"])
exercise.alternative(lambda: "e, j, b, h, a, i, f, c")
