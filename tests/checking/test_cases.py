"""Test that checks share their cases: no check changes them, and none draws them again."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor

from qkvlib.calling.call import _same
from qkvlib.checking import verdict
from qkvlib.checking.cases import drawn_cases
from qkvlib.exercises import EXERCISES


@pytest.fixture(autouse=True)
def as_in_a_session(unchecked_signatures: None) -> None:
    """Leave signatures unchecked, as in a notebook."""


def spoil(*inputs: Any) -> Tensor:
    """Write into every input tensor."""
    with torch.no_grad():
        for value in inputs:
            if isinstance(value, Tensor):
                value.fill_(1)
    return torch.zeros(2, 3)


@pytest.mark.sweep(keep=8)
@pytest.mark.parametrize("name", EXERCISES)
@pytest.mark.whole
def test_no_answer_spoils_the_cases_of_the_next_check(name: str) -> None:
    exercise = EXERCISES[name]
    for program in (spoil, *(known.program for known in exercise.mistakes), exercise.reference):
        outcome = verdict(name, program).outcome
    assert outcome == "right"
    assert drawn_cases(name, 0) is drawn_cases(name, 0)
    for shared, fresh in zip(drawn_cases(name, 0).cases, exercise.draw(0), strict=True):
        assert _same(fresh.inputs, shared.inputs), shared.what


def test_the_cases_that_confirm_a_mistake_are_drawn_once_for_a_class() -> None:
    known = EXERCISES["nearest"].mistakes[0]
    drawn = list[int]()
    for seed in (1001, 2001):
        assert verdict("nearest", known.program, seed).mistake is known
        drawn.append(drawn_cases.cache_info().misses)
    assert drawn[1] - drawn[0] == 1
