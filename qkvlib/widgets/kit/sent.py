"""Files that a page without Python is sent, once for all widgets on it, named by their digests.

They are too large for a saved notebook. So a widget's setup names one, and whoever writes a page
sends it along: `app/page.py`.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from qkvlib.data import FOLDER

PRONOUNCER = FOLDER / "pronouncer.safetensors"


_FILES = (PRONOUNCER,)


@cache
def digest(path: Path) -> str:
    """What the file is named by: that of another version is another file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def files() -> dict[str, Path]:
    """Every such file by its digest."""
    return {digest(path): path for path in _FILES}
