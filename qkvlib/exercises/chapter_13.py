"""The quiz at the end: five short answers. Each wrong one that is known has its chapter's place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from qkvlib.exercises.kit.comparison import Objection, kind_of
from qkvlib.exercises.kit.exercise import Answer, Exercise, Mistake, asked_once


def _number(value: Any) -> Any:
    """A number as it is meant: 4, 4.0 and a tensor of one number are the same answer."""
    if isinstance(value, torch.Tensor) and value.numel() == 1 and not value.dtype.is_complex:
        value = value.item()
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return Objection(f"Your function returned {kind_of(value)}. Return one number.")
    return round(float(value), 2)


def _shape(value: Any) -> Any:
    """Two whole numbers, as a tuple, a list or a torch.Size."""
    if isinstance(value, (list, tuple)) and all(type(part) is int for part in value):
        return tuple(value)
    return Objection(f"Your function returned {kind_of(value)}. Return (rows, columns).")


def _gives(name: str, value: Any) -> Answer:
    """The program that gives this answer, under a name of its own."""

    def program() -> Any:
        return value

    program.__name__ = name
    return program


def _short(
    reference: Answer,
    mistakes: dict[str, tuple[Any, str, str]],
    alternatives: tuple[Answer, ...],
    hints: tuple[str, str, str],
    judged_by: Callable[[Any], Any] = _number,
) -> Exercise:
    """A question with one answer. `mistakes`: its name, the wrong answer, diagnosis, question."""
    return Exercise(
        chapter=13,
        points=1,
        reference=reference,
        cases=asked_once,
        mistakes=tuple(
            Mistake(_gives(name, value), diagnosis, question)
            for name, (value, diagnosis, question) in mistakes.items()
        ),
        alternatives=alternatives,
        hints=hints,
        judged_by=judged_by,
    )


def quiz_score() -> float:
    """its = (1, 0) and law = (0, 1). W_Q = [[0, 2], [1, 0]], W_K = [[1, 0], [0, 3]].

    What is the score of *its* for *law*, before any division?
    """
    return 6.0


SCORE = _short(
    quiz_score,
    {
        "compared_as_they_are": (
            0.0, "You compare the two words as they are. A score is made of query and key, each "
            "through its own table. Read again: chapter 3, “What if the tables change nothing?”.",
            "Which row of W_Q is the query of *its*?",
        ),
        "the_other_way": (
            1.0, "That is the score of *law* for *its*. Who asks goes through W_Q, and the two "
            "directions differ. Read again: chapter 3, “What if the tables change nothing?”.",
            "Which of the two words asks?",
        ),
        "tables_on_their_side": (
            3.0, "You multiply the table with the word. Here the word comes first: x W_Q. "
            "Read again: chapter 3, “Where the arrows came from”.",
            "x = (1, 0) times a table picks out a row of it, or a column?",
        ),
        "divided_already": (
            4.24, "You divide by the square root of 2. That comes later; a score was asked for. "
            "Read again: chapter 2, “Why a square root?”.",
            "What is q · k itself?",
        ),
    },
    (lambda: 6, lambda: torch.tensor(6.0), lambda: 2 * 3),
    (
        "First the query of *its*, then the key of *law*.",
        "(1, 0) times a table is the table's first row.",
        "first row of W_Q, second row of W_K, and their dot product",
    ),
)  # fmt: skip


def quiz_divisor() -> float:
    """A layer has d_model = 64 and 4 heads. By what number does each head divide its scores?"""
    return 4.0


DIVISOR = _short(
    quiz_divisor,
    {
        "root_of_d_model": (
            8.0, "That is the root of d_model. A head's dot product runs over its own d_k numbers "
            "only. Read again: chapter 8, “The lines in order”.",
            "How many numbers has one head's query?",
        ),
        "root_forgotten": (
            16.0, "That is d_k. The scores *spread* like its square root, and by that they are "
            "divided. Read again: chapter 2, “Why a square root?”.",
            "The variance of q · k is d_k. What is its standard deviation?",
        ),
        "root_of_the_heads": (
            2.0, "That is the root of the number of heads, which has no part in a score. Read "
            "again: chapter 2, “Why a square root?”.",
            "Over how many numbers does one head's dot product run?",
        ),
        "d_model_itself": (
            64.0, "That is d_model. A head's dot product is shorter, and what counts is a root. "
            "Read again: chapter 2, “Why a square root?”.",
            "How many numbers has one head's query?",
        ),
    },
    (lambda: 4, lambda: 16**0.5, lambda: torch.tensor(16.0).sqrt()),
    (
        "A head divides by the root of the length of its own queries.",
        "The 64 numbers are shared out among the heads.",
        "d_k is d_model over the number of heads; then the root",
    ),
)  # fmt: skip


def quiz_stored() -> int:
    """The same layer, d_model = 64 and 4 heads, without biases. How many numbers does it store?"""
    return 16384


STORED = _short(
    quiz_stored,
    {
        "w_o_forgotten": (
            12288, "Those are W_Q, W_K and W_V. There is a fourth table, W_O. Read again: chapter "
            "8, “What W_O does”.",
            "Which table reads what the heads have found?",
        ),
        "a_full_layer_for_each_head": (
            65536, "You give each head tables of 64 by 64. The heads share the width: their tables "
            "side by side make one of 64 by 64. Read again: chapter 8, “What many heads cost”.",
            "How many columns of W_Q belong to one head?",
        ),
        "one_head_alone": (
            4096, "That is one table of 64 by 64, or what one head has of all four. Read again: "
            "chapter 8, “What many heads cost”.",
            "How many tables are there, and how large is each for all heads together?",
        ),
        "nothing": (
            0, "The *operation* has no parameters. The layer has the tables around it. Read again: "
            "chapter 2, “What is there to train?”.",
            "Where are W_Q and its kin?",
        ),
    },
    (lambda: 4 * 64 * 64, lambda: 16384.0, lambda: torch.tensor(16384)),
    (
        "Count tables, and the numbers in each.",
        "How many heads there are makes no difference.",
        "four tables, each of d_model rows and d_model columns",
    ),
)  # fmt: skip


def quiz_masked_weight() -> float:
    """Three words, and all scores are equal. With a causal mask: the weight that the second word

    gives the first.
    """
    return 0.5


MASKED_WEIGHT = _short(
    quiz_masked_weight,
    {
        "mask_forgotten": (
            0.33, "A third each: that is without a mask, or with a mask put on after softmax. Then "
            "the row no longer sums to one. Read again: chapter 7, “Hide the future”.",
            "Which words may the second one see?",
        ),
        "itself_hidden": (
            1.0, "Then it could not see itself. A causal mask hides what comes *after* a word. "
            "Read again: chapter 7, “Hide the future”.",
            "May a word look at itself?",
        ),
        "mask_upside_down": (
            0.0, "Your mask hides the past. A word that is being written knows what came before. "
            "Read again: chapter 7, “What does True mean?”.",
            "Which word is not there yet when the second one is written?",
        ),
        "score_for_weight": (
            0.67, "Two thirds: you share the masked word's weight in some other way. Softmax runs "
            "over the words that may be seen, and equal scores get equal weights. Read again: "
            "chapter 7, “Hide the future”.",
            "Among how many words is the weight shared?",
        ),
    },
    (lambda: 1 / 2, lambda: torch.tensor([0.5]), lambda: 0.50),
    (
        "Which words may the second word look at?",
        "Equal scores make equal weights.",
        "one, divided by the number of words that it may see",
    ),
)  # fmt: skip


def quiz_cross_shape() -> tuple[int, int]:
    """A word of 7 letters is read aloud in 5 sounds. The shape of the cross-attention's weights."""
    return (5, 7)


