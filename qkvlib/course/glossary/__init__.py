"""The words of the course, each in one place: what it means here, and what it means elsewhere.

glossary("query")           everything about one word, with its meanings in papers and libraries
glossary()                  every word in a line
terms("query", "key")       the box at the end of a lesson
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from html import escape
from pathlib import Path

from qkvlib.course.glossary.entry import Term, read
from qkvlib.figures import Figure, chip, table
from qkvlib.figures.words import marked_up

_TERMS = read(Path(__file__).parent / "glossary.md")
_HEADS = ("term", "in code", "shape", "what it is", "also called")


def entries() -> list[Term]:
    """Every word with all that is known of it, in the order of the file."""
    return list(_TERMS.values())


def terms(*names: str) -> Figure:
    """The terms box of a lesson: one line a term. An unknown name is its author's error."""
    return _box([_term(name) for name in names])


def glossary(name: str | None = None) -> Figure:
    """What a word means in this course and what it means elsewhere; without a name, all words."""
    if name is None:
        return _box(sorted(_TERMS.values(), key=lambda term: term.name.lower()))
    try:
        term = _term(name)
    except ValueError as error:
        words = f"{error}. glossary() lists every word."
        return Figure(f"<p>{escape(words)}</p>", words)
    box = _box([term])
    if not term.meanings:
        return box
    title = f"“{term.name}” elsewhere"
    heads, rows = ("where", "what it means there"), [(m.where, m.means) for m in term.meanings]
    cells = [[marked_up(cell) for cell in row] for row in rows]
    html = f'{box.html}<div style="font-weight: 600; margin: 6px 0 2px">{escape(title)}</div>'
    return Figure(html + table(heads, cells, []).html, f"{box.text}\n\n{title}\n{_lines(rows)}")


def _term(name: str) -> Term:
    """The entry of a word, found also by what others call it, or an error that suggests some."""
    wanted = name.strip().lower()
    own = [term for term in _TERMS.values() if wanted == term.name.lower()]
    if known := own or [term for term in _TERMS.values() if wanted in _other_names(term)]:
        return known[0]
    near = difflib.get_close_matches(wanted, _TERMS, n=3)
    instead = f": try {', '.join(map(repr, near))}" if near else ""
    raise ValueError(f"{name!r} is not in the glossary{instead}")


def _other_names(term: Term) -> set[str]:
    """In code, and as others call it: `also` has a name, then a comma and who uses it."""
    return {term.code.lower(), *(alias.split(",")[0].lower() for alias in term.also)}


def _box(chosen: Sequence[Term]) -> Figure:
    cells = [
        [
            _named(term),
            f"<code>{escape(term.code)}</code>" if term.code else "",
            escape(term.shape),
            marked_up(term.what),
            marked_up("; ".join(term.also)),
        ]
        for term in chosen
    ]
    return Figure(table(_HEADS, cells, []).html, _lines([_in_words(term) for term in chosen]))


def _named(term: Term) -> str:
    name = chip(term.role, term.name) if term.role else f"<b>{escape(term.name)}</b>"
    return f"{name} {_set(term.symbol)}".strip()


def _in_words(term: Term) -> tuple[str, str]:
    colour = {"query": "blue", "key": "orange", "value": "green"}.get(term.role, "")
    facts = "; ".join(filter(None, (term.symbol, term.code, term.shape, colour)))
    also = f" Also called: {'; '.join(term.also)}." if term.also else ""
    return (f"{term.name} ({facts})" if facts else term.name, f"{term.what}.{also}")


def _lines(rows: Sequence[tuple[str, str]]) -> str:
    return "\n".join(f"{left}: {right}" for left, right in rows)


def _set(symbol: str) -> str:
    """A symbol as it is set in print: W_Q with a small low Q, K^T with a small high T."""
    text = re.sub(r"_(\w+)", r"<sub>\1</sub>", escape(symbol))
    return "<i>" + re.sub(r"\^(\w+)", r"<sup>\1</sup>", text) + "</i>"
