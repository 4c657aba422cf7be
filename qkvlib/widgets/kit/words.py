"""Words in a widget's sentences; `words.js` is its other half."""

from __future__ import annotations

import re

_LETTERED = re.compile(r"[^\W\d_][\d₀-₉]+")


def quoted(name: str) -> str:
    """A name within a sentence, where "its" would be read along; k₁ or t0 stands out by itself."""
    return name if _LETTERED.fullmatch(name) else f"“{name}”"
