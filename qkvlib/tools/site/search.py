"""The data for the search: questions, chapters, sections, words and exercises.

It is one file, which a page loads when its search is first opened. `script/search.js` does the searching.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from html import unescape
from pathlib import Path
from typing import NamedTuple

import nbformat
from nbformat import NotebookNode

from qkvlib.course.chapters import Chapter
from qkvlib.course.glossary import entries as words
from qkvlib.figures.words import marked_up
from qkvlib.tools.site.questions import questions
from qkvlib.tools.site.text import as_html, without_tags

_HEADING = re.compile(r'<h([23]) id="([^"]*)">(.*?)</h\1>(.*?)(?=<h[23]|\Z)', re.DOTALL)
_TERMS = re.compile(r"^terms\((.*?)\)", re.MULTILINE | re.DOTALL)
_EXERCISE = "Exercise: "
_MOST = 200  # characters of the text below a heading
# A heading that more chapters than this share belongs to their frame, and is not a place to look for.
_FRAME = 3


class Entry(NamedTuple):
    """One thing that can be found."""

    kind: str
    """One of those that `script/search.js` weighs: "question", "chapter" and so on."""
    title: str
    address: str
    where: str
    """The chapter, for a reader."""
    text: str
    """What else of it is searched, and shown."""


def entries(root: Path, lessons: Sequence[Chapter]) -> list[Entry]:
    """Return everything that can be found, questions first."""
    asked = [
        Entry("question", plain(as_html(one.asked)), f"questions.html#{place_of(one.asked)}", "", said)
        for one in questions(root)
        for said in [plain(as_html(one.answer))]
    ]
    cells = {
        one: nbformat.read(root / "lessons" / f"{one.name}.ipynb", as_version=4).cells for one in lessons
    }
    found = [entry for one in lessons for entry in _headings(one, cells[one])]
    often = Counter(entry.title for entry in found)
    boxes = {name: place for one in lessons for name, place in _boxes(one, cells[one])}
    return [
        *asked,
        *(
            Entry("chapter", one.title, f"{one.name}.html", "", f"{one.question} {one.settles}")
            for one in lessons
        ),
        *(entry for entry in found if often[entry.title] <= _FRAME),
        *(
            Entry("word", term.name, *boxes[term.name], plain(_meaning(term.what, term.also)))
            for term in words()
            if term.name in boxes
        ),
    ]


def place_of(heading: str) -> str:
    """Return the address of a heading within its page."""
    found = _HEADING.search(as_html(f"### {heading}"))
    assert found
    return found[2]


def plain(html: str) -> str:
    """Return the words of some HTML, on one line."""
    html = re.sub(r"<math.*?</math>", " ", html, flags=re.DOTALL)
    return " ".join(unescape(without_tags(html)).split())


def _meaning(what: str, also: Sequence[str]) -> str:
    return marked_up(". Also called: ".join([what, "; ".join(also)]) if also else what)


def _headings(one: Chapter, cells: Sequence[NotebookNode]) -> Iterator[Entry]:
    html = "".join(as_html(cell.source) for cell in cells if cell.cell_type == "markdown")
    for _, place, title, below in _HEADING.findall(html):
        text = plain(below)
        cut = text if len(text) <= _MOST else text[:_MOST].rsplit(" ", 1)[0] + " …"
        named = plain(title)
        kind = "exercise" if named.startswith(_EXERCISE) else "section"
        yield Entry(kind, named.removeprefix(_EXERCISE), f"{one.name}.html#{place}", one.title, cut)


def _boxes(one: Chapter, cells: Sequence[NotebookNode]) -> Iterator[tuple[str, tuple[str, str]]]:
    """Return each term of a chapter's box, the address of the box, and the chapter."""
    section = ""
    for cell in cells:
        if cell.cell_type == "markdown":
            section = next((found[1] for found in reversed(_HEADING.findall(as_html(cell.source)))), section)
        elif box := _TERMS.search(cell.source):
            for name in re.findall(r'"([^"]+)"', box[1]):
                yield name, (f"{one.name}.html#{section}", one.title)
