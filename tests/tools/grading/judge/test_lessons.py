"""Test the course's own notebooks in the grader: solved ones are right, untouched ones blank."""

from __future__ import annotations

from pathlib import Path

import pytest

from qkvlib.checking.shown import Verdict
from qkvlib.exercises import EXERCISES
from qkvlib.exercises.explanations import EXPLANATIONS
from qkvlib.tools.grading.inbox.notebook_file import read_notebook
from qkvlib.tools.grading.judge.judging import Judge
from qkvlib.tools.grading.sandbox.host import SandboxHost

ROOT = Path(__file__).resolve().parents[4]
CHAPTERS = sorted(path.stem for path in (ROOT / "solutions").glob("[0-9]*.ipynb"))


@pytest.fixture(scope="module")
def judge(host: SandboxHost) -> Judge:
    return Judge(host)


def verdicts(judge: Judge, notebook: str) -> list[Verdict]:
    """Return the grader's verdicts on a chapter's exercises, in one of our notebooks."""
    cells = read_notebook((ROOT / notebook).read_bytes()).cells
    number = int(Path(notebook).name[:2])
    names = [name for name, exercise in EXERCISES.items() if exercise.chapter == number]
    return judge.notebook(cells, names, seed=1)


@pytest.mark.sweep(keep=4)
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_solved_chapter_gets_full_points(chapter: str, judge: Judge) -> None:
    for judged in verdicts(judge, f"solutions/{chapter}.ipynb"):
        assert (judged.outcome, judged.points) == ("right", judged.possible), judged


@pytest.mark.sweep(keep=4)
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_an_untouched_lesson_is_not_attempted(chapter: str, judge: Judge) -> None:
    for judged in verdicts(judge, f"lessons/{chapter}.ipynb"):
        assert (judged.outcome, judged.points) == ("not attempted", 0), judged


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_lesson_asks_its_chapters_question_in_words(chapter: str) -> None:
    found = read_notebook((ROOT / f"lessons/{chapter}.ipynb").read_bytes()).answers
    asked = [(answer.name, answer.points) for answer in found]
    questions = [one for one in EXPLANATIONS.values() if one.chapter == int(chapter[:2])]
    assert asked == [(one.name, one.points) for one in questions]
    assert {answer.text for answer in found} <= {""}, "the placeholder is no answer"
