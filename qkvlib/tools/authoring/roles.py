"""Underline the words query, key and value in the prose, in the colours of the pictures.

Coloured letters would not be readable on both a light and a dark page; a coloured line is visible on both.
The line only helps the eye: where a page drops it, as GitHub does, the words are enough.
"""

from __future__ import annotations

import re

from qkvlib.figures.theme import on_any_page

_WORDS = {"query": r"\bquer(?:y|ies)\b", "key": r"\bkeys?\b", "value": r"\bvalues?\b"}
_NO_PROSE = re.compile(r"(```.*?```|`[^`]*`|\$[^$]*\$|!\[[^]]*\]\([^)]*\)|\]\([^)]*\)|<[^>]*>)", re.DOTALL)
_NO_PARAGRAPH = ("#", "|", "<")


def underlined(text: str) -> str:
    """Return the text of one cell, with each of the three words underlined where it is first named.

    This is done only in a paragraph that names two of them. In other paragraphs a value may be any number,
    and a key may be one on the keyboard.
    """
    paragraphs = text.split("\n\n")
    missing = dict(_WORDS)
    for place, paragraph in enumerate(paragraphs):
        if paragraph.startswith(_NO_PARAGRAPH):
            continue
        prose = "".join(_NO_PROSE.split(paragraph)[::2])
        named = [role for role, word in _WORDS.items() if re.search(word, prose, re.IGNORECASE)]
        for role in named if len(named) > 1 else ():
            if role in missing:
                paragraph = _underline_first(paragraph, role, missing.pop(role))
        paragraphs[place] = paragraph
    return "\n\n".join(paragraphs)


def _underline_first(paragraph: str, role: str, word: str) -> str:
    line = f"border-bottom: 2px solid {on_any_page(role)}"
    parts = _NO_PROSE.split(paragraph)  # every other part is markup between the prose
    for place in range(0, len(parts), 2):
        marked = rf'<span style="{line}">\g<0></span>'
        parts[place], found = re.subn(word, marked, parts[place], count=1, flags=re.IGNORECASE)
        if found:
            break
    return "".join(parts)
