"""Test that the feedback on a wrong answer is true: names and sentences hold in new cases too."""

from __future__ import annotations

import random

import pytest
import torch
from torch import Tensor

from qkvlib.checking import verdict
from qkvlib.exercises import EXERCISES
from qkvlib.exercises.kit.exercise import Exercise
from tests.exercises.falsehoods import falsehoods, triples, wrong_programs

pytestmark = pytest.mark.whole

SAMPLE = 5  # of some hundreds; `python -m tests.exercises` tries them all


@pytest.mark.sweep(keep=10)
@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=lambda e: e.name)
def test_one_two_or_three_slips_hear_nothing_false(exercise: Exercise) -> None:
    if exercise.is_secret:  # it has the same case for every seed
        return
    programs = list(wrong_programs(exercise))
    some = random.Random(0).sample(programs, min(SAMPLE, len(programs)))
    for what, program in [*some, *triples(exercise, SAMPLE)]:
        assert falsehoods(exercise, program) == [], what


def test_a_triple_has_three_things_wrong() -> None:
    texts = [text for text, _ in triples(EXERCISES["dot"], 20)]
    assert len(set(texts)) > 15
    assert texts == [text for text, _ in triples(EXERCISES["dot"], 20)]


# --- The tests above can fail -------------------------------------------------------------------


def test_a_name_by_luck_is_a_falsehood(monkeypatch: pytest.MonkeyPatch) -> None:
    def by_columns(query: Tensor, keys: Tensor) -> Tensor:
        return ((keys / keys.norm(dim=0)) @ query).argmax()

    nearest = EXERCISES["nearest"]
    known = {one.name: one for one in nearest.mistakes}["largest_dot_product"]
    monkeypatch.setattr("qkvlib.checking.verdicts._name_the_mistake", lambda *_: known)
    (words,) = set(falsehoods(nearest, by_columns))
    assert "largest dot product" in words


def test_a_sentence_of_one_case_is_a_falsehood(monkeypatch: pytest.MonkeyPatch) -> None:
    def cut(x: Tensor) -> Tensor:
        return torch.softmax(x, -1) * (1 + x)

    claim = "Your result is the expected result times 2 everywhere."
    monkeypatch.setattr("qkvlib.checking.probes.sentences", lambda *_: [claim])
    assert set(falsehoods(EXERCISES["softmax"], cut)) == {claim}


def test_an_input_that_counts_is_a_falsehood(monkeypatch: pytest.MonkeyPatch) -> None:
    claim = "Your result does not depend on `b`: different values change nothing."
    monkeypatch.setattr("qkvlib.checking.probes.ignored_inputs", lambda *_: [claim])
    assert set(falsehoods(EXERCISES["dot"], lambda a, b: (3 * a * b).sum())) == {claim}


# --- Puzzles of lines: every order for which the verdict makes a statement ------------------------

LINES = {
    "joined_too_early": lambda order: "C" in order and "F" not in order[: order.index("C")],
    "attended_among_heads": lambda order: "B" not in order[: order.index("H")],
    "cut_across_words": lambda order: "G" in order,
    "scaled_by_whole_width": lambda order: "D" in order,
    "softmax_over_dimension_1": lambda order: "K" in order,
    "softmax_too_late": lambda order: not set("AK") & set(order[: order.index("I")]),
    "not_joined": lambda order: "C" not in order,
    "weights_before_scores": lambda order: not set("DH") & set(order[: order.index("A")]),
    "cut_before_projected": lambda order: "E" not in order[: order.index("J")],
    "turned_between": lambda order: "B" in order[order.index("H") : order.index("I")],
}


def test_what_is_said_of_an_order_of_lines_is_true_of_it() -> None:
    shuffled, named = random.Random(0), set()
    right = "EJBHAIFC"
    for _ in range(300):
        order = list(right)
        for _ in range(shuffled.randint(1, 3)):
            order.insert(shuffled.randrange(9), order.pop(shuffled.randrange(len(order))))
            if shuffled.random() < 0.4:
                order[shuffled.randrange(len(order))] = shuffled.choice("DGK")
            if shuffled.random() < 0.3:
                order.pop(shuffled.randrange(len(order)))
        answer = "".join(order)
        judged = verdict("order_the_heads", lambda answer=answer: answer)
        if judged.mistake is not None:
            named.add(judged.mistake.name)
            assert LINES[judged.mistake.name](answer), answer
    assert len(named) > 2
