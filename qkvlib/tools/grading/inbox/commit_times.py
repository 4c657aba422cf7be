"""When the files of a cloned repository were committed, as git wrote it down.

Trusted code in front of a student's repository: git runs with a configuration of ours, and takes
only the objects from there, for a repository's own configuration can name programs to be run.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from functools import lru_cache
from pathlib import Path

_HASH = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_SECONDS = 20


@lru_cache(maxsize=1)  # of one student after the other
def _head(repository: Path) -> str:
    """The commit that is checked out, or nothing."""
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


def committed(repository: Path, within: str) -> float | None:
    """When the last commit changed this file; None where git does not say."""
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
        ask = ["git", "log", "-1", "--format=%ct", head, "--", f":(top,literal){within}"]
        try:
            subprocess.run(
                ["git", "init", "-q", "--bare", made],
                env=bare,
                check=True,
                capture_output=True,
                timeout=_SECONDS,
            )
            if shallow := _read(repository / ".git" / "shallow"):
                Path(made, "shallow").write_text(f"{shallow}\n")
            bare["GIT_OBJECT_DIRECTORY"] = str(objects.resolve())
            done = subprocess.run(
                ask, env=bare, cwd=made, check=True, capture_output=True, text=True, timeout=_SECONDS
            )
            return float(done.stdout)
        except (OSError, ValueError, subprocess.SubprocessError):
            return None


def _read(path: Path) -> str:
    """The text of an ordinary small file, or nothing."""
    try:
        if not path.is_file() or path.is_symlink():
            return ""
        with path.open("rb") as file:
            return file.read(1 << 20).decode("ascii", "replace").strip()
    except OSError:
        return ""
