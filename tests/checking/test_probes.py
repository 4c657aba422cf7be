"""Test what we can say about a wrong result without knowing the exercise."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch
from torch import Tensor

from qkvlib.checking.probes import Failure, ignored_inputs, sentences

EXPECTED = torch.tensor([[1.0, 2.0, 3.0], [5.0, 7.0, 11.0], [13.0, 17.0, 19.0]])
WEIGHTS = torch.tensor([[0.2, 0.3, 0.5], [0.6, 0.3, 0.1], [0.1, 0.1, 0.8]])
ON_THE_DIAGONAL = EXPECTED + torch.diag(torch.tensor([1.0, 2.0, 4.0]))
ABOVE = EXPECTED + torch.tensor([[0.0, 1.0, 2.0], [0.0, 0.0, 4.0], [0.0, 0.0, 0.0]])


@pytest.mark.parametrize(
    ("got", "expected", "words"),
    [
        (EXPECTED.T, EXPECTED, "transposed"),
        (EXPECTED[:2].T, EXPECTED[:2], "transposed"),
        (-EXPECTED, EXPECTED, "opposite sign"),
        (EXPECTED * 5, EXPECTED, "times 5 everywhere."),
        (EXPECTED / math.sqrt(7), EXPECTED, "times `1/sqrt(x.shape[-1])` everywhere"),
        (EXPECTED + 2, EXPECTED, "plus 2 everywhere"),
        (EXPECTED * torch.tensor([[1.0], [2.0], [3.0]]), EXPECTED, "Each row is the expected row"),
        (EXPECTED * torch.tensor([1.0, 2.0, 3.0]), EXPECTED, "Each column is the expected column"),
        (EXPECTED.flip(0), EXPECTED, "right numbers in a different order"),
        (ON_THE_DIAGONAL, EXPECTED, "on the diagonal"),
        (ABOVE, EXPECTED, "above the diagonal"),
        (WEIGHTS.mT.softmax(-1).mT, WEIGHTS, "Your columns sum to one"),
        (WEIGHTS + EXPECTED, WEIGHTS, "Each row should sum to one. Not all of your rows do."),
        (WEIGHTS.roll(1, 0).sqrt() ** 3, WEIGHTS, "Each row should sum to one"),
    ],
)
def test_one_relation_is_found_and_said(got: Tensor, expected: Tensor, words: str) -> None:
    failure = Failure((torch.ones(4, 7),), got, expected)
    assert words in " ".join(sentences([failure], ["x"]))
    # What holds in one case but not in another is a coincidence, and is not reported.
    unlike = Failure((torch.ones(4, 7),), EXPECTED + EXPECTED.T.sin(), EXPECTED)
    assert words not in " ".join(sentences([failure, unlike], ["x"]))
    assert words not in " ".join(sentences([unlike, failure], ["x"]))


def test_a_single_vector_has_no_rows() -> None:
    wanted = [WEIGHTS[0].repeat(2) / 2, WEIGHTS[1].repeat(2) / 2]
    failures = [Failure((), one.flip(0).sqrt(), one) for one in wanted]
    assert sentences(failures, []) == ["The numbers should sum to one. Your numbers do not."]
    found = sentences([*failures, Failure((), WEIGHTS.exp(), WEIGHTS)], [])
    assert found == ["Each row should sum to one. Not all of your rows do."]
    summed = [Failure((), one.roll(1) ** 2 / (one**2).sum(), one) for one in wanted]
    assert sentences(summed, []) == ["The numbers sum to one, as they should."]


def test_a_factor_is_said_as_a_size_where_it_is_that_size_in_every_case() -> None:
    wide = [Failure((torch.ones(2, n),), EXPECTED * math.sqrt(n), EXPECTED) for n in (3, 5)]
    words = "Your result is the expected result times `sqrt(q.shape[-1])` everywhere."
    assert sentences(wide, ["q"]) == [words]
    square = [Failure((torch.ones(n, 7),), EXPECTED * 3, EXPECTED) for n in (3, 5)]
    assert sentences(square, ["q"]) == ["Your result is the expected result times 3 everywhere."]


def test_two_numbers_are_too_few_to_say_anything() -> None:
    one = Failure((), torch.tensor([2.0, 4.0]), torch.tensor([1.0, 2.0]))
    assert sentences([one], []) == []
    assert sentences([one, one], []) == ["Your result is the expected result times 2 everywhere."]


def test_nothing_is_said_of_what_is_right_or_cannot_be_compared() -> None:
    for got in (EXPECTED, "text", None, EXPECTED.long(), EXPECTED * torch.nan, torch.ones(2)):
        assert sentences([Failure((), got, EXPECTED)], []) == []
        doubled = Failure((), 2 * EXPECTED, EXPECTED)
        assert sentences([doubled, Failure((), got, EXPECTED)], []) == []


def test_the_part_that_is_wrong_is_named() -> None:
    failure = Failure((), (EXPECTED, 2 * EXPECTED), (EXPECTED, EXPECTED))
    found = sentences([failure], [], ("output", "weights"))
    assert found == ["`weights`: Your result is the expected result times 2 everywhere."]


def test_parts_that_have_changed_places_are_named() -> None:
    right, failures = (EXPECTED, WEIGHTS), []
    for scale in (1, 2):
        expected = (right[0] * scale, right[1])
        failures.append(Failure((), (expected[1], expected[0]), expected))
    assert sentences(failures, [], ("output", "weights")) == [
        "`output`: Your result is what `weights` should be.",
        "`weights`: Your result is what `output` should be.",
    ]


def ignored(call: Any, reference: Any, names: list[str], cases: list[Any]) -> list[str]:
    return list(ignored_inputs(call, reference, names, cases, [call(inputs) for inputs in cases]))


def test_an_input_that_is_ignored_is_named_and_no_other() -> None:
    def reference(a: Tensor, b: Tensor, mask: Tensor, n: int) -> Tensor:
        return a * b * mask + n

    inputs = (torch.arange(3.0), torch.ones(3), torch.tensor([True, True, False]), 2)
    found = ignored(lambda given: given[0] * given[2], reference, ["a", "b", "mask", "n"], [inputs])
    assert len(found) == 1
    assert "does not depend on `b`" in found[0]


def test_an_input_that_counts_in_one_case_is_not_called_ignored() -> None:
    def call(inputs: tuple[Any, ...]) -> Tensor:
        return inputs[0] * (inputs[1] if len(inputs[0]) > 3 else 1)

    short, long = ((torch.arange(1.0, n), torch.arange(2.0, n + 1)) for n in (3, 6))
    assert ignored(call, torch.mul, ["a", "b"], [short, long]) == []
    assert len(ignored(call, torch.mul, ["a", "b"], [short])) == 1


def test_what_sorts_its_input_does_not_ignore_it() -> None:
    inputs = (torch.tensor([3, 1, 0, 1]),)
    assert ignored(lambda given: given[0].sort().values.float(), Tensor.float, ["tokens"], [inputs]) == []


def test_an_input_that_the_right_answer_ignores_but_for_rounding_is_not_named() -> None:
    inputs = (torch.rand(4), torch.rand(4))
    assert ignored(lambda given: 2 * given[0], lambda x, b: (x + b) - b, ["x", "b"], [inputs]) == []


def test_a_result_that_is_rounded_does_not_count_as_one_that_ignores_its_input() -> None:
    inputs = (torch.tensor([0.4, -0.9, 0.2]),)
    assert ignored(lambda given: given[0].mean().trunc(), torch.mean, ["a"], [inputs]) == []
