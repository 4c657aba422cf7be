"""Set the seed and the number of the tests' random draws.

By default both are fixed, so a run depends only on the commit. `QKVLIB_SEED=NUMBER` draws other
examples, and more of them: `make draws` does this, and `daily.yml` with a new number each day.
"""

from __future__ import annotations

import os
import random

from hypothesis import settings

SEED = os.environ.get("QKVLIB_SEED")
TIMES = 5 if SEED else 1
_PLAIN = 100  # hypothesis's own number of examples


def drawn(name: str) -> random.Random:
    """Return a random generator for the draw with this name."""
    return random.Random(f"{name} {SEED or 0}")


def profile() -> settings:
    """Return hypothesis's settings. No test fails for one slow run: the machine may be busy.

    With a seed, `conftest.py` passes it to hypothesis's own plugin.
    """
    most = 10 if os.environ.get("QKVLIB_QUICK") else _PLAIN * TIMES
    return settings(deadline=None, max_examples=most, derandomize=not SEED, database=None)
