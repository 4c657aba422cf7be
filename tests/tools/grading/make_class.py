"""Make a class of fictitious students: right answers, known mistakes, stubs, and accidents."""

from __future__ import annotations

import inspect
import random
import re
import textwrap

from qkvlib.exercises import EXERCISES
from qkvlib.exercises.kit.exercise import Answer
from tests.tools.grading.classroom import IMPORTS, NAMES, RIGHT

_FIRST = ("Ada", "Bela", "Chiara", "Dmitri", "Esra", "Femi", "Grete", "Hugo", "Ines", "Jun", "Kofi")
_LAST = ("Abend", "Brook", "Castel", "Dvorak", "Eze", "Fuchs", "Garcia", "Hansen", "Ito", "Lund")
TYPES = (
    "from __future__ import annotations\nimport math\nimport torch\n"
    "from typing import Any\nfrom torch import Tensor, nn\n"
    "from torch.nn import functional as F\nimport numpy as np\n"
)


def students(count: int, seed: int = 7) -> list[tuple[str, list[str | tuple[str, str]]]]:
    """Return the names of a class, each with the cells of its notebook."""
    chance = random.Random(seed)
    found: list[tuple[str, list[str | tuple[str, str]]]] = []
    for i in range(count):
        name = f"{chance.choice(_FIRST)} {chance.choice(_LAST)}_{1000 + i}_assignsubmission_file_"
        cells: list[str | tuple[str, str]] = [IMPORTS, *(_answer(n, chance) for n in NAMES)]
        words = chance.choice(["It grows with length.", "Because cosine forgets length.", ""])
        cells.append(("markdown", f"<!-- answer: long-vectors, 2 points -->\n{words}"))
        found.append((name, cells))
    return found


def _answer(name: str, chance: random.Random) -> str:
    luck = chance.random()
    if luck < 0.6:
        return RIGHT[name]
    if luck < 0.7:
        return f"def {name}(*inputs):\n    raise NotImplementedError\n{name} = check({name})"
    if luck < 0.75:
        return f"def {name}(*inputs):\n    return inputs[2]\n{name} = check({name})"
    # The first mistakes of a bank are the most common, as in a real class.
    known = EXERCISES[name].mistakes
    program = known[min(int(chance.expovariate(0.6)), len(known) - 1)].program
    return f"{TYPES}{as_answer(program, name)}\n{name} = check({name})"


def as_answer(program: Answer, name: str) -> str:
    """Return a known mistake's source under the exercise's name."""
    lines = textwrap.dedent(inspect.getsource(program)).splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("def "))
    return re.sub(r"^def \w+", f"def {name}", "\n".join(lines[start:]))
