"""Test the questions that people mark: each chapter has one, and the grader collects the answers."""

from __future__ import annotations

import json

from qkvlib.course.chapters import chapters
from qkvlib.exercises.explanations import EXPLANATIONS
from qkvlib.tools.grading.inbox.notebook_file import read_notebook

QUIZ = 17


def test_every_chapter_with_exercises_asks_for_an_explanation_and_only_the_quiz_does_not() -> None:
    asked = [one.chapter for one in EXPLANATIONS.values()]
    assert asked == sorted(set(asked)), "one question in words a chapter, in their order"
    taught = {int(one.number) for one in chapters() if one.exercises}
    missing = taught - set(asked) - {QUIZ}
    assert not missing, (
        f"chapter {missing} has exercises and no question in words: add an Explanation to "
        "qkvlib/exercises/explanations.py, and to the chapter a text cell that begins with its "
        "opening (CONTRIBUTING.md, 'A chapter')"
    )


def test_an_answer_is_collected_with_its_name_and_points() -> None:
    texts = [f"{one.opening}\nBecause." for one in EXPLANATIONS.values()]
    cells = [{"cell_type": "markdown", "source": text} for text in texts]
    found = read_notebook(json.dumps({"cells": cells}).encode()).answers
    wanted = [(one.name, one.points) for one in EXPLANATIONS.values()]
    assert [(answer.name, answer.points) for answer in found] == wanted


def test_a_question_tells_the_marker_what_to_look_for() -> None:
    for one in EXPLANATIONS.values():
        assert one.question.endswith((".", "?"))
        assert len(one.look_for) >= 2
