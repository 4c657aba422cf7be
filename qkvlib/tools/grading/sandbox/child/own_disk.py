"""A disk of its own: a sandbox sees the machine's files read-only, and writes to a little memory.

This uses Linux's mount namespaces. Reading a file on a writable disk leaves the time of access behind, which
the next sandbox can see; on a read-only disk it leaves nothing. What a sandbox writes goes to a disk of its
own with a fixed size, which no trick exceeds: a file without a name, an empty file with reserved space, or a
memory map. The disk disappears with the process. `/proc` is empty, because the kernel has counters there that
all processes share.

Root may do this, and elsewhere every user to whom the system gives a namespace. Some systems and containers
do not. Then only the other restrictions are in place.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Sequence
from contextlib import suppress

from .libc import checked, libc

_NEW_MOUNTS, _NEW_USER = 0x0002_0000, 0x1000_0000
_MOUNT_SETATTR, _AT_FDCWD, _RECURSIVELY = 442, -100, 0x8000  # the same on every processor
_READ_ONLY, _PRIVATE = 1, 1 << 18
_NO_SETUID, _NO_DEVICES, _NO_PROGRAMS = 2, 4, 8
_SAFE = _NO_SETUID | _NO_DEVICES | _NO_PROGRAMS
_MOST_FILES = 4096


class _Attributes(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("set", "clear", "propagation", "namespace")]


def prepare() -> bool:
    """Prepare to `make` a disk in this process, or in one that is forked from it.

    This needs a single thread, and must happen before the process hides itself from others. The process
    itself keeps the machine's disks, because torch writes there while it loads its parts.
    """
    with suppress(OSError):
        _unshare()
        _change_all_mounts(_Attributes(propagation=_PRIVATE))
        return True
    return False


def make(folder: str, megabytes: int, hidden: Sequence[str] = ()) -> None:
    """Mount an empty disk of this size at `folder`, for this process only, and nothing at /proc.

    The `hidden` folders look empty: Landlock denies access to their files, but does not hide their names,
    sizes and times.
    """
    checked(libc().unshare(_NEW_MOUNTS), "unshare")
    _change_all_mounts(_Attributes(set=_READ_ONLY))
    size = f"size={megabytes}m,nr_inodes={_MOST_FILES},mode=700".encode()
    _mount(folder, _SAFE, size)
    for shut in ("/proc", *_that_can_be_shut(folder, hidden)):
        if os.path.isdir(shut):  # and not in one that is shut already
            _mount(shut, _SAFE | _READ_ONLY, b"size=4k,mode=555")
    os.chdir(folder)


def _mount(folder: str, flags: int, options: bytes) -> None:
    checked(libc().mount(b"qkv", os.fsencode(folder), b"tmpfs", flags, options), "mount")


def _that_can_be_shut(folder: str, hidden: Sequence[str]) -> list[str]:
    """Return the folders that contain neither the disk itself nor the libraries that Python still reads."""
    needed = [os.path.realpath(place) for place in (folder, sys.prefix, sys.base_prefix)]
    return [
        shut
        for shut in map(os.path.realpath, hidden)
        if not any(os.path.commonpath([shut, place]) == shut for place in needed)
    ]


def _change_all_mounts(attributes: _Attributes) -> None:
    size = ctypes.c_size_t(ctypes.sizeof(attributes))
    done = libc().syscall(_MOUNT_SETATTR, _AT_FDCWD, b"/", _RECURSIVELY, ctypes.byref(attributes), size)
    checked(done, "mount_setattr")


def _unshare() -> None:
    """Get private mounts: root may have them, and so may a user in a namespace of that user's own."""
    if libc().unshare(_NEW_MOUNTS) == 0:
        return
    user, group = os.getuid(), os.getgid()
    checked(libc().unshare(_NEW_USER | _NEW_MOUNTS), "unshare")
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{user} {user} 1"),
        ("gid_map", f"{group} {group} 1"),
    ):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)
