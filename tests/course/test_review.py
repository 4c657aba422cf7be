"""Test that a missed question comes back on days 2, 7 and 21, and that this stays private."""

from __future__ import annotations

import ast
import html
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import nbformat
import pytest

from qkvlib.checking.notebook import check
from qkvlib.course.review import notebook
from qkvlib.course.review.again import in_new_words
from qkvlib.course.review.question import make
from qkvlib.exercises import EXERCISES
from qkvlib.learner import greeting, memory, progress
from qkvlib.tools.cli import main
from tests.wire import Wire

pytestmark = pytest.mark.usefixtures("home")
BEGIN = date(2026, 3, 1)
ROOT = Path(__file__).parents[2]


def day(number: int) -> date:
    return BEGIN + timedelta(number)


def miss(name: str, on: int = 0, sure: str | None = None) -> None:
    memory.keep_miss(name, "Which?", ["this", "that"], "this", "that", sure, day(on))


def mistake(exercise: str, which: int = 0, on: int = 0) -> str:
    known = EXERCISES[exercise].mistakes[which].name
    memory.keep_mistake(exercise, known, EXERCISES[exercise].chapter, day(on))
    return f"{exercise}.{known}"


def names(today: date) -> list[str]:
    return [one.name for one in memory.due(today)]


def test_a_month_of_a_learner_who_answers_rightly() -> None:
    first = mistake("dot")
    miss("01-long-vector")
    later = mistake("softmax", on=1)
    asked: dict[str, list[int]] = {first: [], "01-long-vector": [], later: []}
    for number in range(31):
        for due in notebook.questions(day(number)):
            asked[due.missed.name].append(number)
            due.answered(due.question.answer, day(number))
    assert asked == {first: [2, 7, 21], "01-long-vector": [2, 7, 21], later: [3, 8, 22]}
    assert all(one.rests for one in memory.all_missed())


def test_a_month_of_a_learner_who_errs_comes_late_and_stops_early() -> None:
    for which in range(8):
        mistake("softmax", which)
    miss("02-without-root", sure="certain")
    asked: dict[int, list[str]] = {}
    for number in (9, 10, 12, 15, 18, 30):
        for place, due in enumerate(notebook.questions(day(number))):
            asked.setdefault(number, []).append(due.missed.name)
            right = due.question.answer
            due.answered(right if place else (right + 1) % 2, day(number))
    assert asked[9][0] == "02-without-root"  # the learner was sure of this answer
    # A wrong answer comes back the next day. A right one waits.
    assert set(asked[10]) & set(asked[9]) == {"02-without-root"}
    assert all(len(of_day) <= memory.A_DAY for of_day in asked.values())
    assert set(asked[15]) & set(asked[9])  # six days after day 9: the second review


def test_five_a_day_and_not_more_on_the_same_day() -> None:
    for which in range(8):
        mistake("softmax", which)
    today = day(2)
    assert len(names(today)) == 5
    for due in notebook.questions(today):
        due.answered(due.question.answer, today)
    assert names(today) == []
    assert len(names(day(3))) == 3


def test_a_chapter_that_takes_days_waits_for_the_last() -> None:
    mistake("dot", on=0)
    miss("01-long-vector", on=4)
    assert names(day(5)) == []
    assert len(names(day(6))) == 2


def test_what_is_missed_once_more_begins_anew() -> None:
    mistake("dot")
    (due,) = notebook.questions(day(2))
    due.answered(due.question.answer, day(2))
    mistake("dot", on=3)
    assert names(day(4)) == []
    assert memory.all_missed()[0].step == 0
    assert len(names(day(5))) == 1


def test_the_same_day_asks_the_same_and_another_day_new_numbers() -> None:
    mistake("dot", 1)
    (once,), (again,) = notebook.questions(day(2)), notebook.questions(day(2))
    (other,) = notebook.questions(day(3))
    assert once.question == again.question
    assert once.question.given != other.question.given


@pytest.mark.parametrize("which", [0, -1])
@pytest.mark.parametrize("exercise", EXERCISES)
def test_a_named_mistake_makes_a_question_that_tells_it_from_right(exercise: str, which: int) -> None:
    name = mistake(exercise, which)
    (missed,) = memory.all_missed()
    assert missed.name == name
    question = make(missed, seed=11)
    assert 2 <= len(question.choices) == len(set(question.choices))
    assert "" not in question.choices
    assert len("\n".join([question.given, *question.choices]).splitlines()) <= 60, "more than a screen"
    if question.before:
        assert question.before in question.choices
        assert question.before != question.choices[question.answer]
    if not EXERCISES[exercise].is_secret:
        assert question.given


