"""A form as a notebook: a question a cell, and below it a cell for one letter. It holds no key."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Literal

from qkvlib.course.inventory.items import LETTERS, Item, form
from qkvlib.learner.files import write_atomically

Occasion = Literal["before", "after"]
USUAL: dict[str, Occasion] = {"A": "before", "B": "after"}

_HEAD = """# Where Q, K and V come from: form {letter}

Twenty questions. Choose one answer for each. Write its letter, and nothing else, in the cell below
the question, after "My letter:"; a double click opens the cell. Do not look anything up, and do
not run anything. If you do not know, choose what seems likeliest. If you have no idea, leave it
empty. x stands for the vectors that go into a layer, a row for each word.

It is no examination. It shows what a course has to explain, and what it has explained."""
_MARK = re.compile(r"inventory-(before|after)-([ab]\d\d)")
_LETTER = re.compile(r"\W*([a-dA-D])\W*")
_ASK = "My letter:"


def answer_name(occasion: Occasion, item: Item) -> str:
    """What the answer's cell is called, where a submission is read."""
    return f"inventory-{occasion}-{item.name}"


def read_answer(name: str, text: str) -> tuple[str, str, str] | None:
    """The occasion, the item's name, and the letter ("" for none) of an answer's cell."""
    found = _MARK.fullmatch(name)
    if not found:
        return None
    letter = _LETTER.fullmatch(text.rpartition(_ASK)[2])
    return found[1], found[2], letter[1].lower() if letter else ""


def notebook(letter: str, occasion: Occasion) -> dict[str, Any]:
    """The form, for Jupyter."""
    cells = [_cell("head", _HEAD.format(letter=letter))]
    for number, item in enumerate(form(letter), 1):
        choices = "\n".join(f"- **{LETTERS[place]})** {text}" for place, (_, text) in enumerate(item.choices))
        cells.append(_cell(item.name, f"**{number}.** {item.question}\n\n{choices}"))
        mark = f"<!-- answer: {answer_name(occasion, item)}, 1 points -->"
        cells.append(_cell(f"{item.name}-answer", f"{mark}\n{_ASK} "))
    python = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": python}, "cells": cells}


def write(letter: str, folder: Path, occasion: Occasion) -> Path:
    """Write the form into a folder, and say where it is. One that is there may hold answers."""
    path = folder / f"form_{letter.lower()}.ipynb"
    if path.exists():
        raise FileExistsError(f"{path} is there already, and may hold answers: name another folder")
    write_atomically(path, json.dumps(notebook(letter, occasion), indent=1, ensure_ascii=False) + "\n")
    return path


def _cell(name: str, text: str) -> dict[str, Any]:
    lines = text.splitlines(keepends=True)
    return {"cell_type": "markdown", "id": name, "metadata": {}, "source": lines}
