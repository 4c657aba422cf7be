"""Each judging run of a student's work has its own cases, drawn from a seed that nobody can guess.

A run has a secret. A student's seed is derived from it, a notebook's from the student's, and a sandbox's from
the notebook's, always in one direction. So what a sandbox learns about its cases says nothing about
another's. A student's seed, which the record keeps, draws all of that student's cases again.
"""

from __future__ import annotations

import hashlib
import secrets

_BITS = 48


def of_a_run() -> int:
    """Make the secret of a run."""
    return secrets.randbits(_BITS)


def derived(seed: int, part: str | int) -> int:
    """Return the seed of a part: of a student, a file or a sandbox."""
    digest = hashlib.sha256(f"{seed}/{part}".encode()).digest()
    return int.from_bytes(digest[: _BITS // 8], "big")
