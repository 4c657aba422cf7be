"""Test one program of every third exercise, or of each with the sweeps; `make proof` tests them all."""

from __future__ import annotations

import random
from itertools import chain, groupby

import pytest

from tests import draws
from tests.proof import under_torch
from tests.proof.__main__ import in_node
from tests.proof.programs import Program, of_the_bank
from tests.proof.table import differences


def _some(programs: list[Program], rng: random.Random) -> list[Program]:
    return rng.sample(programs, min(draws.TIMES, len(programs)))


@pytest.mark.drawn
@pytest.mark.whole
@pytest.mark.usefixtures("unchecked_signatures")  # as in a learner's session
def test_a_page_says_what_torch_says(swept_too: bool) -> None:
    rng = draws.drawn("programs")
    by_exercise = groupby(of_the_bank(), lambda program: program.exercise)
    drawn = [_some(list(programs), rng) for _, programs in by_exercise]
    drawn = list(chain.from_iterable(drawn if swept_too else drawn[::3]))
    ours = list(under_torch.verdicts(drawn))
    ends = [not record["message"].startswith("Stopped") for record in ours]
    drawn = [one for one, does in zip(drawn, ends, strict=True) if does]  # node cannot end an endless loop
    ours = [one for one, does in zip(ours, ends, strict=True) if does]
    assert not list(differences(drawn, ours, in_node(drawn)))


def test_a_page_that_says_something_else_is_listed() -> None:
    program = Program("dot", "reference", "")
    record = {"outcome": "right", "message": "Right.", "mistake": None, "hints": []}
    assert not list(differences([program], [record], [dict(record)]))
    for what in ("outcome", "message", "mistake", "hints"):
        (line,) = differences([program], [record], [record | {what: "another"}])
        assert what in line


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        (
            "ValueError: too many values to unpack (expected 2)",
            "ValueError: too many values to unpack (expected 2, got 3)",
        ),
        (
            "The left side has 2 names, and the right side has more values. Each",
            "The left side has 2 names, and the right side has 3 values. Each",
        ),
    ],
)
def test_newer_words_of_pythons_are_no_difference_and_another_number_is(older: str, newer: str) -> None:
    program = Program("dot", "reference", "")
    assert not list(differences([program], [{"message": older}], [{"message": newer}]))
    assert list(differences([program], [{"message": older}], [{"message": newer.replace("2", "4")}]))
    few = "The left side has 3 names, and the right side has 2 values. Each value needs its own name."
    other = few.replace("has 2", "has 1")
    assert list(differences([program], [{"message": few}], [{"message": other}]))
