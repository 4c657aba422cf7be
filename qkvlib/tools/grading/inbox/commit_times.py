"""Find out when the files of a cloned repository were committed, according to git.

Trusted code that reads a student's repository. git runs with our own configuration and takes only the objects
from the repository, because a repository's configuration can name programs to run. A history can be so long,
and an object so large, that git would work for hours. So git gets a limited time for all files of one
repository, and limited memory.
"""

from __future__ import annotations

import os
import re
import stat
import subprocess
import tempfile
import time
from functools import lru_cache, partial
from pathlib import Path

_HASH = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_SECONDS = 20.0  # for all files of one student's repository
_KILOBYTES = 1 << 20


@lru_cache(maxsize=1)  # for the present student only
def _head(repository: Path) -> str:
    """Return the commit that is checked out, or nothing."""
    folder = repository / ".git"
    words = _read(folder / "HEAD")
    if not words.startswith("ref: "):
        return words if _HASH.fullmatch(words) else ""
    name = words.removeprefix("ref: ")
    if not re.fullmatch(r"refs/[\w./-]+", name) or ".." in name:
        return ""
    if _HASH.fullmatch(found := _read(folder / name)):
        return found
    packed = (line.split(" ") for line in _read(folder / "packed-refs").splitlines())
    return next((line[0] for line in packed if line[1:] == [name]), "")


@lru_cache(maxsize=1)
def _spent(_: Path) -> list[float]:
    """Return the seconds that git has spent on this repository so far."""
    return []


def committed(repository: Path, within: str) -> float | None:
    """Return when the last commit changed this file; None if git does not say, or not in time."""
    started, spent = time.monotonic(), _spent(repository)
    left = _SECONDS - sum(spent)
    try:
        return _committed(repository, within, left) if left > 0 else None
    finally:
        spent.append(time.monotonic() - started)


def is_out_of_time(repository: Path) -> bool:
    """Tell whether git has used up its time for this repository."""
    return sum(_spent(repository)) >= _SECONDS


def _committed(repository: Path, within: str, seconds: float) -> float | None:
    objects, head = repository / ".git" / "objects", _head(repository)
    if not _HASH.fullmatch(head) or not objects.is_dir():
        return None
    with tempfile.TemporaryDirectory() as made:
        bare = {
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_DIR": made,
            "PATH": os.environ.get("PATH", os.defpath),
        }
        limited = ["sh", "-c", f'ulimit -v {_KILOBYTES} && exec git -c core.packedGitWindowSize=16m "$@"']
        ask = [*limited, "git", "log", "-1", "--format=%ct", head, "--", f":(top,literal){within}"]
        run = partial(
            subprocess.run, env=bare, cwd=made, check=True, capture_output=True, text=True, timeout=seconds
        )
        try:
            run(["git", "init", "-q", "--bare", made])
            if shallow := _read(repository / ".git" / "shallow"):
                Path(made, "shallow").write_text(f"{shallow}\n")
            bare["GIT_OBJECT_DIRECTORY"] = str(objects.resolve())
            return float(run(ask).stdout)
        except (OSError, ValueError, subprocess.SubprocessError):
            return None


def _read(path: Path) -> str:
    """Return the text of an ordinary small file, or nothing."""
    try:
        with open(path, "rb", opener=ordinary) as file:
            return file.read(1 << 20).decode("ascii", "replace").strip()
    except OSError:
        return ""


def ordinary(path: str, flags: int) -> int:
    """Open an ordinary file, without following a link or waiting for a pipe."""
    handle = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError("it is no ordinary file")
    return handle
