"""Write names and code within a sentence, for figures, widgets and verdicts."""

from __future__ import annotations

import re
from html import escape

_STRESSED = re.compile(r"(?<!\w)\*(\w[^*]{0,60})\*(?!\w)")
_LETTERED = re.compile(r"[^\W\d_][\d₀-₉]+")


def quoted(name: str) -> str:
    """Quote a name within a sentence, where "its" would be read as part of it; k₁ or t0 needs no quotes."""
    return name if _LETTERED.fullmatch(name) else f"“{name}”"


def marked_up(line: str) -> str:
    """Return a line of words as HTML: escaped, with code between backticks, and stress between asterisks."""
    parts = escape(line).split("`")
    stressed = [_STRESSED.sub(r"<i>\1</i>", part) for part in parts]
    return "".join(f"<code>{parts[i]}</code>" if i % 2 else stressed[i] for i in range(len(parts)))
