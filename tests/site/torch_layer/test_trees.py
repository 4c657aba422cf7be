"""Random expressions give in the page what they give under torch, and so do their gradients.

Other ones each day; `python -m tests.site.torch_layer 5000` tries as many as one likes.
"""

from __future__ import annotations

import random
from datetime import datetime, timezone

from tests.site.torch_layer.comparison import apart
from tests.site.torch_layer.conftest import Runs
from tests.site.torch_layer.trees import program

TREES = 150


def differing(both: Runs, programs: list[str]) -> list[str]:
    """What differs, each with the program that shows it."""
    pairs = zip(programs, both(programs), strict=True)
    return [
        f"{words}\n{one}"
        for one, (found, wanted) in pairs
        if (words := apart(found, wanted, False))
    ]


def test_a_random_expression_is_torchs(both: Runs) -> None:
    today = datetime.now(timezone.utc).date().isoformat()
    rng = random.Random(today)
    wrong = differing(both, [program(rng) for _ in range(TREES)])
    assert not wrong, "\n\n".join(wrong)


def test_a_wrong_number_is_seen(both: Runs) -> None:
    rng = random.Random(0)
    made = [program(rng) for _ in range(5)]
    (pairs,) = (both(made),)
    for found, wanted in pairs:
        if "error" not in wanted:
            first = found["parts"][0]
            first["numbers"][0] = 1e-6 + 1.001 * float(first["numbers"][0])
            assert apart(found, wanted, False)
