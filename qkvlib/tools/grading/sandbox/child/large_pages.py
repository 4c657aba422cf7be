"""Large pages for what a process has loaded, so that each of its forks copies far fewer.

A fork copies the table of its parent's pages, and its end goes through that table once more. With large
pages, where Linux has room for them, the table is much shorter. A page that a fork writes to is copied by
itself, as ever.
"""

from __future__ import annotations

import ctypes
from contextlib import suppress

from .libc import libc

_COLLAPSE = 25  # MADV_COLLAPSE, from Linux 6.1 on; older ones refuse it, and nothing is lost
_LARGE = 1 << 21


def gather() -> None:
    """Put this process's own memory together in large pages, as far as the system can."""
    with suppress(OSError), open("/proc/self/maps") as file:
        for line in file:
            span, rights, _, _, inode, *name = line.split()
            start, end = (int(part, 16) for part in span.split("-"))
            is_own = inode == "0" and rights == "rw-p" and name[:1] in ([], ["[heap]"])
            if is_own and end - start >= _LARGE:
                libc().madvise(ctypes.c_void_p(start), ctypes.c_size_t(end - start), _COLLAPSE)
