"""The HTML pages: a report for each student, the class at a glance, the answers in words.

Trusted code around untrusted text. The templates beside this file escape whatever they are given,
unless this file says that it is HTML already, which it says of code between backticks and of our
own script. Nothing of a learner's is ever taken for a template.
"""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from qkvlib.grading.publish.alike import MARGIN, SHORTEST, Pair, threshold
from qkvlib.grading.publish.csv_files import harmless
from qkvlib.grading.publish.marks import Marks, rows_by_key
from qkvlib.grading.publish.overrides import Overrides
from qkvlib.grading.results import GradedClass, Outcome, Result, Row, WrittenAnswer

_HEADINGS: dict[Outcome, tuple[str, str]] = {
    "right": ("✓", "Right"),
    "wrong": ("✗", "Not yet"),
    "raised": ("!", "It stopped with an error"),
    "not attempted": ("○", "Not attempted"),
}
_COLOURS: dict[Outcome, str] = {
    "right": "--right", "wrong": "--wrong", "raised": "--raised", "not attempted": "--none",
}  # fmt: skip
# What is said of an answer that no known mistake explains.
_UNKNOWN = {"wrong": "(not a known mistake)", "raised": "(stopped with an error)"}
_BAR_LEFT, _BAR_WIDTH = 240.0, 400.0
_MOST_PAIRS = 50  # so many pairs of alike answers are shown


def report(result: Result, total: float, possible: float, marks: Marks, decided: Overrides) -> str:
    """The page of one student."""
    return _page(
        "report", f"qkvlib: {result.name}",
        result=result, total=total, possible=possible, marks=marks, headings=_HEADINGS,
        decided=decided.of,
    )  # fmt: skip


@dataclass(frozen=True)
class _Answer:
    """An answer in words with its mark, as it stands in the marks file."""

    student: str
    name: str
    text: str
    points: str
    comment: str


@dataclass(frozen=True)
class _Question:
    """A question with everybody's answers, in an order that says nothing of who wrote them."""

    name: str
    most: int
    asked: str
    look_for: tuple[str, ...]
    answers: tuple[_Answer, ...]


def answers(graded: GradedClass, marks: Marks) -> str:
    """The page of all answers in words, for marking them by hand."""
    asked, shown = [], set()
    for name, facts in graded.questions.items():
        found = []
        for result in graded.results:
            for answer in result.answers:
                if answer.name == name and (result.student, name) not in shown:
                    shown.add((result.student, name))
                    found.append(_answer(result, answer, marks))
        found.sort(key=lambda one: hashlib.sha256(f"{name}/{one.student}".encode()).digest())
        asked.append(
            _Question(name, facts.points, facts.question, facts.look_for, tuple(found))
        )  # fmt: skip
    others = [row for key, row in rows_by_key(marks) if key not in shown]
    digest = base64.b64encode(hashlib.sha256(_script().encode()).digest()).decode()
    return _page(
        "answers", "Answers in words", questions=asked, others=others, script=Markup(_script()),
        script_hash=f"sha256-{digest}",
    )  # fmt: skip


def _answer(result: Result, answer: WrittenAnswer, marks: Marks) -> _Answer:
    mark = marks.of(result, answer)
    points = "" if mark.points is None else f"{mark.points:g}"
    student = str(harmless(result.student))
    return _Answer(student, result.name, answer.text, points, mark.comment)


@cache
def _script() -> str:
    """What the page of answers does; its only script, which the page knows by its hash."""
    return (Path(__file__).resolve().parent / "marking.js").read_text(encoding="utf-8")


def alike_answers(
    pairs: Sequence[Pair], called: Mapping[str, str], answers: Mapping[str, Mapping[str, str]]
) -> str:
    """The page of answers that are alike; `called` are the students' names."""
    return _page(
        "alike", "Answers that are alike",
        pairs=pairs, listed=pairs[:_MOST_PAIRS], called=called, students=len(called),
        exercises=len(answers), compared=sum(len(texts) for texts in answers.values()),
        pairs_in_all=len(called) * (len(called) - 1) // 2, least=threshold(len(called)),
        by_chance=threshold(len(called)) - MARGIN, shortest=SHORTEST,
    )  # fmt: skip


