"""Run every lesson with other right answers, and find out whether it still runs to its end.

Only the cells that an answer affects are run, and the cells that these need. Training is shortened,
so this tests that every line runs, and not what a lesson claims about the result
(tests/experiments does that).
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
# Loops that take long because they repeat often, and their shorter versions.
CUTS = (
    ("torch.randn(2, 64, 16,", "torch.randn(2, 1, 16,"),
    ("for seed in range(1, 5)", "for seed in range(1, 1)"),
    ("steps=250, n_seeds=10", "steps=250, n_seeds=2"),
    ("torch.randn(1000, 3, generator", "torch.randn(10, 3, generator"),
    ("len(word) == 7][:300]", "len(word) == 7][:3]"),
    ("[::60][:100]", "[::60][:3]"),
)


def cells_of(lesson: Path, whole: bool = False) -> list[str]:
    """Return a lesson's code cells, with shortened loops unless the `whole` is wanted."""
    text = lesson.read_text(encoding="utf-8")
    if not whole:
        for long, short in CUTS:
            text = text.replace(long, short)
        text = _LOOP.sub(rf"\1 in range({STEPS})", text)
    parts = re.split(r"^# %%(.*)\n", text, flags=re.MULTILINE)[1:]
    return [cell for head, cell in zip(parts[::2], parts[1::2], strict=True) if "[markdown]" not in head]


_LOOP = re.compile(r"(for (?:seed|step|_)) in range\(\d\d+\)")


def asked_in(cells: list[str]) -> list[str]:
    """Return the exercises of a lesson, in order."""
    return [
        name
        for cell in cells
        for name in re.findall(r"^def (\w+)", cell, re.MULTILINE)
        if name in EXERCISES and f"{name} = check({name})" in "".join(cells)
    ]


def reached(cells: list[str], names: set[str]) -> list[str]:
    """Return the cells that anything with these names affects, and the cells that they need."""
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
    """Return the cell at this index, after the cells that it needs."""
    return _with_what_they_need(cells, {place})


def _with_what_they_need(cells: list[str], places: set[int]) -> list[str]:
    found, needed = set(places), set[str]()
    for i, (reads, makes) in reversed(list(enumerate(_uses(cells)))):
        if i in found or makes & needed:
            found.add(i)
            needed |= reads
    return [cells[i] for i in sorted(found)]


def _uses(cells: list[str]) -> list[tuple[set[str], set[str]]]:
    """Return for each cell the names that it reads, and those that it defines or writes into.

    A cell that calls a function also reads the names in its body.
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
    """Return the names from the cell that are read here or in a function defined here."""
    top = table.get_type() == "module"
    own = {one.get_name() for one in table.get_symbols() if one.is_referenced() and (top or one.is_global())}
    return own.union(*map(_read_in, table.get_children()))


class StoppedError(Exception):
    """A lesson did not run to its end."""


def go_through(cells: list[str], answers: dict[str, Answer]) -> None:
    """Run these cells, with these answers instead of the ones they contain."""
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
    """Return the answer renamed to its exercise, as a learner would write it."""

    @functools.wraps(answer)
    def function(*inputs: Any, **named: Any) -> Any:
        return answer(*inputs, **named)

    function.__name__ = name
    return function


@contextmanager
def trained_for_moments() -> Iterator[None]:
    """Limit all training to a few steps."""
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
    """Yield the next alternative of each exercise together, until all have been used."""
    most = max((len(EXERCISES[name].alternatives) for name in names), default=0)
    for j in range(most):
        answers = {name: EXERCISES[name].alternatives for name in names}
        yield {name: each[j % len(each)] for name, each in answers.items()}
