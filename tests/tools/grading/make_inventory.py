"""Make a class of fictitious students, before and after the course, with both forms filled in.

python -m tests.tools.grading.make_inventory FOLDER 30
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Any

from qkvlib.course.inventory.form import USUAL, notebook
from qkvlib.course.inventory.items import FORMS, LETTERS, Item, form
from qkvlib.course.inventory.misconceptions import MISCONCEPTIONS

# The course corrects few students of the first misconception, and nearly all of the last.
_FADING = {name: i / len(MISCONCEPTIONS) for i, name in enumerate(MISCONCEPTIONS)}


def letters(items: tuple[Item, ...], *, after: bool, chance: random.Random) -> dict[str, str]:
    """Draw one student's answers: the stronger a misconception is, the more often it wins."""
    answers = {}
    for one in items:
        strength = [2.0 if after else 0.8]
        strength += [1 - _FADING[name] if after else 1.0 for name, _ in one.wrong]
        believed = ["", *(name for name, _ in one.wrong)]
        choice = chance.choices(believed, strength)[0]
        place = [name for name, _ in one.choices].index(choice)
        answers[one.name] = LETTERS[place] if chance.random() > 0.03 else ""
    return answers


def filled(form_letter: str, answers: dict[str, str]) -> dict[str, Any]:
    """Return a form with letters where a student would write them."""
    made = notebook(form_letter, USUAL[form_letter])
    for cell in made["cells"]:
        name, _, is_answer = cell["id"].partition("-")
        if is_answer:
            cell["source"][-1] += answers[name]
    return made


def write(folder: Path, count: int, seed: int = 3) -> None:
    """Write a class's forms as Moodle delivers them; two students forget the second."""
    chance = random.Random(seed)
    for i in range(count):
        student = folder / f"Student {i + 1:02d}_{2000 + i}_assignsubmission_file_"
        student.mkdir(parents=True, exist_ok=True)
        for letter in FORMS:
            if letter == "B" and i % 15 == 14:
                continue
            answers = letters(form(letter), after=letter == "B", chance=chance)
            path = student / f"form_{letter.lower()}.ipynb"
            path.write_text(json.dumps(filled(letter, answers)), encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]), int(sys.argv[2]))
