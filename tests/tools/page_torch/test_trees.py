"""Test that random expressions and their gradients are the same in the page as under torch.

`python -m tests.tools.page_torch 5000` tries any number of them.
"""

from __future__ import annotations

import random
import textwrap
from collections.abc import Sequence
from typing import Any

import pytest

from tests.draws import TIMES, drawn
from tests.tools.page_torch.comparison import apart
from tests.tools.page_torch.conftest import Runs
from tests.tools.page_torch.test_gradients import way_back
from tests.tools.page_torch.test_operations import inputs
from tests.tools.page_torch.trees import program

TREES = 150

# What draws seeded by the date would have found on these days, and similar programs.
ONCE_RED = {
    "2027-03-08, a row of none": """
        i = torch.tensor([[5, 5], [0, 4]])
        nowhere = (i - i.to(torch.uint8)).amin(1, keepdim=True).nonzero()
        result = nowhere.index_select(0, torch.tensor([0]))
    """,
    "NaN is not zero": "result = torch.tensor([0, 1, math.nan]).nonzero()",
}


def differing(both: Runs, programs: list[str]) -> list[str]:
    """Return the differences, each with the program that shows it."""
    pairs = zip(programs, both(programs), strict=True)
    return [
        f"{words}\n{one}"
        for one, (found, wanted) in pairs
        if (words := apart(found, wanted, False)) and not _is_refused(found)
    ]


def _is_refused(found: Any) -> bool:
    """Return whether the page refuses the operation, as for a whole number beyond 2**53."""
    return "error" in found and found["error"][0] == "NotInThisPage"


@pytest.mark.drawn
def test_a_random_expression_is_torchs(both: Runs) -> None:
    rng = drawn("expressions")
    wrong = differing(both, [program(rng) for _ in range(TREES * TIMES)])
    assert not wrong, "\n\n".join(wrong)


@pytest.mark.parametrize("name", ONCE_RED)
def test_what_was_red_once_is_not_again(both: Runs, name: str) -> None:
    assert not differing(both, [textwrap.dedent(ONCE_RED[name])])


def test_a_wrong_number_is_seen(both: Runs) -> None:
    def a_bit_off(programs: Sequence[str]) -> list[tuple[Any, Any]]:
        pairs = both(programs)
        for found, _ in pairs:
            found["parts"][1]["parts"][0]["numbers"][0] += 1e-6  # the first number of a gradient
        return pairs

    rng = random.Random(0)
    one = way_back(inputs(rng), "out = (x * w).exp()", 3) + "result = [out, result]"
    assert not differing(both, [one])
    assert len(differing(a_bit_off, [one])) == 1
