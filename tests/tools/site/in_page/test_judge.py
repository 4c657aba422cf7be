"""Test the page's judge under torch: it turns a learner's texts into a record for the page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import qkvlib
from qkvlib.exercises import EXERCISES
from qkvlib.tools.site.in_page.judge import Judge, Record, Stop, _seconds
from qkvlib.tools.site.in_page.lessons import before_each

pytestmark = pytest.mark.usefixtures("unchecked_signatures")  # as in a learner's session
LESSONS = Path(__file__).parents[4] / "lessons"
DOT = "def dot(a, b):\n    return (a * b).sum()\n"
CENTRE = "def centre(x):\n    return x - x.mean(1, keepdim=True)\n"
ONE_NUMBER = "def dot(a, b):\n    return a * b\n"


class Told:
    """Stand in for the owner of this Python: record its reports, and terminate nothing."""

    def __init__(self) -> None:
        self.runs: list[tuple[str, int]] = []
        self.seconds: set[float] = set()
        self.words = ""
        self.open = 0

    def begins(self, exercise: str, run: int, seconds: float) -> None:
        assert not self.open
        self.open = 1
        self.runs.append((exercise, run))
        self.seconds.add(seconds)

    def printed(self, text: str) -> None:
        assert self.open
        self.words += text

    def ends(self) -> None:
        self.open = 0


@pytest.fixture(scope="module")
def before() -> dict[str, str]:
    return before_each(LESSONS)


@pytest.fixture
def owner() -> Told:
    return Told()


@pytest.fixture(autouse=True)
def own_check() -> Iterator[None]:
    """Restore the course's own names, which a judge replaces."""
    yield
    for name in ("check", "hint"):
        vars(qkvlib).pop(name, None)


@pytest.fixture
def judge(owner: Told, before: dict[str, str]) -> Judge:
    return Judge(owner, before)


def of(judge: Judge, text: str, name: str = "dot", **stops: Stop) -> Record:
    return judge.record(name, [(name, text)], stops)


def test_a_record_has_what_a_page_shows(judge: Judge) -> None:
    right = of(judge, DOT)
    assert (right.outcome, right.mistake, right.hints) == ("right", None, ())
    assert "✓ dot: Right" in right.text
    wrong = of(judge, ONE_NUMBER)
    assert wrong.outcome == "wrong"
    assert wrong.mistake in {mistake.name for mistake in EXERCISES["dot"].mistakes}
    assert wrong.hints == EXERCISES["dot"].hints
    assert "The smallest case that fails" in wrong.html
    assert "Hint 1" not in wrong.text
    assert wrong.to_json()["hints"] == list(wrong.hints)
    assert of(judge, "def dot(a, b):\n    raise NotImplementedError").outcome == "not attempted"


@pytest.mark.parametrize(
    ("text", "outcome", "words"),
    [
        ("def dot(a, b)\n    return a", "raised", "SyntaxError: expected ':' (line 1)"),
        ("def dot(a, b):\nreturn a", "raised", "in your line:  return a"),
        ("x = 1 / 0", "raised", "ZeroDivisionError: division by zero\nin your line:  x = 1 / 0"),
        ("a\0b", "raised", "Your lines raised"),
        ("import pandas", "raised", "No module named 'pandas'. This page has a small torch"),
        (
            "from torch.nn import Nothing",
            "raised",
            "cannot import name 'Nothing' from 'torch.nn'. This page's torch is a small one",
        ),
        ("import torch.no_such", "raised", "'torch.no_such'. This page's torch is a small one"),
        ("from math import nothing", "raised", "cannot import name 'nothing' from 'math' ("),
        ("def dott(a, b): return 1", "not attempted", "There is one called `dott`."),
        ("dot = 3", "not attempted", "Your lines define no function `dot`"),
        ("", "not attempted", "it begins with `def dot(`"),
        ("raise SystemExit(3)", "raised", "SystemExit: 3"),
        ("def dot(a, b):\n    return input()", "raised", "nobody types while a function is checked"),
        ("def dot(a, b):\n    return dott(a, b)", "raised", "Nothing here is called `dott`"),
    ],
)
def test_a_slip_is_said_in_words(judge: Judge, text: str, outcome: str, words: str) -> None:
    record = of(judge, text)
    assert record.outcome == outcome
    assert words in record.message
    assert record.hints


def test_what_a_cell_says_of_the_notebook_does_nothing(judge: Judge) -> None:
    text = f"from qkvlib import check, hint\n{DOT}dot = check(dot)\nhint('dot')\n"
    record = of(judge, text)
    assert (record.outcome, record.printed) == ("right", "")


