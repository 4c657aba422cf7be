"""Lines of a program to put in order: see them, and see what they make in the order you try."""

from __future__ import annotations

from html import escape

from qkvlib.exercises import EXERCISES
from qkvlib.exercises.kit.comparison import Objection
from qkvlib.exercises.kit.puzzle import Puzzle
from qkvlib.figures import Figure, table


def puzzle(exercise: str, order: str = "") -> Figure:
    """The lines of a puzzle, each with its letter; with an order, what these lines make.

        puzzle("order_the_heads")             all lines
        puzzle("order_the_heads", "EJ")       E runs, then J: the shape of what each makes

    It runs the lines and judges nothing: a program of right shapes can still be wrong.
    """
    lines = _puzzle(exercise)
    if not order:
        return _table(["", "line"], [[letter, code] for letter, code in lines.lines.items()])
    letters = lines.letters(order)
    if isinstance(letters, Objection):
        raise ValueError(letters.words)
    rows = [[letter, lines.lines[letter], made] for letter, made in lines.watch(letters)]
    return _table(["", "line", "makes the shape"], rows)


def _puzzle(exercise: str) -> Puzzle:
    judges = {name: one.judged_by for name, one in EXERCISES.items()}
    puzzles = {name: judge for name, judge in judges.items() if isinstance(judge, Puzzle)}
    if exercise not in puzzles:
        raise ValueError(f"{exercise!r} is no puzzle: there is {', '.join(puzzles)}")
    return puzzles[exercise]


def _table(heads: list[str], rows: list[list[str]]) -> Figure:
    html = [
        [f"<b>{escape(letter)}</b>", f"<code>{escape(code)}</code>", *map(escape, rest)]
        for letter, code, *rest in rows
    ]
    return table(heads, html, rows)
