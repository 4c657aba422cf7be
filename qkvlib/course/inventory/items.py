"""The items of both forms, read from `form_a.md` and `form_b.md`."""

from __future__ import annotations

import random
import re
import zlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from qkvlib.course.inventory.misconceptions import MISCONCEPTIONS

FORMS = ("A", "B")
LETTERS = "abcd"


@dataclass(frozen=True)
class Item:
    """A question with one right choice; each wrong one is that of a misconception."""

    name: str
    question: str
    right: str
    wrong: tuple[tuple[str, str], ...]
    """Each with the misconception's name first."""

    @property
    def choices(self) -> tuple[tuple[str, str], ...]:
        """All choices in the order of their letters, each with its misconception; "" for none."""
        mixed = [("", self.right), *self.wrong]
        random.Random(zlib.crc32(self.name.encode())).shuffle(mixed)
        return tuple(mixed)

    @property
    def key(self) -> str:
        """The letter of the right choice."""
        return LETTERS[[misconception for misconception, _ in self.choices].index("")]

    def chosen(self, letter: str) -> str | None:
        """The misconception behind a letter, "" for the right choice; None for no such letter."""
        place = LETTERS.find(letter) if letter else -1
        return self.choices[place][0] if 0 <= place < len(self.choices) else None


@cache
def form(letter: str) -> tuple[Item, ...]:
    """The items of form "A" or "B", in order."""
    if letter not in FORMS:
        raise ValueError(f"there are the forms A and B, and no {letter!r}")
    file = Path(__file__).with_name(f"form_{letter.lower()}.md")
    parts = re.split(r"^## ", file.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return tuple(map(_read, parts))


def item(name: str) -> Item | None:
    """The item of this name, such as "a07"."""
    return next((one for letter in FORMS for one in form(letter) if one.name == name), None)


def _read(part: str) -> Item:
    name, *lines = (line for line in part.splitlines() if line)
    said = {sign: [line[2:] for line in lines if line.startswith(f"{sign} ")] for sign in "?+-"}
    (question,), (right,) = said["?"], said["+"]
    wrong = []
    for line in said["-"]:
        misconception, _, text = line.removeprefix("[").partition("] ")
        if misconception not in MISCONCEPTIONS:
            raise ValueError(f"item {name}: no misconception is called {misconception!r}")
        wrong.append((misconception, text))
    return Item(name, question, right, tuple(wrong))
