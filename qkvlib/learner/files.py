"""Write a file so that its readers see the old version or the new one, never half of it."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


def write_atomically(path: Path, content: str | bytes, *, lasting: bool = False) -> None:
    """Put `content` at `path` in one step. If that fails, the old file is still there.

    Text is written as UTF-8 with its line ends unchanged; a missing folder is created. `lasting` waits
    until the disk has the data, for what cannot be made again.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".qkv-{secrets.token_hex(8)}.part")  # two writers never share one
    try:
        with part.open("xb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            if lasting:
                file.flush()
                os.fsync(file.fileno())
        os.replace(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
