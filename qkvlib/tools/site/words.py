"""Mark the glossary's words in a text: each shows its meaning where a section first names it.

Where a page first names a word, its underline is strong; in later sections it is faint.
"""

from __future__ import annotations

import re
from itertools import count

from qkvlib.course.glossary import entries
from qkvlib.figures.words import marked_up

_TAG = re.compile(r"(<[^>]+>)")
_NAME = re.compile(r"</?(\w+)")
# Nothing is marked outside prose, inside buttons and links, or twice in one section.
_LEFT_ALONE = {"a", "code", "dfn", "details", "math", "pre", "span", "summary", "table"}
_LEFT_ALONE |= {f"h{level}" for level in range(1, 7)}
_SHORTEST = 3  # characters
# We do not explain words in the titles of books and papers.
_TITLES = 'id="What-to-read-next"'
# A word in its everyday sense: it is not marked there, nor again in that section.
_PLAIN = {
    "lock and key": "key",
    "on the table": "matrix",
    "block by block": "block",
    "in blocks": "block",
    "blocks on its diagonal": "block",
    "outside its blocks": "block",
}


class Marker:
    """Mark the words of one page, and remember which ones the present section has named."""

    def __init__(self) -> None:
        self._seen: set[str] = set()
        self._known: set[str] = set()  # that the page has named, in any section
        self._in_titles = False
        self._numbers = count(1)

    def marked(self, html: str) -> str:
        """Return the HTML of a cell's text with its words marked."""
        inside = 0
        pieces = []
        for piece in _TAG.split(html):
            if tag := _NAME.match(piece):
                if tag[1] in _LEFT_ALONE:
                    inside += -1 if piece.startswith("</") else 1
                if piece.startswith("<h2"):
                    self._seen.clear()
                    self._in_titles = _TITLES in piece
            elif not inside and not self._in_titles:
                piece = _WORDS.sub(self._explained, piece)
            pieces.append(piece)
        return "".join(pieces)

    def _explained(self, found: re.Match[str]) -> str:
        if plain := _PLAIN.get(" ".join(found[0].lower().split())):
            self._seen.add(plain)
            return found[0]
        name = next(each for each, form in _FORMS.items() if form.fullmatch(found[0]))
        if name in self._seen:
            return found[0]
        self._seen.add(name)
        again = ' class="again"' if name in self._known else ""
        self._known.add(name)
        place = f"word-{next(self._numbers)}"
        meaning = f"<b>{name}</b>: {_MEANINGS[name]}"
        return (
            f'<dfn{again} tabindex="0" aria-describedby="{place}">{found[0]}</dfn>'
            f'<span role="tooltip" id="{place}">{meaning}</span>'
        )


def _form(name: str) -> str:
    """Match the word or its plural, even across a line break."""
    if name.endswith("y"):
        return rf"{_written(name[:-1])}(?:y|ies)"
    return rf"{_written(name)}(?:es|s)?"


def _written(name: str) -> str:
    return r"\s+".join(map(re.escape, name.split(" ")))


_MEANINGS = {term.name: marked_up(term.what) for term in entries() if len(term.name) >= _SHORTEST}
_FORMS = {name: re.compile(_form(name), re.IGNORECASE) for name in _MEANINGS}
_LONGEST_FIRST = "|".join(
    [_written(phrase) for phrase in _PLAIN]
    + [_form(name) for name in sorted(_MEANINGS, key=len, reverse=True)]
)
# The arrow keys of a keyboard are not keys in attention.
_WORDS = re.compile(rf"(?<![\w-])(?<!arrow )(?:{_LONGEST_FIRST})(?![\w-])", re.IGNORECASE)
