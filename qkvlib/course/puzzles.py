"""Lines of a program to put in order: move them, and see what they make in the order you try."""

from __future__ import annotations

from qkvlib.exercises import EXERCISES
from qkvlib.exercises.kit.comparison import Objection
from qkvlib.exercises.kit.puzzle import Puzzle
from qkvlib.widgets.lines.widget import Lines


def puzzle(exercise: str, order: str = "") -> Lines:
    """The lines of a puzzle, each with its letter, to drag or to move by keys into a program.

        puzzle("order_the_heads")             all lines
        puzzle("order_the_heads", "EJ")       the same, where E and J are in the program already

    It runs the lines and judges nothing: a program of right shapes can still be wrong.
    """
    puzzles = {n: e.judged_by for n, e in EXERCISES.items() if isinstance(e.judged_by, Puzzle)}
    if exercise not in puzzles:
        raise ValueError(f"{exercise!r} is no puzzle: there is {', '.join(puzzles)}")
    lines = puzzles[exercise]
    letters = lines.letters(order)
    if isinstance(letters, Objection):
        raise ValueError(letters.words)
    return Lines(lines.lines, lines.watch, lines.table(), "".join(letters))
