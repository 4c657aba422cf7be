"""The system's own library, opened once, before the first fork: to open it takes long."""

from __future__ import annotations

import ctypes
from functools import cache


@cache
def libc() -> ctypes.CDLL:
    """The library; `ctypes.get_errno()` says what was wrong with a call."""
    return ctypes.CDLL(None, use_errno=True)
