"""Every lesson with other right answers in it: does it go through?

Of a lesson run the cells that an answer reaches, and those that they need. Training is cut short,
so that what a lesson claims of its outcome is not tried here (tests/experiments does that), but
that every line runs.
"""

from __future__ import annotations

import ast
import functools
import inspect
import re
import symtable
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any
from unittest import mock

from qkvlib import training
from qkvlib.exercises import EXERCISES
from qkvlib.exercises.kit.exercise import Answer
from qkvlib.training import loop, together

FOLDER = Path(__file__).parents[2] / "solutions"
STEPS = 3
# What takes long because it is done often, and how it is done less often.
CUTS = (
    ("torch.randn(2, 64, 16,", "torch.randn(2, 1, 16,"),
    ("for seed in range(1, 5)", "for seed in range(1, 1)"),
    ("steps=250, n_seeds=10", "steps=250, n_seeds=2"),
    ("torch.randn(1000, 3, generator", "torch.randn(10, 3, generator"),
    ("len(word) == 7][:300]", "len(word) == 7][:3]"),
    ("[::60][:100]", "[::60][:3]"),
)


def cells_of(lesson: Path, whole: bool = False) -> list[str]:
    """A lesson's cells of code, its loops cut short unless the `whole` is wanted."""
    text = lesson.read_text(encoding="utf-8")
    if not whole:
        for long, short in CUTS:
            text = text.replace(long, short)
        text = _LOOP.sub(rf"\1 in range({STEPS})", text)
    parts = re.split(r"^# %%(.*)\n", text, flags=re.MULTILINE)[1:]
    return [cell for head, cell in zip(parts[::2], parts[1::2], strict=True) if "[markdown]" not in head]


_LOOP = re.compile(r"(for (?:seed|step|_)) in range\(\d\d+\)")


def asked_in(cells: list[str]) -> list[str]:
    """The exercises that a lesson asks for, in order."""
    return [
        name
        for cell in cells
        for name in re.findall(r"^def (\w+)", cell, re.MULTILINE)
        if name in EXERCISES and f"{name} = check({name})" in "".join(cells)
    ]


def reached(cells: list[str], names: set[str]) -> list[str]:
    """The cells that something of these names goes into, and those that they need."""
    uses = _uses(cells)
    moving, found = set(names), set[int]()
    for i, (reads, makes) in enumerate(uses):
        if reads & moving or makes & names:
            found.add(i)
            moving |= makes
        else:
            moving -= makes
    return _with_what_they_need(cells, found)


def needed_by(cells: list[str], place: int) -> list[str]:
    """The cell at this place, after those that it needs."""
    return _with_what_they_need(cells, {place})


def _with_what_they_need(cells: list[str], places: set[int]) -> list[str]:
    found, needed = set(places), set[str]()
    for i, (reads, makes) in reversed(list(enumerate(_uses(cells)))):
        if i in found or makes & needed:
            found.add(i)
            needed |= reads
    return [cells[i] for i in sorted(found)]


def _uses(cells: list[str]) -> list[tuple[set[str], set[str]]]:
    """For each cell the names that it reads, and those that it makes or writes into.

    Who calls a function reads what stands in it.
    """
    inside: dict[str, set[str]] = {}
    found = []
    for cell in cells:
        table = symtable.symtable(cell, "<cell>", "exec")
        makes = {
            one.get_name()
            for one in table.get_symbols()
            if one.is_assigned() or one.is_imported() or one.is_namespace()
        }
        makes |= {
            name.id
            for node in ast.walk(ast.parse(cell))
            if isinstance(node, (ast.Subscript, ast.Attribute)) and isinstance(node.ctx, ast.Store)
            for name in ast.walk(node.value)
            if isinstance(name, ast.Name)
        }
        for child in table.get_children():
            inside[child.get_name()] = _read_in(child)
        reads = _read_in(table)
        while more := set().union(*(inside.get(name, set()) for name in reads)) - reads:
            reads |= more
        found.append((reads, makes))
    return found


def _read_in(table: symtable.SymbolTable) -> set[str]:
    """The names of the cell that are read here, or in a function that stands here."""
    top = table.get_type() == "module"
    own = {one.get_name() for one in table.get_symbols() if one.is_referenced() and (top or one.is_global())}
    return own.union(*map(_read_in, table.get_children()))


class StoppedError(Exception):
    """A lesson did not go through."""


def go_through(cells: list[str], answers: dict[str, Answer]) -> None:
    """Run these cells with these answers in the place of those that stand there."""
    names: dict[str, Any] = {"__name__": "__main__"}
    with redirect_stdout(StringIO()), trained_for_moments():
        for cell in cells:
            try:
                exec(compile(cell, "<cell>", "exec"), names)
            except Exception as error:
                raise StoppedError(f"{type(error).__name__}: {error}\n{cell}") from error
            for name in re.findall(r"^def (\w+)", cell, re.MULTILINE):
                if name in answers:
                    names[name] = called(name, answers[name])
            for name in re.findall(r"^(\w+) = check\(", cell, re.MULTILINE):
                if names[name] is EXERCISES[name].reference:
                    raise StoppedError(f"{name} is not taken for right")


def called(name: str, answer: Answer) -> Answer:
    """The same answer under the name of its exercise, as a learner would write it."""

    @functools.wraps(answer)
    def function(*inputs: Any, **named: Any) -> Any:
        return answer(*inputs, **named)

    function.__name__ = name
    return function


@contextmanager
def trained_for_moments() -> Iterator[None]:
    """No training takes more than a few steps."""
    with (
        mock.patch.object(training, "train", _cut(loop.train)),
        mock.patch.object(training, "train_together", _cut(together.train_together)),
    ):
        yield


def _cut(train: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(train)
    def short(*given: Any, **named: Any) -> Any:
        arguments = inspect.signature(train).bind(*given, **named)
        arguments.arguments["steps"] = min(STEPS, arguments.arguments["steps"])
        return train(*arguments.args, **arguments.kwargs)

    return short


def rounds(names: list[str]) -> Iterator[dict[str, Answer]]:
    """Each time each exercise's next alternative, until all were there."""
    most = max((len(EXERCISES[name].alternatives) for name in names), default=0)
    for j in range(most):
        answers = {name: EXERCISES[name].alternatives for name in names}
        yield {name: each[j % len(each)] for name, each in answers.items()}
