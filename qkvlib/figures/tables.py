"""Figures without interaction. Every chapter uses `matrix`: numbers with the names of rows and columns.

A figure is also its own plain text, for a terminal, a screen reader and nbval.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from jaxtyping import Float
from torch import Tensor

from qkvlib.figures import theme

STRONGEST = 0.65  # the background of the largest number: both dark and light text are readable on it

_CELL = "padding: 3px 10px; text-align: right; border: none; font-variant-numeric: tabular-nums"
_HEAD = f"{_CELL}; font-weight: 400"
_WORDS = "text-align: left; vertical-align: top; padding: 3px 10px 3px 0"
_ROLES = {"query": theme.LIGHT.query, "key": theme.LIGHT.key, "value": theme.LIGHT.value}


@dataclass(frozen=True)
class Figure:
    """A picture: HTML where that can be shown, text everywhere else."""

    html: str
    text: str

    def _repr_html_(self) -> str:
        return self.html

    def __repr__(self) -> str:
        return self.text


def matrix(
    values: Float[Tensor, "n m"],
    rows: Sequence[str],
    columns: Sequence[str],
    title: str = "",
    *,
    weights: bool = False,
    digits: int = 2,
) -> Figure:
    """Show a matrix with named rows and columns; the background of each number shows its size.

    Signed numbers run from violet through the page's colour to gold, scaled to the largest of them.
    `weights=True` is for attention weights, from 0 to 1: from the page's colour to raspberry.
    """
    if values.shape != (len(rows), len(columns)):
        raise ValueError(
            f"values has shape {tuple(values.shape)}, but there are {len(rows)} names of rows and "
            f"{len(columns)} of columns: give one name to each"
        )
    # Compute the background from the rounded numbers, so that equal words look equal.
    numbers = values.detach().double().round(decimals=digits).tolist()
    cells = [[written(number, digits) for number in row] for row in numbers]
    seen = max((abs(number) for row in numbers for number in row), default=0.0)
    most = 1.0 if weights else seen or 1.0
    ground = [[_ground(x / most, weights=weights) for x in row] for row in numbers]
    return Figure(_as_html(cells, ground, rows, columns, title), _as_text(cells, rows, columns, title))


def table(heads: Sequence[str], html: Sequence[Sequence[str]], text: Sequence[Sequence[str]]) -> Figure:
    """Return a table of words: its cells as HTML, and the same cells as plain text."""
    head = "".join(_head(name, "col", _WORDS) for name in heads)
    body = "".join(
        "<tr>" + "".join(f'<td style="{_WORDS}">{cell}</td>' for cell in row) + "</tr>" for row in html
    )
    widths = [max(map(len, column)) for column in zip(heads, *text, strict=True)]
    lines = [
        "  ".join(f"{cell:<{w}}" for cell, w in zip(row, widths, strict=True)).rstrip()
        for row in (heads, *text)
    ]
    return Figure(f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>", "\n".join(lines))


def side_by_side(*figures: Figure) -> Figure:
    """Put figures in one row, as far as there is space; as text, one below the other."""
    boxes = "".join(f"<div>{figure.html}</div>" for figure in figures)
    html = f'<div style="display: flex; flex-wrap: wrap; gap: 8px 40px">{boxes}</div>'
    return Figure(html, "\n\n".join(figure.text for figure in figures))


def chip(role: str, words: str) -> str:
    """Return words on the colour of a role, "query", "key" or "value", as HTML."""
    look = f"background: {_ROLES[role]}; color: #fff; padding: 1px 7px; border-radius: 4px"
    return f'<span style="{look}">{escape(words)}</span>'


def written(number: float, digits: int = 2) -> str:
    """Format a number with a true minus sign, and without one before a zero."""
    text = f"{number:.{digits}f}"
    return text.lstrip("-") if not text.strip("-0.") else text.replace("-", "−")


def coordinates(spot: Sequence[float]) -> str:
    """Format the first two coordinates of a point."""
    return f"({written(spot[0])}, {written(spot[1])})"


def _ground(t: float, *, weights: bool) -> str:
    """Return a number's background, `t` from -1 to 1: a figure does not know if its page is dark."""
    sign = theme.LIGHT.plus if t > 0 else theme.LIGHT.minus
    return theme.veil(theme.LIGHT.weight if weights else sign, STRONGEST * abs(t))


def _as_html(
    cells: Sequence[Sequence[str]],
    ground: Sequence[Sequence[str]],
    rows: Sequence[str],
    columns: Sequence[str],
    title: str,
) -> str:
    caption = f'<div style="font-weight: 600; margin: 6px 0 2px">{escape(title)}</div>'
    head = "".join(_head(name, "col", _HEAD) for name in columns)
    body = "".join(
        f'<tr style="background: none">{_head(name, "row", _HEAD)}'
        + "".join(
            f'<td style="{_CELL}; background: {colour}">{number}</td>'
            for number, colour in zip(numbers, colours, strict=True)
        )
        + "</tr>"
        for name, numbers, colours in zip(rows, cells, ground, strict=True)
    )
    return (
        f"{caption if title else ''}"
        '<table style="border: none; margin: 0 0 8px; border-collapse: collapse">'
        f'<tr style="background: none">{_head("", "col", _HEAD)}{head}</tr>{body}</table>'
    )


def _head(name: str, scope: str, style: str) -> str:
    """Return a row's or column's heading; a corner is none, so a screen reader does not take it for one."""
    if not name:
        return f'<td style="{style}"></td>'
    return f'<th scope="{scope}" style="{style}">{escape(name)}</th>'


def _as_text(cells: Sequence[Sequence[str]], rows: Sequence[str], columns: Sequence[str], title: str) -> str:
    first = max(map(len, rows), default=0)
    widths = [
        max(len(name), *(len(row[j]) for row in cells)) if cells else len(name)
        for j, name in enumerate(columns)
    ]
    lines = [[" " * first, *(f"{name:>{w}}" for name, w in zip(columns, widths, strict=True))]]
    for name, row in zip(rows, cells, strict=True):
        padded = [f"{number:>{w}}" for number, w in zip(row, widths, strict=True)]
        lines.append([f"{name:<{first}}", *padded])
    return "\n".join([title] * bool(title) + ["  ".join(line).rstrip() for line in lines])
