"""Explain mutants that survive because they change nothing: each excuse quotes the mutant's text.

The excuses of an exercise are in `equal_mutants/<exercise>.diff`. Each has a reason first, and
below it the mutants that it covers, each as the original line and the changed line:

    Both vectors have as many numbers.
    - for i in range(len(a)):
    + for i in range(len(b)):

A mutant is found by its text, in any right answer of the exercise. If the line occurs more than
once, put the line above it first, indented by two spaces.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from qkvlib.checking.cases import drawn_cases
from qkvlib.exercises.kit.exercise import Exercise
from tests.exercises.mutants import Mutant, line_alone, mutants_of
from tests.exercises.programs import ENDLESS, SECONDS, Program

FOLDER = Path(__file__).with_name("equal_mutants")
SEEDS = (0, 1)
# A right answer may take longer on a busy machine.
_SECONDS_OF_EQUALS = 20.0


@dataclass(frozen=True)
class Excuse:
    """The reason why a mutant may survive. If `above` is empty, the line occurs only once."""

    why: str
    above: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"- {self.before}\n+ {self.after}"

    def holds_for(self, mutant: Mutant) -> bool:
        """Return whether the excuse covers this mutant."""
        same_line = (self.before, self.after) == (mutant.before, mutant.after)
        return same_line and self.above in ("", mutant.above)


@dataclass(frozen=True)
class Count:
    """The results of an exercise's mutants, and the faults in its excuses."""

    mutants: int
    killed: int
    excused: int
    faults: tuple[str, ...]


def excuses_of(name: str) -> list[Excuse]:
    """Return the excuses of an exercise, from its file."""
    file = FOLDER / f"{name}.diff"
    return read(file.read_text(encoding="utf-8")) if file.exists() else []


def read(text: str) -> list[Excuse]:
    """Parse the text of a file of excuses. Raise ValueError if it has another format."""
    found = []
    why = above = before = pending = ""
    for line in text.splitlines():
        mark, rest = line[:2], line[2:]
        if mark == "+ " and before:
            found.append(Excuse(why, above, before, _plain(rest)))
        elif mark == "- " and why:
            before, above, pending = _plain(rest), pending, ""
        elif mark == "  " and why:
            before, pending = "", _plain(rest)
        elif line and line[0] not in "-+ ":
            why, before, pending = line, "", ""
        elif line:
            raise ValueError(f"a reason, a line with `- `, lines with `+ `: what is {line!r}?")
    return found


def _plain(line: str) -> str:
    """Return the line as this Python writes it; other versions place brackets and quotes differently."""
    (statement,) = ast.parse(f"{line} pass" if line.endswith(":") else line).body
    return line_alone(statement)


def count(exercise: Exercise, excuses: Sequence[Excuse]) -> Count:
    """Judge all mutants by the cases. An equal one survives on any seed, and no other does."""
    mutants = list(mutants_of(exercise))
    excused: Counter[Mutant] = Counter()
    faults = []
    for excuse in excuses:
        meant = [mutant for mutant in mutants if excuse.holds_for(mutant)]
        excused.update(meant)
        if not meant:
            faults.append(f"an excuse for no mutant of this exercise:\n{excuse}")
        if len(meant) > 1:
            faults.append(f"an excuse for {len(meant)} mutants; say the line above:\n{excuse}")
    killed = 0
    for mutant in mutants:
        seconds = _SECONDS_OF_EQUALS if excused[mutant] else SECONDS
        program = Program(mutant.after, mutant.program, seconds if exercise.name == ENDLESS else None)
        for seed in SEEDS:
            program.meet(drawn_cases(exercise.name, seed))
        alive = program.accepted
        killed += not alive
        text = f"in {mutant.origin}:\n- {mutant.before}\n+ {mutant.after}"
        if alive and not excused[mutant]:
            faults.append(f"survives with {alive} of the seeds {SEEDS}, {text}")
        if excused[mutant] and len(alive) < len(SEEDS):
            faults.append(f"excused, but it survives only with {alive} of {SEEDS}, {text}")
        if excused[mutant] > 1:
            faults.append(f"excused {excused[mutant]} times, {text}")
    return Count(len(mutants), killed, len(+excused), tuple(faults))
