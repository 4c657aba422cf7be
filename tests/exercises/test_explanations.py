"""Test the questions that people mark: each chapter has one."""

from __future__ import annotations

from qkvlib.course.chapters import chapters
from qkvlib.exercises.explanations import EXPLANATIONS

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


def test_a_question_tells_the_marker_what_to_look_for() -> None:
    for one in EXPLANATIONS.values():
        assert one.question.endswith((".", "?"))
        assert len(one.look_for) >= 2
