"""Names and code within a sentence, as figures, widgets and verdicts write them."""

from __future__ import annotations

import re
from html import escape

_LETTERED = re.compile(r"[^\W\d_][\d₀-₉]+")


def quoted(name: str) -> str:
    """A name within a sentence, where "its" would be read along; k₁ or t0 stands out by itself."""
    return name if _LETTERED.fullmatch(name) else f"“{name}”"


def inline_code(line: str) -> str:
    """A line of words as HTML, with what stands between backticks as code."""
    return _between("`", "code", escape(line))


def inline_code_and_stress(line: str) -> str:
    """The same, with what stands between asterisks slanted."""
    return _between("*", "i", inline_code(line))


def _between(mark: str, tag: str, html: str) -> str:
    """Every second part between the marks, within a tag."""
    parts = html.split(mark)
    return "".join(f"<{tag}>{part}</{tag}>" if i % 2 else part for i, part in enumerate(parts))
