"""What can be said of a wrong result without knowing the exercise."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch
from torch import Tensor

from qkvlib.checking.probes import ignored_inputs, sentences

EXPECTED = torch.tensor([[1.0, 2.0, 3.0], [5.0, 7.0, 11.0], [13.0, 17.0, 19.0]])
WEIGHTS = torch.tensor([[0.2, 0.3, 0.5], [0.6, 0.3, 0.1], [0.1, 0.1, 0.8]])
ON_THE_DIAGONAL = EXPECTED + torch.diag(torch.tensor([1.0, 2.0, 4.0]))
ABOVE = EXPECTED + torch.tensor([[0.0, 1.0, 2.0], [0.0, 0.0, 4.0], [0.0, 0.0, 0.0]])


@pytest.mark.parametrize(
    ("got", "expected", "words"),
    [
        (EXPECTED.T, EXPECTED, "transposed"),
        (EXPECTED[:2].T, EXPECTED[:2], "transposed"),
        (-EXPECTED, EXPECTED, "other sign"),
        (EXPECTED * 5, EXPECTED, "times 5 everywhere."),
        (EXPECTED / math.sqrt(7), EXPECTED, "that is 1/sqrt(7); 7 is a size of `x`"),
        (EXPECTED + 2, EXPECTED, "plus 2 everywhere"),
        (EXPECTED * torch.tensor([[1.0], [2.0], [3.0]]), EXPECTED, "Each row is the expected row"),
        (EXPECTED * torch.tensor([1.0, 2.0, 3.0]), EXPECTED, "Each column is the expected column"),
        (EXPECTED.flip(0), EXPECTED, "right numbers, in another order"),
        (ON_THE_DIAGONAL, EXPECTED, "on the diagonal"),
        (ABOVE, EXPECTED, "above the diagonal"),
        (WEIGHTS.mT.softmax(-1).mT, WEIGHTS, "Your columns sum to one"),
        (WEIGHTS + EXPECTED, WEIGHTS, "Row [0] sums to 7"),
        (WEIGHTS.roll(1, 0).sqrt() ** 3, WEIGHTS, "Each row should sum to one"),
    ],
)
def test_one_relation_is_found_and_said(got: Tensor, expected: Tensor, words: str) -> None:
    assert words in " ".join(sentences(got, expected, ["x"], [torch.ones(4, 7)]))


def test_nothing_is_said_of_what_is_right_or_cannot_be_compared() -> None:
    for got in (EXPECTED, "text", None, EXPECTED.long(), EXPECTED * torch.nan, torch.ones(2)):
        assert sentences(got, EXPECTED, [], []) == []


def test_the_part_that_is_wrong_is_named() -> None:
    found = sentences((EXPECTED, 2 * EXPECTED), (EXPECTED, EXPECTED), [], [], ("output", "weights"))
    assert found == ["`weights`: It is the expected result times 2 everywhere."]


def test_an_input_that_is_ignored_is_named_and_no_other() -> None:
    def reference(a: Tensor, b: Tensor, mask: Tensor, n: int) -> Tensor:
        return a * b * mask + n

    def call(inputs: tuple[Any, ...]) -> Tensor:
        return inputs[0] * inputs[2]

    inputs = (torch.arange(3.0), torch.ones(3), torch.tensor([True, True, False]), 2)
    found = list(ignored_inputs(call, reference, ["a", "b", "mask", "n"], inputs))
    assert len(found) == 1
    assert "does not depend on `b`" in found[0]


def test_a_result_that_is_rounded_does_not_count_as_one_that_ignores_its_input() -> None:
    def call(inputs: tuple[Any, ...]) -> Tensor:
        return inputs[0].mean().trunc()

    inputs = (torch.tensor([0.4, -0.9, 0.2]),)
    assert list(ignored_inputs(call, torch.mean, ["a"], inputs)) == []
