"""What is kept of a learner's text, on both sides of the protocol: no torch is needed for that."""

from __future__ import annotations

from typing import Any


def clean(text: Any, longest: int = 1_000) -> str:
    """A learner's text for a report: cut, and without characters that steer terminals."""
    if type(text) is not str:
        return ""
    kept = (c for c in text[: longest + 1] if c == "\n" or (c.isprintable() and c != "\ufeff"))
    words = "".join(kept).encode("utf-8", "replace").decode("utf-8")
    return words if len(text) <= longest else words[: longest - 4] + " ..."
