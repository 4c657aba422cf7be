"""The quiz: one weight under a causal mask."""

from __future__ import annotations

import torch

from qkvlib.exercises.chapter_17._answers import one_number
from qkvlib.exercises.kit.exercise import ExerciseBuilder, asked_once

exercise = ExerciseBuilder(
    points=1,
    hints=(
        "Which words may the second word look at?",
        "Equal scores give equal weights.",
        "one, divided by the number of words that it may see",
    ),
)


@exercise.reference
def quiz_masked_weight() -> float:
    """Three words, a causal mask, and equal scores: the weight that the second word gives the first."""
    return 0.5


exercise.cases(asked_once)
exercise.judged_by(one_number)


@exercise.mistake(
    "You give each word a third. Either you use no mask, or you mask after softmax, and then the row no "
    "longer sums to one. Reread chapter 7, “Hide the future”.",
    "Which words may the second word see?",
)
def mask_forgotten() -> float:
    return 0.33


@exercise.mistake(
    "In your answer the word does not see itself. But a causal mask hides what comes *after* a word. "
    "Reread chapter 7, “Hide the future”.",
    "May a word look at itself?",
)
def itself_hidden() -> float:
    return 1.0


@exercise.mistake(
    "Your answer hides the first word. But a word may see the words before it. Reread chapter 7, “What does "
    "True mean?”.",
    "Which word does not exist yet when the second word is written?",
)
def mask_upside_down() -> float:
    return 0.0


@exercise.mistake(
    "Your answer is two thirds, because you give all of the masked word's weight to the first word. But "
    "softmax runs over the visible words, and equal scores get equal weights. Reread chapter 7, “Hide "
    "the future”.",
    "How many words share the attention of the second word?",
)
def score_for_weight() -> float:
    return 0.67


exercise.alternative(lambda: 1 / 2)
exercise.alternative(lambda: torch.tensor([0.5]))
exercise.alternative(lambda: 0.50)
