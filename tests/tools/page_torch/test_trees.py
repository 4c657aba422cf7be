"""Random expressions give in the page what they give under torch, and so do their gradients.

Other ones each day; `python -m tests.tools.page_torch 5000` tries as many as one likes.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import datetime, timezone
from typing import Any

from tests.tools.page_torch.comparison import apart
from tests.tools.page_torch.conftest import Runs
from tests.tools.page_torch.test_gradients import way_back
from tests.tools.page_torch.test_operations import inputs
from tests.tools.page_torch.trees import program

TREES = 150


def differing(both: Runs, programs: list[str]) -> list[str]:
    """What differs, each with the program that shows it."""
    pairs = zip(programs, both(programs), strict=True)
    return [
        f"{words}\n{one}"
        for one, (found, wanted) in pairs
        if (words := apart(found, wanted, False)) and not _is_refused(found)
    ]


def _is_refused(found: Any) -> bool:
    """Whether the page says that it has not got it, as of a whole number beyond 2**53."""
    return "error" in found and found["error"][0] == "NotInThisPage"


def test_a_random_expression_is_torchs(both: Runs) -> None:
    today = datetime.now(timezone.utc).date().isoformat()
    rng = random.Random(today)
    wrong = differing(both, [program(rng) for _ in range(TREES)])
    assert not wrong, "\n\n".join(wrong)


def test_a_wrong_number_is_seen(both: Runs) -> None:
    def a_bit_off(programs: Sequence[str]) -> list[tuple[Any, Any]]:
        pairs = both(programs)
        for found, _ in pairs:
            found["parts"][1]["parts"][0]["numbers"][0] += 1e-6  # a gradient's first number
        return pairs

    rng = random.Random(0)
    one = way_back(inputs(rng), "out = (x * w).exp()", 3) + "result = [out, result]"
    assert not differing(both, [one])
    assert len(differing(a_bit_off, [one])) == 1
