"""Choose W_Q and W_K so that three words look where they should."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from qkvlib import attention
from qkvlib.exercises.kit.by_hand import chosen, of_equal_width
from qkvlib.exercises.kit.comparison import Objection
from qkvlib.exercises.kit.exercise import ExerciseBuilder, asked_once

exercise = ExerciseBuilder(
    points=2,
    builds_on=("project_qkv", "attention_weights"),
    hints=(
        "Each word has a single 1, so row i of w_q is word i's query, and row i of w_k is word i's key.",
        "Give *law* and *old* a column each. In w_k, give each of these two words a 1 in its own column. A "
        "query with a large number in a column finds the word of that column.",
        "key of law: 1 in the first column; key of old: 1 in the second; each query: a large "
        "number in the column of the word it looks for; all else 0",
    ),
)

# Each word is one feature: a noun, a pronoun, an adjective. So row i of w_q is word i's query.
WORDS = ("law", "its", "old")
X = torch.eye(3)
WANTED = ["old", "law", "law"]

Two = tuple[Tensor, Tensor]


@exercise.reference
def choose_w_q_w_k() -> Two:
    """W_Q and W_K, [3 d_k] both, for x = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]: *law*, *its*, *old*.

    The pronoun *its* and the adjective *old* should look at the noun *law*, and *law* at its
    adjective *old*: each gives it more than half of its weight.
    """
    w_q = torch.tensor([[0.0, 6.0], [6.0, 0.0], [6.0, 0.0]])
    w_k = torch.tensor([[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]])
    return w_q, w_k


exercise.cases(asked_once)


@exercise.judged_by
def who_looks_where(value: Any) -> Any:
    weights = chosen(value, {"w_q": 3, "w_k": 3})
    if not isinstance(weights, dict):
        return weights
    unfit = of_equal_width(**weights)
    if unfit:
        return unfit
    w_q, w_k = weights.values()
    if _most(w_q, w_k) != WANTED and _most(w_k, w_q) == WANTED:
        return Objection("If w_q and w_k are swapped, your matrices reach the goal.")
    seen = {}
    for word, row, most in zip(WORDS, _table(w_q, w_k), _most(w_q, w_k), strict=True):
        numbers = ", ".join(f"{other} {w:.2f}" for other, w in zip(WORDS, row, strict=True))
        seen[f"*{word}* ({numbers}) looks at"] = most
    return seen


def _table(w_q: Tensor, w_k: Tensor) -> Tensor:
    return attention.attention_weights(X @ w_q, X @ w_k)


def _most(w_q: Tensor, w_k: Tensor) -> list[str]:
    """Where each of the three words looks."""
    return [
        WORDS[int(row.argmax())] if row.max() > 0.5 else "no word with more than half"
        for row in _table(w_q, w_k)
    ]


@exercise.mistake(
    "No word gives more than half of its weight to any word, because in every row the largest score is too "
    "close to the other scores.",
    "What happens to a row of weights when one of its scores grows?",
)
def scores_too_small() -> Two:
    return torch.zeros(3, 2), torch.zeros(3, 2)


@exercise.mistake(
    "Every word looks at itself, because its query matches its own key better than any other key. This "
    "happens easily when W_Q = W_K.",
    "Which row of W_K should the query of *its* match best?",
)
def everyone_at_itself() -> Two:
    return 4 * torch.eye(3), 4 * torch.eye(3)


@exercise.mistake(
    "Every word looks at *law*, even *law* itself. This happens easily when all queries are equal.",
    "Which row of W_Q is the query of *law*, and which word's key should this query match?",
)
def everyone_at_the_noun() -> Two:
    return torch.tensor([[6.0], [6.0], [6.0]]), torch.tensor([[1.0], [0.0], [0.0]])


@exercise.mistake(
    "*law* looks back at *its*, but should look at *old*.",
    "Does *its* need a large key to find a word, or to be found?",
)
def the_noun_looks_back() -> Two:
    w_q = torch.tensor([[0.0, 6.0], [6.0, 0.0], [6.0, 0.0]])
    return w_q, torch.tensor([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])


@exercise.mistake(
    "Queries and keys are swapped: your w_q says how words are found and your w_k says what they look for.",
    "Row 1 belongs to *its*. In which of your two matrices does row 1 say what *its* looks for?",
)
def roles_swapped() -> Two:
    w_q, w_k = choose_w_q_w_k()
    return w_k, w_q


@exercise.mistake(
    "*its* looks at *law*, as it should, but *old* looks at itself.",
    "*its* and *old* should look for the same word. So what should rows 1 and 2 of W_Q have in common?",
)
def the_adjective_at_itself() -> Two:
    w_q = torch.tensor([[0.0, 6.0], [6.0, 0.0], [0.0, 6.0]])
    return w_q, torch.tensor([[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]])


@exercise.alternative
def _chosen_as_one_product() -> Two:
    """W_K is the identity, so W_Q is the score matrix itself."""
    return 6 * torch.tensor([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]), torch.eye(3)


@exercise.alternative
def _chosen_with_whole_numbers() -> Any:
    return [torch.tensor([[0, 9], [9, 0], [9, 0]]), torch.tensor([[1, 0], [-1, -1], [0, 1]])]


@exercise.alternative
def _chosen_with_one_column() -> Two:
    return torch.tensor([[-6.0], [6.0], [6.0]]), torch.tensor([[1.0], [0.0], [-1.0]])
