"""The HTML pages: a report for each student, the class at a glance, the answers in words.

Trusted code around untrusted text. The templates next to this file escape everything, unless this file marks
it as HTML, which it does only for code between backticks and for our own script. No text from a learner is
ever used as a template.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

import qkvlib
from qkvlib.tools.grading.publish.inventory import Inventory
from qkvlib.tools.grading.publish.marks import Mark, MarkRow, Marks, rows_by_key
from qkvlib.tools.grading.publish.overrides import Overrides
from qkvlib.tools.grading.results import GradedClass, Outcome, Result, Row

# The sign, the heading and the colour of each.
_LOOKS: dict[Outcome, tuple[str, str, str]] = {
    "right": ("✓", "Right", "--right"),
    "wrong": ("✗", "Not yet", "--wrong"),
    "raised": ("!", "It stopped with an error", "--raised"),
    "not attempted": ("○", "Not attempted", "--none"),
}
# The words for an answer that no known mistake explains.
_UNKNOWN = {"wrong": "(not a known mistake)", "raised": "(stopped with an error)"}
_STRESSED = re.compile(r"(?<!\w)\*(\w[^*]{0,60})\*(?!\w)")
_MOST_TO_TEACH = 3
_PACKAGE = Path(qkvlib.__file__).resolve().parent


def report(result: Result, total: float, possible: float, marks: Marks, decided: Overrides) -> str:
    """Return the page of one student."""
    return _page(
        "report",
        f"qkvlib: {result.name}",
        result=result,
        total=total,
        possible=possible,
        marks=marks,
        looks=_LOOKS,
        decided=decided.of,
    )


class _Answer(NamedTuple):
    """An answer in words: who wrote it, and its line of the marks file."""

    name: str
    text: str
    row: MarkRow


def answers(graded: GradedClass, marks: Marks) -> str:
    """Return the page of all answers in words, for marking them by hand."""
    rows, questions = dict(rows_by_key(marks)), []
    for name, facts in graded.questions.items():
        found, left_empty = [], set()
        for result in graded.results:
            for answer in result.answers:
                key = result.student, name
                if answer.name != name or key not in rows:
                    continue
                if not answer.text.strip() and marks.of(result, name) == Mark():
                    left_empty.add(result.student)
                    continue
                left_empty.discard(result.student)
                found.append(_Answer(result.name, answer.text, rows.pop(key)))
        found.sort(key=lambda one: _shuffled(name, one.row.student))
        questions.append((name, facts, found, len(left_empty)))
    digest = base64.b64encode(hashlib.sha256(_script().encode()).digest()).decode()
    return _page(
        "answers",
        "Answers in words",
        questions=questions,
        others=rows.values(),
        script=Markup(_script()),
        script_hash=f"sha256-{digest}",
    )


def _shuffled(question: str, student: str) -> bytes:
    """Return a sort key that says nothing about the author, and differs from question to question."""
    return hashlib.sha256(f"{question}/{student}".encode("utf-8", "replace")).digest()


@cache
def _script() -> str:
    """Return the script of the page of answers; it is the only one, and the page allows it by its hash."""
    return (Path(__file__).resolve().parent / "marking.js").read_text(encoding="utf-8")


def overview(
    graded: GradedClass, totals: Sequence[float], best: float, marks: Marks, inventory: Inventory
) -> str:
    """Return the page for the instructor."""
    rows = [row for result in graded.results for row in result.exercises]
    mistakes = _mistakes(graded, rows)
    return _page(
        "overview",
        "The class at a glance",
        graded=graded,
        totals=totals,
        best=best,
        marks=marks,
        looks=_LOOKS,
        inventory=inventory,
        waiting=sum(marks.waiting(result) > 0 for result in graded.results),
        to_teach=_to_teach(mistakes),
        counts=Counter((row.exercise, row.outcome) for row in rows),
        everybody=max(1, len(graded.results)),
        mistakes=mistakes,
    )


def _page(template: str, title: str, **values: object) -> str:
    return _templates().get_template(f"{template}.html.j2").render(title=title, **values)


@cache
def _templates() -> Environment:
    made = Environment(
        loader=FileSystemLoader(Path(__file__).resolve().parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )
    made.filters |= {
        "number": _number,
        "percent": _percent,
        "points": _points,
        "of": _of,
        "with_code": _with_code,
    }
    return made


def _number(value: float) -> str:
    return f"{value:g}"


def _percent(share: float) -> str:
    """Return '12%' of the class; a share above zero is never written as 0%."""
    if 0 < share < 0.005:
        return "<1%"
    return f"{100 * share:.0f}%".replace("-", "\N{MINUS SIGN}")


def _points(most: float) -> str:
    """'5 points'."""
    return f"{most:g} point" + ("" if most == 1 else "s")


def _of(given: float, most: float) -> str:
    """'3 of 5 points'."""
    return f"{given:g} of {_points(most)}"


def _with_code(line: str) -> Markup:
    """Return a line as HTML, with the parts between backticks as code; everything is escaped first."""
    parts = str(escape(line)).split("`")  # on a Markup, `re` would escape the joined pieces again
    return Markup("").join(
        Markup(f"<code>{part}</code>" if i % 2 else _STRESSED.sub(r"<em>\1</em>", part))
        for i, part in enumerate(parts)
    )


@dataclass(frozen=True)
class _Mistake:
    """A mistake that several students made in the same exercise, with the question that leads out of it.

    `lesson` is where this is taught; `share` is the part of the class that made it.
    """

    exercise: str
    chapter: int
    lesson: str
    students: int
    share: float
    words: str
    question: str


def _mistakes(graded: GradedClass, rows: Sequence[Row]) -> list[_Mistake]:
    """Return which mistakes are common where; wrong answers that no mistake explains come last."""
    counts = Counter(
        (row.exercise, row.chapter, row.diagnosis or _UNKNOWN[row.outcome], row.question)
        for row in rows
        if row.outcome in _UNKNOWN
    )
    order, everybody = list(graded.exercises), len(graded.results)
    found = [
        _Mistake(exercise, chapter, _lesson(chapter), many, many / everybody, words, question)
        for (exercise, chapter, words, question), many in counts.items()
    ]
    return sorted(found, key=lambda m: (order.index(m.exercise), m.words[0] == "(", -m.students))


def _to_teach(mistakes: Sequence[_Mistake]) -> list[_Mistake]:
    """Return the named mistakes that most students share; no class has to be taught one student's own."""
    shared = [one for one in mistakes if one.question and one.students > 1]
    return sorted(shared, key=lambda one: -one.students)[:_MOST_TO_TEACH]


@cache
def _lesson(chapter: int) -> str:
    """Return 'Chapter 1, Similarity'. It is read from a file, because the course's own modules load torch."""
    facts = json.loads((_PACKAGE / "course" / "chapters.json").read_text(encoding="utf-8"))
    title = next((one["title"] for one in facts if one["name"][:2] == f"{chapter:02}"), "")
    return f"chapter {chapter}" + (f", {title}" if title else "")
