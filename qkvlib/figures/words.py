"""Write names and code within a sentence, for figures, widgets and verdicts."""

from __future__ import annotations

import re
from html import escape

_LETTERED = re.compile(r"[^\W\d_][\d₀-₉]+")


def quoted(name: str) -> str:
    """Quote a name within a sentence, where "its" would be read as part of it; k₁ or t0 needs no quotes."""
    return name if _LETTERED.fullmatch(name) else f"“{name}”"


def inline_code(line: str) -> str:
    """Return a line of words as HTML, with anything between backticks as code."""
    return _between("`", "code", escape(line))


def inline_code_and_stress(line: str) -> str:
    """Return a line of words as HTML, with code, and with anything between asterisks in italics."""
    return _between("*", "i", inline_code(line))


def _between(mark: str, tag: str, html: str) -> str:
    """Put every second part between the marks into a tag."""
    parts = html.split(mark)
    return "".join(f"<{tag}>{part}</{tag}>" if i % 2 else part for i, part in enumerate(parts))
