"""Lines of code to put in order: the answer is run, so every order that works is right.

The lines are ours. A learner only names them, so nothing of a learner's is executed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import torch

from qkvlib.comparison import Objection, kind_of


@dataclass(frozen=True)
class Puzzle:
    """Lines by letter, some of them bugs; `given` makes the names that exist at the start.

    `needed` is how many lines a right program has. `result` is the name that has to come out.
    """

    lines: Mapping[str, str]
    given: Callable[[], dict[str, Any]]
    result: str
    needed: int

    def run(self, value: Any) -> Any:
        """What the lines in this order compute, or what keeps them from computing it."""
        letters = self._letters(value)
        if isinstance(letters, Objection):
            return letters
        names = {**self.given(), "math": math, "torch": torch}
        for letter in letters:
            try:
                exec(self.lines[letter], names)
            except Exception as error:
                return Objection(f"Line {letter} stops: {error}.")
        if self.result not in names:
            return Objection(f"None of your lines makes `{self.result}`.")
        if len(letters) > self.needed:
            return Objection(
                f"Your program has {len(letters)} lines. {self.needed} are enough: leave out what "
                "another line undoes."
            )
        return names[self.result]

    def _letters(self, value: Any) -> list[str] | Objection:
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

    def __str__(self) -> str:
        return "\n".join(f"{letter}  {line}" for letter, line in self.lines.items())
