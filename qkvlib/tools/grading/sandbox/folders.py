"""Where sandboxes' private folders are: one place for each grader, which disappears with the grader.

Trusted. A grader that is killed cannot clean up. So each grader holds a lock on its place, which the system
releases in any case, and the next grader removes every place without a lock.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

_PREFIX = "qkv-sandbox-"


class Folders:
    """A place for private folders, made when it is first needed."""

    def __init__(self) -> None:
        self._place: Path | None = None
        self._lock = -1

    def make(self) -> Path:
        """Make an empty folder."""
        if self._place is None:
            self._place = self._make_a_place()
        return Path(tempfile.mkdtemp(dir=self._place)).resolve()

    def close(self) -> None:
        """Remove the place and everything in it."""
        if self._place is not None:
            remove(self._place)
            os.close(self._lock)
            self._place = None

    def _make_a_place(self) -> Path:
        remove_what_was_left()
        while True:
            place = Path(tempfile.mkdtemp(prefix=_PREFIX))
            with suppress(OSError):  # another grader has just taken it for an abandoned one
                self._lock = _locked(place)
                return place


def remove(folder: Path) -> None:
    """Delete a folder with contents that are not ours, however deep it is."""
    try:
        shutil.rmtree(folder, ignore_errors=True)
    except RecursionError:
        subprocess.run(["rm", "-rf", "--", str(folder)], check=False, capture_output=True)


def remove_what_was_left() -> None:
    """Remove every place of this user's that no grader holds. Other users' places are for them to remove."""
    for place in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with suppress(OSError):
            lock = _locked(place)
            remove(place)
            os.close(lock)


def _locked(place: Path) -> int:
    """Open the folder and lock it; raise OSError if another process holds it, or it is not one of ours."""
    handle = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        if os.fstat(handle).st_uid != os.getuid():
            raise PermissionError(f"{place} is somebody else's")
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if not os.path.samestat(os.fstat(handle), os.stat(place)):
            raise FileNotFoundError(place)
    except OSError:
        os.close(handle)
        raise
    return handle
