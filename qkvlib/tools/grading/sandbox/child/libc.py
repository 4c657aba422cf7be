"""The system's C library, opened once before the first fork, because opening it takes long."""

from __future__ import annotations

import ctypes
from functools import cache


@cache
def libc() -> ctypes.CDLL:
    """Return the library; `ctypes.get_errno()` says what was wrong with a call."""
    return ctypes.CDLL(None, use_errno=True)
