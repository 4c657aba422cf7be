"""Files that pages share. Each name has a hash of the contents, so that no cached file is out of date."""

from __future__ import annotations

import hashlib
from pathlib import Path

_FOLDER = "assets"


class Assets:
    """The folder of shared files within a site."""

    def __init__(self, site: Path) -> None:
        self._site = site
        (site / _FOLDER).mkdir(parents=True, exist_ok=True)

    def write_named(self, name: str, content: str) -> str:
        """Write a file under a fixed name, which others may know; return its address."""
        path = self._site / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(content, encoding="utf-8")
        return name

    def add(self, name: str, content: bytes | str) -> str:
        """Write a file once; return its address, as a page of the site writes it."""
        plain = content.encode() if isinstance(content, str) else content
        stem, dot, kind = name.rpartition(".")
        address = f"{_FOLDER}/{stem}-{hashlib.sha256(plain).hexdigest()[:10]}{dot}{kind}"
        (self._site / address).write_bytes(plain)
        return address
