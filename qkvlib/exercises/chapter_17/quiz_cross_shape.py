"""The quiz: the shape of the weights of cross-attention."""

from __future__ import annotations

from typing import Any

import torch

from qkvlib.exercises.kit.comparison import Objection, as_expected, kind_of
from qkvlib.exercises.kit.exercise import ExerciseBuilder, asked_once

exercise = ExerciseBuilder(
    points=1,
    hints=(
        "A row for each query, a column for each key.",
        "The queries come from the side that the model writes.",
        "as many rows as sounds, as many columns as letters",
    ),
)


@exercise.reference
def quiz_cross_shape() -> tuple[int, int]:
    """Return the shape of the cross-attention weights for a word of 7 letters read aloud in 5 sounds."""
    return (5, 7)


exercise.cases(asked_once)


@exercise.judged_by
def shape(value: Any) -> Any:
    """Two whole numbers, as a tuple, a list or a torch.Size; 5.0 is whole, too."""
    if isinstance(value, (list, tuple)):
        parts = tuple(as_expected(part, 0) for part in value)
        if all(type(part) is int for part in parts):
            return parts
    return Objection(f"Your function returned {kind_of(value)}. Return (rows, columns).")


@exercise.mistake(
    "In your answer the letters are the queries. But the model writes sounds. Reread chapter 10, “Who "
    "asks?”.",
    "Does each row of the weights belong to a query or to a key?",
)
def letters_ask() -> tuple[int, int]:
    return (7, 5)


@exercise.mistake(
    "That is the shape in the decoder's self-attention, where sounds look at sounds. Reread chapter 10, "
    "“One function, three wirings”.",
    "In cross-attention, where do the keys and values come from?",
)
def sounds_among_themselves() -> tuple[int, int]:
    return (5, 5)


@exercise.mistake(
    "That is the shape in the encoder's self-attention, where letters look at letters. Reread chapter "
    "10, “One function, three wirings”.",
    "In cross-attention, where do the queries come from?",
)
def letters_among_themselves() -> tuple[int, int]:
    return (7, 7)


@exercise.mistake(
    "You put letters and sounds into one sequence. But cross-attention keeps them apart: one side gives the "
    "queries, and the other side gives the keys and values. Reread chapter 10, “One function, three "
    "wirings”.",
    "How many queries are there, and how many keys?",
)
def all_together() -> tuple[int, int]:
    return (12, 12)


exercise.alternative(lambda: [5, 7])
exercise.alternative(lambda: torch.zeros(5, 7).shape)
exercise.alternative(lambda: (5, len("letters")))
