"""Lines of code to put in order. The answer is run, so every order that works is right.

The lines are ours. A learner only names them, so no code of a learner's is executed. In a notebook `puzzle`
shows them, with the result of each.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import torch

from qkvlib.exercises.kit.comparison import Objection, kind_of


@dataclass(frozen=True)
class Puzzle:
    """Lines by letter, some of them bugs; `given` makes the names that exist at the start.

    `needed` is the number of lines in a right program. `result` is the name that it has to compute. `sizes`
    names each length of a tensor, so the lengths have to be different.
    """

    lines: Mapping[str, str]
    given: Callable[[], dict[str, Any]]
    result: str
    needed: int
    sizes: Mapping[int, str]

    def __call__(self, value: Any) -> Any:
        """Return what the lines compute in this order, or what stops them."""
        letters = self.letters(value)
        if isinstance(letters, Objection):
            return letters
        names = self._start()
        for letter, trouble in self._run(letters, names):
            if trouble:
                return Objection(f"Line {letter} stops: {trouble.rstrip('.')}.")
        if self.result not in names:
            return Objection(f"None of your lines makes `{self.result}`.")
        if len(letters) > self.needed:
            return Objection(
                f"Your program has {len(letters)} lines. {self.needed} are enough: leave out what "
                "another line undoes."
            )
        return names[self.result]

    def watch(self, letters: Sequence[str]) -> Iterator[tuple[str, str]]:
        """Return each line in this order, with the shape of its result or what stops it."""
        names = self._start()
        for letter, trouble in self._run(letters, names):
            made = _targets(self.lines[letter])[0]
            yield letter, f"stops: {trouble}" if trouble else self.shape(names[made])

    def table(self) -> dict[str, Any]:
        """What each line makes of what it reads, for a page that has no Python.

        A tensor is known there by its shape and its strides, for `view` can ask for both: `shapes`
        has the words for each such kind. For each of the kinds that a line's names can hold, it
        `makes` a kind, or says what stops it. Names that are made together are of one kind.
        """
        kinds: dict[tuple[Any, ...], torch.Tensor] = {}
        holds: dict[str, set[int]] = {}
        lines = {letter: self._names_in(code) for letter, code in self.lines.items()}
        makes: dict[str, dict[str, int | str]] = {letter: {} for letter in lines}
        grew = True
        while grew:
            grew = False
            for letter, (reads, writes) in lines.items():
                for held in product(*(holds.get(name, set()) for name in reads)):
                    key = " ".join(map(str, held))
                    if key in makes[letter]:
                        continue
                    grew = True
                    names = self._start()
                    tensors = list(kinds.values())
                    for name, kind in zip(reads, held, strict=True):
                        names |= dict.fromkeys(self._made_with(name), tensors[kind])
                    ((_, trouble),) = self._run([letter], names)
                    if trouble:
                        makes[letter][key] = trouble
                        continue
                    made = names[writes[0]]
                    kinds.setdefault((made.shape, made.stride()), made)
                    kind = list(kinds).index((made.shape, made.stride()))
                    makes[letter][key] = kind
                    holds.setdefault(writes[0], set()).add(kind)
        return {
            "shapes": [self.shape(tensor) for tensor in kinds.values()],
            "lines": {
                letter: {"reads": reads, "writes": writes, "makes": makes[letter]}
                for letter, (reads, writes) in lines.items()
            },
        }

    def _names_in(self, code: str) -> tuple[list[str], list[str]]:
        """The names that a line reads, in order and without what is given, and those it makes.

        Of names that are made together it is enough to read the first.
        """
        (assignment,) = ast.parse(code).body
        assert isinstance(assignment, ast.Assign)
        made = {name for line in self.lines.values() for name in _targets(line)}
        used = [
            (name.lineno, name.col_offset, name.id)
            for name in ast.walk(assignment.value)
            if isinstance(name, ast.Name) and name.id in made
        ]
        reads = dict.fromkeys(self._made_with(name)[0] for *_, name in sorted(used))
        return list(reads), _targets(code)

    def _made_with(self, name: str) -> list[str]:
        """Return the names that are assigned together with this one."""
        return next(t for t in map(_targets, self.lines.values()) if name in t)

    def shape(self, tensor: torch.Tensor) -> str:
        """Write a tensor's shape, with names for its lengths."""
        return "[" + ", ".join(self.sizes[length] for length in tensor.shape) + "]"

    def _start(self) -> dict[str, Any]:
        return {**self.given(), "math": math, "torch": torch}

    def _run(self, letters: Sequence[str], names: dict[str, Any]) -> Iterator[tuple[str, str]]:
        """Run line after line with these names; return each line, with what stopped it, if it was stopped."""
        for letter in letters:
            try:
                exec(self.lines[letter], names)
            except Exception as error:
                yield letter, str(error)
                return
            yield letter, ""

    def letters(self, value: Any) -> list[str] | Objection:
        """Return the letters of an answer, in whatever form it was written, or what is wrong with them."""
        if isinstance(value, (list, tuple)) and all(isinstance(part, str) for part in value):
            value = "".join(value)
        if not isinstance(value, str):
            return Objection(
                f"Your function returned {kind_of(value)}. Return the letters of the lines, in "
                'order: return "ABC"'
            )
        letters = [letter for letter in value.upper() if letter not in " ,;-\n"]
        if len(letters) > len(self.lines):
            return Objection(f"You name {len(letters)} lines. There are {len(self.lines)}.")
        for letter in letters:
            if letter not in self.lines:
                return Objection(f"There is no line {letter}. The lines are {''.join(self.lines)}.")
            if letters.count(letter) > 1:
                return Objection(f"Line {letter} stands in your program more than once.")
        return letters


def _targets(code: str) -> list[str]:
    """Return the names that a line assigns."""
    (assignment,) = ast.parse(code).body
    assert isinstance(assignment, ast.Assign)
    return ast.unparse(assignment.targets[0]).strip("()").split(", ")