def test_the_right_choice_is_what_the_call_returns() -> None:
    mistake("dot", 0)
    (missed,) = memory.all_missed()
    for seed in range(5):
        question = make(missed, seed)
        numbers = [float(number) for number in re.findall(r"-?\d+\.?\d*", question.given)]
        half = len(numbers) // 2
        right = sum(x * y for x, y in zip(numbers[:half], numbers[half:], strict=True))
        assert float(question.choices[question.answer]) == pytest.approx(right, abs=0.01)


def test_a_mistake_that_no_call_shows_is_there_to_be_read() -> None:
    """It changes its input but returns the right result."""
    memory.keep_mistake("softmax", "input_overwritten", 2, day(0))
    question = make(memory.all_missed()[0], seed=3)
    assert "def softmax(" in question.given
    assert "input_overwritten" not in question.given
    assert "wrote into" in question.choices[question.answer]


def _questions_of_the_lessons() -> list[str]:
    sources = sorted((ROOT / "solutions").glob("[0-9]*.py"))
    text = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    return re.findall(r'\b(?:predict|ask)\(\s*"(\d\d-[\w-]+)"', text)


def test_the_lessons_questions_have_new_words() -> None:
    asked = _questions_of_the_lessons()
    assert len(asked) > 80
    assert [name for name in asked if in_new_words(name) is None] == []
    for name in asked:
        again = in_new_words(name)
        choices = (again.right, *again.wrong)
        assert 3 <= len(choices) == len(set(choices))
        assert again.question.endswith(("?", ".", "scores"))


@pytest.mark.parametrize("taken", [max, min], ids=["the longest", "the shortest"])
@pytest.mark.parametrize("how", ["ask", "predict", "in new words"])
def test_no_question_tells_the_answer_by_its_length(how: str, taken: Callable[..., int]) -> None:
    """Always taking a question's longest choice, or the shortest, is no better than guessing,
    within one standard deviation.
    """
    again = {one for name in _questions_of_the_lessons() if (one := in_new_words(name))}
    new = [(one.right, (one.right, *one.wrong)) for one in again]
    asked = new if how == "in new words" else list(_answered(how))
    assert len(asked) > 50
    shares = [1 / len(choices) for _, choices in asked]
    rights = 0.0
    for right, choices in asked:
        length = taken(map(len, choices))
        candidates = [one for one in choices if len(one) == length]
        rights += (right in candidates) / len(candidates)
    assert rights <= sum(shares) + sum(share * (1 - share) for share in shares) ** 0.5


