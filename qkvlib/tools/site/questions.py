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
from html import unescape
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

SOURCE = Path("lessons/questions.md")
_COMMENT = re.compile(r"<!-- .*? -->\n?")
_PAGE_LINK = re.compile(r'<a href="(\w+)\.html#([^"]+)">([^<]*)</a>')
_LINKS = "*Try it:*"


class Question(NamedTuple):
    """A question, its answer, and below it the links and what proves it; all three are Markdown."""

    asked: str
    answer: str
    below: str


def questions(root: Path) -> list[Question]:
    """Return all questions, in order."""
    text = (root / SOURCE).read_text(encoding="utf-8")
    found = []
    for asked, whole in re.findall(r"^### (.+)\n((?:(?!##).*\n?)*)", text, re.MULTILINE):
        answer, _, below = whole.partition(_LINKS)
        found.append(Question(asked, answer.strip(), below))
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
