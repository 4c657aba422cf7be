"""A verdict, and how a learner sees it: the same words as plain text and as HTML."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any, Literal

from qkvlib.exercises.kit.exercise import Mistake
from qkvlib.figures.theme import LIGHT
from qkvlib.figures.words import marked_up

Outcome = Literal["right", "wrong", "not attempted", "raised"]

# The sign, the heading and the colour of the bar beside it. The heading is enough without the other two.
_LOOKS: dict[Outcome, tuple[str, str, str]] = {
    "right": ("✓", "Right", LIGHT.good),
    "wrong": ("✗", "Not yet", LIGHT.plus),
    "raised": ("!", "It stopped with an error", LIGHT.bad),
    "not attempted": ("○", "Not attempted", LIGHT.soft),
}

# Lines of numbers. JupyterLab scrolls on to the next cell, and the words must stay on the screen.
_IN_VIEW = 8


@dataclass(frozen=True)
class Evidence:
    """The smallest case that failed: its inputs, its result, and the expected result."""

    case: str
    inputs: tuple[tuple[str, str], ...]
    got: str
    expected: str
    printed: str = ""


@dataclass(frozen=True)
class Verdict:
    """The verdict on one answer to one exercise. `print` it, or let a notebook show it.

    A function that `needs_care` is right, but calling it directly could break later cells.
    """

    exercise: str
    outcome: Outcome
    points: int
    possible: int
    message: str
    mistake: Mistake | None = None
    evidence: Evidence | None = None
    hints: tuple[str, ...] = ()
    needs_care: bool = False

    def __str__(self) -> str:
        """The verdict for a terminal, and for nbval, which compares it."""
        sign, heading, _ = _LOOKS[self.outcome]
        lines = [f"{sign} {self.exercise}: {heading} ({self.points} of {_points(self)})"]
        lines += _words(self)
        if self.evidence:
            lines += ["", f"The smallest case that fails: {self.evidence.case}"]
            lines += [_aligned(name, text) for name, text in _rows(self.evidence)]
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """The verdict for JupyterLab: inline styles only, because they survive sanitising."""
        sign, heading, colour = _LOOKS[self.outcome]
        title = (
            f'<div style="font-weight: 600">'
            f"<span aria-hidden='true'>{sign}</span> {escape(self.exercise)}: {heading} "
            f'<span style="font-weight: 400">({self.points} of {_points(self)})</span></div>'
        )
        words = "".join(f'<p style="margin: 4px 0">{marked_up(line)}</p>' for line in _words(self))
        return (
            f'<div style="border-left: 5px solid {colour}; padding: 4px 12px; max-width: 72em; '
            'font-family: var(--jp-content-font-family, sans-serif); line-height: 1.5">'
            f"{title}{words}{_table(self.evidence, self.mistake is None) if self.evidence else ''}"
            f"{_folded(self.hints)}</div>"
        )


def display(thing: Any) -> None:
    """Show a text, or an object that has its own HTML, in a notebook or on a terminal."""
    from IPython.core.getipython import get_ipython
    from IPython.display import display as show

    if get_ipython() is None or isinstance(thing, str):
        print(thing)
    else:
        show(thing)


def _folded(hints: tuple[str, ...], place: int = 1) -> str:
    """Nest the hints, each folded inside the one before it, so that they open one at a time."""
    if place > len(hints):
        return ""
    return (
        '<details style="margin: 4px 0">'
        f'<summary style="cursor: pointer">Hint {place} of {len(hints)}</summary>'
        f'<p style="margin: 4px 0">{marked_up(hints[place - 1])}</p>'
        f"{_folded(hints, place + 1)}</details>"
    )


def _words(verdict: Verdict) -> list[str]:
    """Return the diagnosis first, if the mistake is known, then the facts, then whose function the lesson
    goes on with."""
    known = verdict.mistake
    lines = [known.diagnosis, f"Think about it: {known.question}"] if known else []
    if verdict.outcome != "right":
        lines += verdict.message.splitlines()
        lines.append(f"The lesson goes on with the course's own `{verdict.exercise}` until yours is right.")
    else:
        lines += verdict.message.splitlines()[1:]
        lines.append(f"The lesson goes on with your `{verdict.exercise}`.")
    return lines


def _points(verdict: Verdict) -> str:
    return f"{verdict.possible} point" + ("s" if verdict.possible != 1 else "")


def _rows(evidence: Evidence) -> list[tuple[str, str]]:
    came = [("printed", evidence.printed), ("got", evidence.got), ("expected", evidence.expected)]
    rows = [*evidence.inputs, *came]
    return [(name, text) for name, text in rows if text]


def _aligned(name: str, text: str) -> str:
    head = f"  {name:>8} = "
    return head + text.replace("\n", "\n" + " " * len(head))


def _table(evidence: Evidence, alone: bool) -> str:
    """The case, folded where a diagnosis says more or its numbers would push the words out of view."""
    shown = alone and sum(text.count("\n") + 1 for _, text in _rows(evidence)) <= _IN_VIEW
    rows = "".join(
        '<tr style="background: none">'
        '<th scope="row" style="text-align: right; vertical-align: top; font-weight: 600">'
        f'{escape(name)}</th><td style="text-align: left">'
        f'<pre style="margin: 0; background: none">{escape(text)}</pre></td></tr>'
        for name, text in _rows(evidence)
    )
    return (
        f'<details style="margin: 4px 0"{" open" if shown else ""}>'
        f'<summary style="cursor: pointer">The smallest case that fails: {escape(evidence.case)}</summary>'
        f'<table style="margin: 0; border: none">{rows}</table></details>'
    )
