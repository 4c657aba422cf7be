"""Restrict access to files with Linux's Landlock, called directly, because Python does not offer it.

It needs no root and cannot be undone. It hides every file's content and every folder's list, unless a rule
below allows it, but it does not hide whether a path exists.
"""

from __future__ import annotations

import ctypes
import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from .libc import checked, libc

# Unlike the numbers of older calls, these three are the same on every processor that Linux runs on.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446

_READ_FILE, _READ_DIR = 1 << 2, 1 << 3
_WRITE_FILE, _REMOVE_DIR, _REMOVE_FILE = 1 << 1, 1 << 4, 1 << 5
_MAKE_DIR, _MAKE_FILE, _TRUNCATE = 1 << 7, 1 << 8, 1 << 14
_READ = _READ_FILE | _READ_DIR
_ON_A_FILE = _READ_FILE | _WRITE_FILE | _TRUNCATE
_KEEP = _READ | _WRITE_FILE | _REMOVE_DIR | _REMOVE_FILE | _MAKE_DIR | _MAKE_FILE | _TRUNCATE

# The rights that each version of Landlock knows: asking for an unknown one is an error.
_RIGHTS_OF_VERSION = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1}
_ALL_RIGHTS = (1 << 16) - 1


class _Ruleset(ctypes.Structure):
    _fields_ = [("files", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64)]


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32)]


def version() -> int:
    """Return the kernel's version of Landlock; 0 if it has none."""
    return max(0, int(libc().syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), 1)))


def without(root: Path, secrets: Sequence[Path]) -> Iterator[Path]:
    """Return the fewest paths that contain everything below `root` except the `secrets`."""
    below = [secret for secret in secrets if secret.is_relative_to(root)]
    if root in below:
        return
    if not below:
        yield root
        return
    for entry in sorted(root.iterdir()):
        if not entry.is_symlink():
            yield from without(entry, below)


def close_in(readable: Sequence[int], folder: str, removing: bool = True) -> None:
    """From now on, allow reading only below the open paths `readable`, and writing only below `folder`.

    Without `removing`, files that were written there cannot be removed.
    """
    known = version()
    rights = _RIGHTS_OF_VERSION.get(known, _ALL_RIGHTS)
    rules = _Ruleset(rights, 0b11 if known >= 4 else 0, 0b11 if known >= 6 else 0)
    size = 8 if known < 4 else 16 if known < 6 else 24
    ruleset = _landlock(_CREATE_RULESET, ctypes.byref(rules), ctypes.c_size_t(size), 0)
    for place in readable:
        _allow(ruleset, place, _READ & rights)
    own = os.open(folder, os.O_PATH | os.O_CLOEXEC)
    _allow(ruleset, own, (_KEEP if removing else _KEEP & ~_REMOVE_FILE) & rights)
    _landlock(_RESTRICT_SELF, ruleset, 0)
    os.close(own)
    os.close(ruleset)


def _allow(ruleset: int, place: int, rights: int) -> None:
    if not stat.S_ISDIR(os.fstat(place).st_mode):
        rights &= _ON_A_FILE
    rule = _PathBeneath(rights, place)
    _landlock(_ADD_RULE, ruleset, 1, ctypes.byref(rule), 0)


def _landlock(*arguments: Any) -> int:
    return checked(libc().syscall(*arguments), "Landlock")