def overview(graded: GradedClass, totals: Sequence[float], best: float, marks: Marks) -> str:
    """The page for the instructor."""
    rows = [row for result in graded.results for row in result.exercises]
    return _page(
        "overview", "The class at a glance",
        graded=graded, totals=totals, best=best, marks=marks, colours=_COLOURS,
        waiting=sum(marks.waiting(result) > 0 for result in graded.results),
        to_teach=_to_teach(rows), histogram=_histogram(totals, best), bars=_bars(graded, rows),
        mistakes=_mistakes(graded, rows),
    )  # fmt: skip


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
    )
    made.filters |= {"number": _number, "points": _points, "of": _of, "with_code": _with_code}
    return made


def _number(value: float) -> str:
    return f"{value:g}"


def _points(most: float) -> str:
    """'5 points'."""
    return f"{most:g} point" + ("" if most == 1 else "s")


def _of(given: float, most: float) -> str:
    """'3 of 5 points'."""
    return f"{given:g} of {_points(most)}"


def _with_code(line: str) -> Markup:
    """A line of text with what stands between backticks as code. Escaped first: it is HTML now."""
    parts = escape(line).split("`")
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if i % 2 else part for i, part in enumerate(parts)
    )


@dataclass(frozen=True)
class _Mistake:
    """What several students did in the same exercise, with the question that leads out of it."""

    exercise: str
    students: int
    words: str
    question: str = ""


def _to_teach(rows: Sequence[Row]) -> _Mistake | None:
    """The one mistake that most people share."""
    known = Counter((row.exercise, row.diagnosis, row.question) for row in rows if row.mistake)
    if not known:
        return None
    (exercise, diagnosis, question), students = known.most_common(1)[0]
    return _Mistake(exercise, students, diagnosis, question)


def _mistakes(graded: GradedClass, rows: Sequence[Row]) -> list[_Mistake]:
    """Which mistakes are common where; wrong answers that no mistake explains come last."""
    counts = Counter(
        (row.exercise, row.diagnosis or _UNKNOWN[row.outcome])
        for row in rows
        if row.outcome in _UNKNOWN
    )
    order = list(graded.exercises)
    found = [_Mistake(exercise, many, words) for (exercise, words), many in counts.items()]
    return sorted(found, key=lambda m: (order.index(m.exercise), m.words[0] == "(", -m.students))


@dataclass(frozen=True)
class _Column:
    """A bar of the histogram; `share` is its height beside the highest."""

    name: str
    students: int
    share: float


def _histogram(totals: Sequence[float], best: float) -> list[_Column]:
    """How many students have how many points: a bar a point, or ten bars when there are many."""
    if not totals or best <= 0:
        return []
    width = 1 if best <= 12 else best / 10
    names = [
        f"{i * width:.3g}" + ("" if width == 1 else " +") for i in range(int(best / width) + 1)
    ]
    counts = Counter(min(len(names) - 1, int(total / width + 1e-9)) for total in totals)
    most = max(counts.values())
    return [_Column(name, counts[i], counts[i] / most) for i, name in enumerate(names)]


@dataclass(frozen=True)
class _Part:
    """The students of one outcome, as a piece of an exercise's bar."""

    outcome: Outcome
    students: int
    left: float
    width: float


@dataclass(frozen=True)
class _Bar:
    """One exercise's bar, cut into its outcomes."""

    exercise: str
    right: int
    parts: tuple[_Part, ...]


def _bars(graded: GradedClass, rows: Sequence[Row]) -> list[_Bar]:
    counts = Counter((row.exercise, row.outcome) for row in rows)
    everybody = max(1, len(graded.results))
    bars = []
    for name in graded.exercises:
        left, parts = _BAR_LEFT, []
        for outcome in _COLOURS:
            many = counts[name, outcome]
            width = _BAR_WIDTH * many / everybody
            if many:
                parts.append(_Part(outcome, many, left, width))
            left += width
        bars.append(_Bar(name, counts[name, "right"], tuple(parts)))
    return bars
