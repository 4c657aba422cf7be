"""The lessons' questions in new words, by the name of the question."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("again.md")


@dataclass(frozen=True)
class InNewWords:
    """The same thing asked in another way, with choices of its own."""

    question: str
    right: str
    wrong: tuple[str, ...]
    because: str


def in_new_words(name: str) -> InNewWords | None:
    """What `again.md` has for the question of this name, if it has something."""
    return _by_name().get(name)


@cache
def _by_name() -> dict[str, InNewWords]:
    found: dict[str, InNewWords] = {}
    for part in re.split(r"^## ", FILE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        names, *lines = (line for line in part.splitlines() if line)
        for name in names.split():
            if name in found:
                raise ValueError(f"{FILE.name} has {name!r} twice")
            found[name] = InNewWords(
                question=_only(lines, "?", names),
                right=_only(lines, "+", names),
                wrong=tuple(line[2:] for line in lines if line.startswith("- ")),
                because=_only(lines, "=", names),
            )
    return found


def _only(lines: list[str], sign: str, names: str) -> str:
    (line,) = (line[2:] for line in lines if line.startswith(f"{sign} "))
    if not line:
        raise ValueError(f"{FILE.name}: {names} has nothing after {sign!r}")
    return line