def test_what_a_lesson_imports_is_nobodys_answer(owner: Told) -> None:
    own = Judge(owner, {"dot": "from qkvlib.attention import dot\n"})
    assert of(own, "x = 1").outcome == "not attempted"


def test_an_answer_may_call_the_ones_before_it_if_they_are_right(judge: Judge) -> None:
    calls = CENTRE.replace("return", "assert dot(x[0], x[0]).ndim == 0\n    return")
    for first in (DOT, ONE_NUMBER, "def dot(", "raise ValueError"):
        record = judge.record("centre", [("dot", first), ("centre", calls)])
        assert record.outcome == "right", record.message
    told = "def dot(a, b):\n    return (a * b).sum()\ndot.mine = True\n"
    asks = "def centre(x):\n    dot.mine\n    return x - x.mean(1, keepdim=True)\n"
    assert judge.record("centre", [("dot", told), ("centre", asks)]).outcome == "right"


def test_answers_below_are_not_looked_at(judge: Judge, owner: Told) -> None:
    record = judge.record("dot", [("dot", DOT), ("centre", "1 / 0")])
    assert record.outcome == "right"
    assert {name for name, _ in owner.runs} == {"dot"}


def test_each_run_is_announced_and_what_is_known_is_not_run_again(judge: Judge, owner: Told) -> None:
    judge.record("centre", [("dot", DOT), ("centre", CENTRE)])
    for name in ("dot", "centre"):
        runs = [run for each, run in owner.runs if each == name]
        assert runs == list(range(1, len(runs) + 1))
        assert len(runs) > len(EXERCISES[name].draw(0))  # the text, and each of its cases
    assert not owner.open
    assert owner.seconds == {3.0}
    before = len(owner.runs)
    judge.record("centre", [("dot", DOT), ("centre", CENTRE)])
    assert len(owner.runs) == before
    judge.record("centre", [("dot", DOT), ("centre", f"{CENTRE}# more")])
    assert {name for name, _ in owner.runs[before:]} == {"centre"}


def test_what_is_printed_reaches_the_owner_as_far_as_it_is_kept(judge: Judge, owner: Told) -> None:
    record = of(judge, f"print('x' * 700)\nprint('y' * 700)\n{DOT}")
    assert record.outcome == "right"
    assert record.printed == "x" * 700 + "\n" + "y" * 299
    assert owner.words == record.printed


def test_a_run_that_was_ended_is_told_as_in_a_notebook(judge: Judge) -> None:
    loop = "def dot(a, b):\n    while True:\n        print('on', end=' ')\n"
    record = of(judge, loop, dot=Stop(2, 3.0, "on on "))
    assert record.outcome == "raised"
    assert "Stopped: not done after 3 seconds." in record.message
    assert "Is there a loop that never ends?" in record.message
    assert "printed = on on\n" in record.text  # as far as it got: it has not run again
    text = of(judge, "while True:\n    pass", dot=Stop(1, 3.0, ""))
    assert "Stopped: not done after 3 seconds." in text.message


def test_a_run_with_which_python_ended_is_told_as_an_error(judge: Judge) -> None:
    record = of(judge, DOT, dot=Stop(2, 3.0, "", "Python could not go on"))
    assert record.outcome == "raised"
    assert "MemoryError: Python could not go on" in record.message


@pytest.mark.parametrize(("slow", "seconds"), [(1, 3.0), (2, 5.0)])
def test_a_computer_that_stands_still_once_gives_a_loop_no_more_time(
    monkeypatch: pytest.MonkeyPatch, slow: int, seconds: float
) -> None:
    clock, calls = [0.0], [0]

    def call_own(function: Callable[..., Any], inputs: tuple[Any, ...]) -> None:
        calls[0] += 1
        clock[0] += 0.25 if calls[0] <= slow else 0.0

    monkeypatch.setattr("qkvlib.tools.site.in_page.judge.call_own", call_own)
    monkeypatch.setattr("qkvlib.tools.site.in_page.judge.time.perf_counter", lambda: clock[0])
    _seconds.cache_clear()
    assert _seconds("dot") == seconds
    _seconds.cache_clear()


def test_an_answer_has_the_names_that_its_lesson_has_imported(judge: Judge) -> None:
    assert of(judge, DOT.replace("(a * b).sum()", "torch.dot(a, b)")).outcome == "right"
    unknown = of(judge, DOT.replace("(a * b).sum()", "F.dot(a, b)"))
    assert "NameError: name 'F' is not defined" in unknown.message
