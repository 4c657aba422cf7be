"""Write a file so that its readers see the old one or the new one, never half of it. Trusted."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def write_atomically(path: Path, text: str, lasting: bool = False) -> None:
    """Put `text` at `path` in one step. Where that fails the old file is still there.

    What the record can give again needs no more; `lasting` waits until the disk has it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, part = tempfile.mkstemp(dir=path.parent, prefix=".qkv-", suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            if lasting:
                file.flush()
                os.fsync(file.fileno())
        os.chmod(part, 0o644)
        os.replace(part, path)
    except BaseException:
        Path(part).unlink(missing_ok=True)
        raise