CROSS_SHAPE = _short(
    quiz_cross_shape,
    {
        "letters_ask": (
            (7, 5), "Then the letters would ask. The sounds that are being written ask, and each "
            "needs a row. Read again: chapter 10, “Who asks?”.",
            "For which side must the output have one row each?",
        ),
        "sounds_among_themselves": (
            (5, 5), "That is the decoder's self-attention: sounds look at sounds. Read again: "
            "chapter 10, “One function, three wirings”.",
            "Where do keys and values come from here?",
        ),
        "letters_among_themselves": (
            (7, 7), "That is the encoder's self-attention: letters look at letters. Read again: "
            "chapter 10, “One function, three wirings”.",
            "Where do the queries come from here?",
        ),
        "all_together": (
            (12, 12), "You put letters and sounds into one row. Cross-attention keeps them apart: "
            "one side asks, the other is asked. Read again: chapter 10, “One function, three "
            "wirings”.",
            "How many queries are there, and how many keys?",
        ),
    },
    (lambda: [5, 7], lambda: torch.zeros(5, 7).shape, lambda: (5, len("letters"))),
    (
        "A row for each query, a column for each key.",
        "The queries come from the side that is being written.",
        "as many rows as sounds, as many columns as letters",
    ),
    _shape,
)  # fmt: skip

EXERCISES = (SCORE, DIVISOR, STORED, MASKED_WEIGHT, CROSS_SHAPE)
