"""Weights written by hand that solve recall."""

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
    builds_on=("choose_w_q_w_k",),
    hints=(
        "W_Q and W_K should read the key, the first three numbers. W_V should read the value.",
        "A matrix with a 1 in row 0, column 0, a 1 in row 1, column 1, and a 1 in row 2, column 2 "
        "passes the first three numbers on.",
        "w_q and w_k: pass the first three numbers on, and make one of these two matrices several times as "
        "large; w_v: pass the last three numbers on",
    ),
)

Three = tuple[Tensor, Tensor, Tensor]

# What lies under each of the three keys: one deck a row.
DECKS = ((1, 2, 0), (2, 0, 1), (0, 2, 1), (2, 1, 0))


def card(key: int, value: int | None = None) -> Tensor:
    """A card as 6 numbers: which key it has, then which value. A question has no value."""
    numbers = torch.zeros(6)
    numbers[key] = 1
    if value is not None:
        numbers[3 + value] = 1
    return numbers


@exercise.reference
def choose_recall_weights() -> Three:
    """W_Q [6 d_k], W_K [6 d_k] and W_V [6 3] that answer every question about every deck.

    A card is [key 0, key 1, key 2, value 0, value 1, value 2], with a 1 for its key and a 1 for
    its value. The question is a card with a key and no value. The right card should get more than
    half of the weight, and the largest number of the output should be the one for its value.
    """
    keys, values = torch.eye(6)[:, :3], torch.eye(6)[:, 3:]
    return 6 * keys, keys, values


exercise.cases(asked_once)


@exercise.judged_by
def how_it_answers(value: Any) -> Any:
    weights = chosen(value, {"w_q": 6, "w_k": 6, "w_v": 6})
    if not isinstance(weights, dict):
        return weights
    w_q, w_k, w_v = weights.values()
    unfit = of_equal_width(w_q, w_k)
    if unfit or w_v.shape[1] != 3:
        return unfit or Objection(
            f"`w_v` has {w_v.shape[1]} columns. The output needs 3 numbers, one for each value."
        )
    looks, answers = [], []
    for deck in DECKS:
        cards = torch.stack([card(key, value) for key, value in enumerate(deck)])
        for key, wanted in enumerate(deck):
            output, table = attention.cross_attention(card(key)[None], cards, w_q, w_k, w_v)
            looks.append((int(table.argmax()) == key, float(table.max())))
            largest = output[0].topk(2).values
            answers.append(int(output.argmax()) == wanted and bool(largest[0] > largest[1] + 1e-4))
    return _in_words(looks, answers)


def _in_words(looks: list[tuple[bool, float]], answers: list[bool]) -> dict[str, str]:
    sharp = [weight > 0.5 for _, weight in looks]
    right = [is_right for is_right, _ in looks]
    found = sum(map(all, zip(sharp, right, strict=True)))
    if all(right):
        where = "the right card" if all(sharp) else "the right card, but not with more than half"
    elif all(sharp):
        where = "a wrong card, at least once"
    else:
        where = "no card with more than half, at least once" if any(sharp) else "no card with more than half"
    said = "right" if all(answers) else "not always right"
    times = f"{found} of {len(looks)} times on the right card"
    return {
        f"({times}.) Asked for a card, attention rests on": where,
        f"({sum(answers)} of {len(answers)} answers are right.) The answers are": said,
    }


@exercise.mistake(
    "The answers are right, but the right card does not always get more than half of the weight, because "
    "its score is too close to the other scores.",
    "What happens to the weights when W_Q becomes ten times as large?",
)
def too_small() -> Three:
    w_q, w_k, w_v = choose_recall_weights()
    return w_q / 6, w_k, w_v


@exercise.mistake(
    "Attention does not choose: no card gets more than half, so each answer is a blend of several cards.",
    "Which numbers of the question and of the card must be multiplied together, so that the right card "
    "scores highest?",
)
def no_choice() -> Three:
    return torch.zeros(6, 3), torch.zeros(6, 3), torch.eye(6)[:, 3:]


@exercise.mistake(
    "Attention finds the right card, but the output is not always the value of the card.",
    "Which three of a card's six numbers say its value, and which rows of W_V do these three numbers meet?",
)
def key_handed_out() -> Three:
    w_q, w_k, _ = choose_recall_weights()
    return w_q, w_k, torch.eye(6)[:, :3]


@exercise.mistake(
    "A wrong card wins at least once. A question about key 1 has to find the card with key 1, rather than "
    "the card with value 1 or the worst match.",
    "Which rows of W_K read a card's key?",
)
def matched_with_values() -> Three:
    w_q, _, w_v = choose_recall_weights()
    return w_q, torch.eye(6)[:, 3:], w_v


@exercise.alternative
def _as_scores() -> Three:
    table = torch.zeros(6, 6)
    table[:3, :3] = 20 * torch.eye(3)
    return table, torch.eye(6), torch.eye(6)[:, 3:]


@exercise.alternative
def _with_whole_numbers() -> Any:
    keys = torch.tensor([[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0], [0, 0, 0], [0, 0, 0]])
    return [3 * keys, 3 * keys, keys.flip(0).flip(1)]


@exercise.alternative
def _with_two_numbers() -> Three:
    """Three keys as three directions in the plane, 120 degrees apart."""
    angle = torch.arange(3) * 2 * torch.pi / 3
    arrows = torch.stack([angle.cos(), angle.sin()], dim=1)
    w = torch.cat([3 * arrows, torch.zeros(3, 2)])
    return w, w, torch.eye(6)[:, 3:] - 0.1
