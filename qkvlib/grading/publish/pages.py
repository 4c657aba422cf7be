"""The HTML pages: a report for each student, the class at a glance, the answers in words.

Trusted code around untrusted text. The templates beside this file escape whatever they are given,
unless this file says that it is HTML already, which it says in one place. Nothing of a learner's is
ever taken for a template.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from qkvlib.grading.publish.inventory import Inventory
from qkvlib.grading.publish.marks import Marks
from qkvlib.grading.publish.overrides import Overrides
from qkvlib.grading.results import GradedClass, Outcome, Result, Row

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


def report(result: Result, total: float, possible: float, marks: Marks, decided: Overrides) -> str:
    """The page of one student."""
    return _page(
        "report", f"qkvlib: {result.name}",
        result=result, total=total, possible=possible, marks=marks, headings=_HEADINGS,
        decided=decided.of,
    )  # fmt: skip


def answers(results: Sequence[Result], marks: Marks) -> str:
    """The page of all answers in words, for marking them by hand."""
    return _page("answers", "Answers in words", results=results, marks=marks)


def overview(
    graded: GradedClass, totals: Sequence[float], best: float, marks: Marks, inventory: Inventory
) -> str:
    """The page for the instructor."""
    rows = [row for result in graded.results for row in result.exercises]
    return _page(
        "overview", "The class at a glance",
        graded=graded, totals=totals, best=best, marks=marks, colours=_COLOURS,
        inventory=inventory,
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
    made.filters["percent"] = _percent
    return made


def _number(value: float) -> str:
    return f"{value:g}"


def _percent(share: float) -> str:
    """'−16 %', which no line breaks in two."""
    return f"{100 * share:.0f}\N{NO-BREAK SPACE}%".replace("-", "\N{MINUS SIGN}")


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