def _answered(how: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each question of the lessons: its right choice, and all choices.

    The outcome of a prediction is in the solution, where it is replayed.
    """
    for source in sorted((ROOT / "solutions").glob("[0-9]*.py")):
        notebook = nbformat.read(source.with_suffix(".ipynb"), as_version=4)
        shown = html.unescape("".join(_replayed(notebook.cells)))
        happened = re.findall(r"<b>(.*?)</b>", shown)
        for call in _calls(source.read_text(encoding="utf-8"), how):
            choices = tuple(ast.literal_eval(call.args[2]))
            if how == "ask":
                (key,) = (word.value for word in call.keywords if word.arg == "answer")
                yield choices[ast.literal_eval(key)], choices
            elif happened:  # chapter 0 replays nothing
                assert happened[0] in choices
                yield happened.pop(0), choices


def _replayed(cells: list[Any]) -> Iterator[str]:
    for cell in cells:
        if cell.cell_type == "code" and "replay_predictions(" in cell.source:
            yield from (one["data"].get("text/html", "") for one in cell.outputs if "data" in one)


def _calls(source: str, how: str) -> list[ast.Call]:
    found = [
        node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == how
    ]
    return sorted(found, key=lambda node: node.lineno)


def test_a_prediction_without_new_words_is_asked_as_it_was() -> None:
    miss("88-nobody-wrote-words")
    question = make(memory.all_missed()[0], seed=0)
    assert (question.choices[question.answer], question.before) == ("that", "this")


def test_what_the_course_has_no_more_is_let_rest() -> None:
    memory.keep_mistake("long_gone", "nothing", 1, day(0))
    memory.keep_mistake("dot", "long_gone", 1, day(0))
    assert notebook.questions(day(2)) == []
    assert names(day(3)) == []


@pytest.mark.parametrize("fact", ["right", 1, None, [], {}, {"day": "soon", "chapter": 1}])
def test_facts_of_another_form_are_left_alone(fact: Any, home: Path) -> None:
    progress.record("mistakes", "dot.some", fact)
    progress.record("reviews", "01-long-vector", fact)
    miss("01-long-vector")
    assert names(day(2)) == ["01-long-vector"]


def test_off_is_off() -> None:
    miss("01-long-vector")
    memory.switch(False)
    mistake("dot")
    assert names(day(9)) == []
    assert greeting.line(day(9)) == ""
    memory.switch(True)
    assert names(day(9)) == ["01-long-vector"]


def test_one_command_forgets(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    miss("01-long-vector")
    mistake("dot")
    progress.record("confidence", "01-long-vector", "certain")
    progress.record("exercises", "dot", "right")
    for due in notebook.questions(day(2)):
        due.answered(0, day(2))
    (home / "mistakes" / "dot.half.damaged").write_text("{")
    assert main(["forget"]) == 0
    assert "Facts kept for reviews" in capsys.readouterr().out
    kept = [path.relative_to(home).as_posix() for path in home.rglob("*") if path.is_file()]
    assert kept == ["exercises/dot.json"]
    memory.switch(on=False)
    assert main(["forget", "--all"]) == 0
    assert progress.recall("exercises", "dot") is None
    assert not memory.is_on()  # a learner who has switched it off meant it


def test_a_check_keeps_the_mistake_that_it_names(home: Path) -> None:
    def dot(a: Any, b: Any) -> Any:
        return a * b

    check(dot)
    (missed,) = memory.all_missed()
    assert (missed.name, missed.chapter) == ("dot.products_not_summed", 1)
    assert memory.forget() == 1
    check(EXERCISES["dot"].alternatives[0])
    progress.record("exercises", "dot", "right")
    check(dot)  # it was right before, so the learner is trying out a mistake
    assert memory.all_missed() == []


def test_in_a_notebook_the_first_answer_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[Any] = []
    monkeypatch.setattr(notebook, "display", shown.append)
    monkeypatch.setattr(notebook, "date", Mock(today=lambda: day(2)))
    notebook.review()
    assert shown == [notebook.nothing_due(day(2))]
    shown.clear()
    mistake("dot")
    notebook.review()
    first, asked = shown
    assert first.endswith(f"\n{notebook.AS_YOU_LIKE}")
    right = notebook.questions(day(2))[0].question.answer
    wire = Wire(asked)
    wire.commit(asked.choices[(right + 1) % 2])
    wire.commit(None)
    wire.commit(asked.choices[right])
    assert not memory.all_missed()[0].was_right
    assert progress.recall_all("predictions") == {}
    assert asked.given in asked.static_html().replace("&#x27;", "'")


def test_switched_in_a_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[Any] = []
    monkeypatch.setattr(notebook, "display", shown.append)
    notebook.review("off")
    notebook.review()
    notebook.review("on")
    assert shown == [notebook.OFF, notebook.OFF, notebook.ON]
    with pytest.raises(ValueError, match='"on", "off" or nothing'):
        notebook.review("of")  # type: ignore[arg-type]


_FIRST_CELL = """
from IPython.core.interactiveshell import InteractiveShell
InteractiveShell.instance()
from qkvlib import check, predict
print("imported")
for _ in range(2):
    predict("01-longer", "Which is longer?", ["a", "b"])
    check(len)
"""


@pytest.mark.whole
@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize(("in_jupyterlab", "is_due"), [(True, True), (True, False), (False, True)])
def test_a_lesson_has_one_line_when_something_is_due(in_jupyterlab: bool, is_due: bool, home: Path) -> None:
    kept = BEGIN if is_due else date(9000, 1, 1)  # the session below reads today's date
    memory.keep_mistake("dot", "products_not_summed", 1, kept)
    session = {"JPY_SESSION_NAME": "lesson.ipynb"} if in_jupyterlab else {}
    environment = {k: v for k, v in os.environ.items() if k != "JPY_SESSION_NAME"} | session
    ran = subprocess.run(
        [sys.executable, "-c", _FIRST_CELL], env=environment, capture_output=True, text=True, check=True
    )
    assert ran.stdout.startswith("imported\n")  # importing the package prints nothing
    assert ran.stdout.count("on what you missed before") == (in_jupyterlab and is_due)


def test_no_build_and_no_judgement_asks_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """A verdict is all that the grader asks for, and it involves no learner."""
    from qkvlib.checking.verdicts import verdict

    def nobody(*_: Any) -> None:
        raise AssertionError("somebody looked")

    for name in ("record", "recall", "recall_all", "folder"):
        monkeypatch.setattr(progress, name, nobody)
    known = EXERCISES["dot"].mistakes[0]

    def dot(a: Any, b: Any) -> Any:
        return known.program(a, b)

    judged = verdict("dot", dot)
    assert judged.mistake is known


def test_two_questions_with_the_same_new_words_are_asked_once_and_answered_together() -> None:
    for name in ("08-three-ways", "08-cut-first"):
        miss(name)
    assert in_new_words("08-three-ways") == in_new_words("08-cut-first") is not None
    (due,) = notebook.questions(day(2))
    due.answered(due.question.answer, day(2))
    assert names(day(2)) == []
    assert len(names(day(7))) == 2
