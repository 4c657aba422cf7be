"""The exercises of the course, one file for one or two that belong together.

A file `chapter_NN.py` or `chapter_NN_topic.py` in this folder defines `EXERCISES`, a tuple. That is
all it takes to join. Files are read in the order of their names, and so the exercises are listed.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module

from qkvlib.exercises.kit.exercise import Exercise


def _collect() -> dict[str, Exercise]:
    chapters = sorted(
        module.name
        for module in pkgutil.iter_modules(__path__)
        if module.name.startswith("chapter_")
    )
    found: dict[str, Exercise] = {}
    for chapter in chapters:
        for exercise in import_module(f"{__name__}.{chapter}").EXERCISES:
            if exercise.name in found:
                raise ValueError(f"two exercises are called {exercise.name!r}")
            found[exercise.name] = exercise
    return found


EXERCISES: dict[str, Exercise] = _collect()
