"""Where the course meets each misconception: in lessons, in code, in both forms of the test."""

from __future__ import annotations

from qkvlib.course.inventory.items import FORMS, form
from qkvlib.course.inventory.misconceptions import MISCONCEPTIONS

HEADS = (
    "misconception",
    "predicted",
    "refuted by an experiment",
    "caught in code",
    "asked again later",
    "form A",
    "form B",
)


def rows() -> list[tuple[str, ...]]:
    """A row for each misconception, a cell for each head; an empty cell is a gap in the course."""
    return [
        (
            one.name,
            one.predicted,
            one.refuted,
            one.caught,
            one.again,
            *(_offered(one.name, letter) for letter in FORMS),
        )
        for one in MISCONCEPTIONS.values()
    ]


def table() -> str:
    """The matrix as text, with what each misconception says below it."""
    lines = [HEADS, *rows()]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    rule = tuple("-" * width for width in widths)
    text = [
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in (HEADS, rule, *rows())
    ]
    text += ["", *(f"{one.name}: {one.says}" for one in MISCONCEPTIONS.values())]
    return "\n".join(text)


def _offered(misconception: str, letter: str) -> str:
    """The items of a form in which it is a choice."""
    names = [one.name for one in form(letter) if misconception in dict(one.wrong)]
    return " ".join(names)
