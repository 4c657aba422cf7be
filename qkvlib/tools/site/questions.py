"""The questions that people ask, from one source, `lessons/questions.md`, for JupyterLab and the pages.

A group is a heading of the second level, a question one of the third. Its text ends with links to the
sections that show the answer, each written `[Chapter: Section](NN_name.ipynb#Section)`. Comments below
name what proves it, one a line, and no reader sees them:

<!-- proof: claim 04: ... -->                what `tests/experiments` measures over seeds
<!-- proof: prediction 03-x-x-x -->          a prediction whose outcome a lesson computes
<!-- proof: mistake softmax.unstable -->     a wrong answer that an exercise names
<!-- proof: cell: ... -->                    code of a chapter that a link leads to
<!-- proof: test: test_... -->               a test in tests/tools/site/test_questions.py
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from urllib.parse import unquote

SOURCE = Path("lessons/questions.md")
_COMMENT = re.compile(r"<!-- (.*?) -->\n?")
_LINK = re.compile(r"\[([^\]]+)\]\((\w+)\.ipynb#([^)\s]+)\)")
_PAGE_LINK = re.compile(r'<a href="(\w+)\.html#([^"]+)">([^<]*)</a>')
_LINKS = "*Try it:*"


@dataclass(frozen=True)
class Pointer:
    """A link to a section of a lesson."""

    words: str
    lesson: str
    """Such as "03_projections"."""
    section: str
    """The address of its heading in the lesson."""


@dataclass(frozen=True)
class Question:
    """A question, and everything that its source says about it."""

    asked: str
    answer: str
    """As Markdown, without the links."""
    pointers: tuple[Pointer, ...]
    proofs: tuple[str, ...]
    line: int
    """Where in the source it stands."""


def questions(root: Path) -> list[Question]:
    """Return all questions, in order."""
    text = (root / SOURCE).read_text(encoding="utf-8")
    found = []
    for part in re.finditer(r"^### (.+)\n((?:(?!##).*\n?)*)", text, re.MULTILINE):
        answer, _, links = part[2].partition(_LINKS)
        found.append(
            Question(
                asked=part[1],
                answer=answer.strip(),
                pointers=tuple(
                    Pointer(words, lesson, unquote(at)) for words, lesson, at in _LINK.findall(links)
                ),
                proofs=tuple(one.removeprefix("proof: ") for one in _COMMENT.findall(links)),
                line=1 + text.count("\n", 0, part.start()),
            )
        )
    return found


def without_comments(root: Path) -> str:
    """Return the source as a reader sees it."""
    return _COMMENT.sub("", (root / SOURCE).read_text(encoding="utf-8"))


def with_widgets(html: str, widgets: Mapping[str, Mapping[str, str]]) -> str:
    """Return the page's HTML. A link to a section with a widget gets a second link, to the widget.

    `widgets` has, for each lesson, the address of a section's widget by the section's address.
    """

    def and_widget(found: re.Match[str]) -> str:
        lesson, section, words = found.groups()
        place = widgets.get(lesson, {}).get(unescape(unquote(section)))
        if not place:
            return found[0]
        return f'{found[0]} (<a href="{lesson}.html#{place}" aria-label="widget in {words}">widget</a>)'

    return _PAGE_LINK.sub(and_widget, html)
