"""How a learner's text is cleaned, on both sides of the protocol; this needs no torch."""

from __future__ import annotations

import re
from typing import Any

# Stacked diacritics on one letter cover the lines around it.
_MARK = "[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
_PILED = re.compile(f"({_MARK}{{3}}){_MARK}+")


def clean(text: Any, longest: int = 1_000) -> str:
    """Return a learner's text for a report: shortened, and without control characters for terminals."""
    if type(text) is not str:
        return ""
    if len(text) <= longest and text.isascii() and text.isprintable():
        return text
    kept = (c for c in text[: longest + 1] if c == "\n" or (c.isprintable() and c != "\ufeff"))
    words = _PILED.sub(r"\1", "".join(kept)).encode("utf-8", "replace").decode("utf-8")
    return words if len(text) <= longest else words[: longest - 4] + " ..."
