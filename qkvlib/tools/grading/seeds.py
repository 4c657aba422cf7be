"""Each look at somebody's work has cases of its own, drawn from a seed that nobody can guess.

A run has a secret. A student's seed comes from it, a notebook's from the student's, a sandbox's
from the notebook's, always one way. So what a sandbox learned about its cases says nothing about
those of another. A student's seed, which the record keeps, draws all that student's cases again.
"""

from __future__ import annotations

import hashlib
import secrets

_BITS = 48


def of_a_run() -> int:
    """The secret of a run."""
    return secrets.randbits(_BITS)


def derived(seed: int, part: str | int) -> int:
    """The seed of a part of what has this seed: of a student, a file or a sandbox."""
    digest = hashlib.sha256(f"{seed}/{part}".encode()).digest()
    return int.from_bytes(digest[: _BITS // 8], "big")
