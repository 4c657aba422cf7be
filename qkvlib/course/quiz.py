"""How a quiz went: a count, and what to read again, as links."""

from __future__ import annotations

import re
from html import escape
from urllib.parse import quote

from qkvlib.course.chapters import chapters
from qkvlib.figures import Figure
from qkvlib.widgets.predict.widget import questions

_REREAD = re.compile(r"Reread chapter (\d+), “(.+?)”\.?$")


def quiz_result(chapter: str) -> Figure:
    """How many questions of a quiz are answered, how many rightly, and what to read again.

    It counts the questions that this session has asked; `quiz_result("17")` is that of chapter 17.
    """
    mine = questions(chapter)
    right = sum(one.choice is not None and one.choice == one.outcome for one in mine)
    unanswered = sum(one.choice is None for one in mine)
    rest = f", {unanswered} not answered yet" if unanswered else ""
    count = f"{right} of {len(mine)} right{rest}"
    places = {place for one in mine if (place := _REREAD.search(one.advice))}
    again = sorted({(int(place[1]), place[2]) for place in places})
    if not again:
        return Figure(f"<p>{count}</p>", count)
    files = {int(one.number): f"{one.name}.ipynb" for one in chapters()}
    links = "".join(
        f'<li><a href="{files[number]}#{quote(section.replace(" ", "-"))}">'
        f"chapter {number}, {escape(section)}</a></li>"
        for number, section in again
    )
    lines = [f"- chapter {number}, {section}" for number, section in again]
    return Figure(
        f"<p>{count}</p><p>To read again:</p><ul>{links}</ul>",
        "\n".join([count, "To read again:", *lines]),
    )
