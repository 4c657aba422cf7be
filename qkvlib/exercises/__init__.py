"""The exercises of the course: a folder for each chapter, a file named like its function for each.

A file defines `exercise`, an ExerciseBuilder, and its chapter's `__init__.py` names it in `ORDER`.
That is all it takes to join. A file that begins with an underscore is no exercise: it holds what
several files of its chapter share.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module

from qkvlib.exercises.kit.exercise import Exercise


def _collect() -> dict[str, Exercise]:
    folders = (module.name for module in pkgutil.iter_modules(__path__) if module.ispkg)
    found: dict[str, Exercise] = {}
    for folder in sorted(name for name in folders if name.startswith("chapter_")):
        for name in import_module(f"{__name__}.{folder}").ORDER:
            module = import_module(f"{__name__}.{folder}.{name}")
            exercise: Exercise = module.exercise.build(int(folder.removeprefix("chapter_")))
            if exercise.name in found:
                raise ValueError(f"two exercises are called {exercise.name!r}")
            found[exercise.name] = exercise
    return found


EXERCISES: dict[str, Exercise] = _collect()
