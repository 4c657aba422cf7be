"""Test that each exercise is a file named like its function, and that its contents belong to it."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest
import torch

from qkvlib import exercises
from qkvlib.exercises import EXERCISES
from qkvlib.exercises.kit.exercise import Case, Exercise, ExerciseBuilder, asked_once

FOLDER = Path(exercises.__file__).parent
SOLUTIONS = Path(__file__).parents[2] / "solutions"
CHAPTERS = sorted({path.parent for path in FOLDER.glob("chapter_*/*.py")})


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda folder: folder.name)
def test_an_exercise_is_called_like_its_file_which_stands_once_in_its_chapters_order(chapter: Path) -> None:
    order = list(import_module(f"qkvlib.exercises.{chapter.name}").ORDER)
    files = [path.stem for path in chapter.glob("*.py") if not path.name.startswith("_")]
    assert sorted(order) == sorted(files)
    number = int(chapter.name.removeprefix("chapter_"))
    assert [one.name for one in EXERCISES.values() if one.chapter == number] == order


@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=lambda e: e.name)
def test_a_task_that_is_tried_with_batches_says_so(exercise: Exercise) -> None:
    """If an input has more dimensions in one case than in another, the lesson must mention batches."""
    dims: dict[str, set[int]] = {}
    for case in exercise.draw(0):
        for name, value in zip(exercise.arguments, case.inputs, strict=False):
            if isinstance(value, torch.Tensor):
                dims.setdefault(name, set()).add(value.ndim)
    (source,) = SOLUTIONS.glob(f"{exercise.chapter:02}_*.py")
    whole = source.read_text("utf-8").partition(f"### Exercise: `{exercise.name}`")[2]
    task, _, answer = whole.partition("### BEGIN SOLUTION")
    assert answer
    if any(len(counts) > 1 for counts in dims.values()):
        assert re.search(r"batch|\[\.\.\., |\[b, ", task)


def builder() -> ExerciseBuilder:
    return ExerciseBuilder(points=1, hints=("one", "two", "three"))


def answer() -> int:
    return 1


def wrong() -> int:
    return 2


def test_what_is_decorated_belongs_to_the_exercise_in_the_order_of_the_file() -> None:
    exercise = builder()
    exercise.reference(answer)
    exercise.judged_by(abs)
    exercise.mistake("The first.", "Why?")(wrong)
    exercise.mistake("The second.", "Why?")(answer)

    @exercise.cases
    def cases(generator: torch.Generator) -> list[Case]:
        return [Case("the only one", ())]

    @exercise.alternative
    def in_another_style() -> float:
        return 1.0

    built = exercise.build(chapter=4)
    assert (built.chapter, built.name, built.points) == (4, "answer", 1)
    assert built.draw(0) == [Case("the only one", ())]
    assert [one.diagnosis for one in built.mistakes] == ["The first.", "The second."]
    assert built.alternatives == (in_another_style,)
    assert built.judged_by is abs


def test_an_unfinished_exercise_is_refused() -> None:
    exercise = builder()
    exercise.reference(answer)
    with pytest.raises(ValueError, match="needs a reference and cases"):
        exercise.build(chapter=4)


def test_nothing_that_is_written_is_dropped_for_something_written_later() -> None:
    exercise = builder()
    exercise.reference(answer)
    exercise.cases(asked_once)
    exercise.judged_by(abs)
    exercise.mistake("The first.", "Why?")(wrong)
    with pytest.raises(ValueError, match="one `reference`"):
        exercise.reference(wrong)
    with pytest.raises(ValueError, match="one `cases`"):
        exercise.cases(asked_once)
    with pytest.raises(ValueError, match="one `judged_by`"):
        exercise.judged_by(abs)
    with pytest.raises(ValueError, match="two mistakes of one exercise are called 'wrong'"):
        exercise.mistake("The second.", "Why?")(wrong)
