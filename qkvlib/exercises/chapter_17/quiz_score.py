"""The quiz: one score."""

from __future__ import annotations

import torch

from qkvlib.exercises.chapter_17._answers import one_number
from qkvlib.exercises.kit.exercise import ExerciseBuilder, asked_once

exercise = ExerciseBuilder(
    points=1,
    hints=(
        "First the query of *its*, then the key of *law*.",
        "(1, 0) times a matrix is the matrix's first row.",
        "first row of W_Q, second row of W_K, and their dot product",
    ),
)


@exercise.reference
def quiz_score() -> float:
    """its = (1, 0) and law = (0, 1). W_Q = [[0, 2], [1, 0]], W_K = [[1, 0], [0, 3]].

    What is the score of *its* for *law*, before any division?
    """
    return 6.0


exercise.cases(asked_once)
exercise.judged_by(one_number)


@exercise.mistake(
    "You compare the two words as they are. But a score compares a query with a key, and each comes from "
    "its own matrix. Reread chapter 3, “What if the matrices change nothing?”.",
    "Which row of W_Q is the query of *its*?",
)
def compared_as_they_are() -> float:
    return 0.0


@exercise.mistake(
    "That is the score of *law* for *its*. The word that gives the query goes through W_Q, and the scores in "
    "the two directions differ. Reread chapter 3, “What if the matrices change nothing?”.",
    "Which of the two words gives the query?",
)
def the_other_way() -> float:
    return 1.0


@exercise.mistake(
    "You put the matrix first: W_Q x. But here the word comes first: x W_Q. Reread chapter 3, "
    "“Where the arrows came from”.",
    "Does (1, 0) times a matrix give a row or a column of the matrix?",
)
def tables_on_their_side() -> float:
    return 3.0


@exercise.mistake(
    "You divide by the square root of 2. But the question is about the score before the division. "
    "Reread chapter 2, “Why a square root?”.",
    "What is q · k itself?",
)
def divided_already() -> float:
    return 4.24


@exercise.mistake(
    "That is the query times the word itself. But W_K has to turn the word into its key first. Reread "
    "chapter 3, “What if the matrices change nothing?”.",
    "What is the key of *law*?",
)
def key_left_as_it_is() -> float:
    return 2.0


@exercise.mistake(
    "You get this number if you add the numbers of each pair. Reread chapter 1, “One number by hand”.",
    "What does a dot product do with each pair of numbers, before it adds up the results?",
)
def added_for_multiplied() -> float:
    return 5.0


exercise.alternative(lambda: 6)
exercise.alternative(lambda: torch.tensor(6.0))
exercise.alternative(lambda: 2 * 3)
