"""Test the inventory of a class: letters are scored, gains are shown, no key is revealed."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from qkvlib.course.inventory.form import USUAL, notebook
from qkvlib.course.inventory.items import form
from qkvlib.course.inventory.misconceptions import MISCONCEPTIONS
from qkvlib.learner import progress
from qkvlib.tools import cli
from qkvlib.tools.grading.inbox.notebook_file import read_notebook
from qkvlib.tools.grading.publish.inventory import Inventory, apart
from qkvlib.tools.grading.publish.write_all import write_all
from qkvlib.tools.grading.results import GradedClass, Result, WrittenAnswer
from tests.tools.grading.classroom import hand_in, result

KEYS = {letter: {one.name: one.key for one in form(letter)} for letter in "AB"}


def filled(form_letter: str, answers: Mapping[str, str]) -> dict[str, Any]:
    """Return a form with letters where a student would write them."""
    made = notebook(form_letter, USUAL[form_letter])
    for cell in made["cells"]:
        name, _, is_answer = cell["id"].partition("-")
        if is_answer:
            cell["source"][-1] += answers[name]
    return made


def handed_in(student: str, *forms: tuple[str, Mapping[str, str]]) -> Result:
    """Return the grader's result on these forms."""
    files = [json.dumps(filled(letter, given)).encode() for letter, given in forms]
    answers = tuple(answer for data in files for answer in read_notebook(data).answers)
    return result(student, answers=answers, points=0)


def believing(letter: str, misconception: str) -> dict[str, str]:
    """Return the key's answers, replaced by one misconception wherever it applies."""
    answers = dict(KEYS[letter])
    for one in form(letter):
        names = [name for name, _ in one.choices]
        if misconception in names:
            answers[one.name] = "abcd"[names.index(misconception)]
    return answers


def test_whoever_knows_all_has_twenty_and_whoever_knows_nothing_none() -> None:
    wrong = {one.name: next(x for x in "abc" if x != one.key) for one in form("B")}
    inventory, _ = apart([handed_in("ada", ("A", KEYS["A"]), ("B", wrong))])
    ((before, after),) = inventory.pairs
    assert (before.right, before.answered, after.right, after.answered) == (20, 20, 0, 20)
    assert inventory.means == (20, 0)
    assert inventory.gain is None


@pytest.mark.parametrize("misconception", MISCONCEPTIONS)
def test_a_belief_that_is_given_up_is_a_gain(misconception: str) -> None:
    forms = ("A", believing("A", misconception)), ("B", KEYS["B"])
    inventory, _ = apart([handed_in("ada", *forms)])
    gains = {one.misconception: one for one in inventory.gains()}
    assert gains.keys() == MISCONCEPTIONS.keys()
    mine = gains.pop(misconception)
    assert (mine.before, mine.after, mine.gain) == (1, 0, 1)
    assert {(one.before, one.after, one.gain) for one in gains.values()} == {(0, 0, None)}
    back, _ = apart([handed_in("bob", ("A", KEYS["A"]), ("B", believing("B", misconception)))])
    (first, *_) = back.gains()
    assert (first.misconception, first.before, first.after) == (misconception, 0, 1)


def test_an_empty_answer_is_none_and_an_empty_form_is_no_form() -> None:
    empty = dict.fromkeys(KEYS["B"], "")
    some = {**empty, "b01": KEYS["B"]["b01"]}
    inventory, _ = apart([handed_in("ada", ("A", KEYS["A"]), ("B", empty)), handed_in("bob", ("B", some))])
    assert inventory.sheets["ada"][1] is None
    assert (inventory.pairs, inventory.alone) == ([], 2)
    bobs = inventory.sheets["bob"][1]
    assert (bobs.right, bobs.answered) == (1, 1)


def test_who_hands_in_twice_is_not_counted_twice() -> None:
    empty = dict.fromkeys(KEYS["A"], "")
    inventory, _ = apart([handed_in("ada", ("A", KEYS["A"]), ("A", empty))])
    before, _after = inventory.sheets["ada"]
    assert before.right == 20


def test_other_answers_go_on_and_letters_do_not() -> None:
    ada = handed_in("ada", ("A", KEYS["A"]))
    words = WrittenAnswer("long-vectors", 2, "It grows with length.")
    _, (rest,) = apart([replace(ada, answers=(*ada.answers, words))])
    assert rest.answers == (words,)


def a_class(count: int) -> GradedClass:
    chance = random.Random(5)
    results = []
    for i in range(count):
        forms = [(letter, {one.name: chance.choice("abc") for one in form(letter)}) for letter in "AB"]
        results.append(handed_in(f"student{i:02d}", *forms[: 1 if i == 0 else 2]))
    return GradedClass({}, tuple(results), (), count)


def test_the_overview_shows_the_gain_of_each_misconception(tmp_path: Path) -> None:
    graded = a_class(30)
    write_all(tmp_path, graded)
    html = (tmp_path / "overview.html").read_text(encoding="utf-8")
    assert "29 students handed in both forms." in html
    assert "1 handed in one form alone" in html
    inventory, _ = apart(graded.results)
    for one in inventory.gains():
        assert one.says.replace("'", "&#39;") in html
        assert f"{100 * one.after:.0f}%" in html
    lines = (tmp_path / "inventory.csv").read_text(encoding="utf-8-sig").splitlines()
    assert len(lines) == 31
    assert lines[1].endswith(",,")
    report = (tmp_path / "reports" / "student05.html").read_text(encoding="utf-8")
    assert "inventory" not in report
    assert not (tmp_path / "answers.html").exists()


def test_a_class_without_forms_has_no_word_of_it(tmp_path: Path) -> None:
    write_all(tmp_path, GradedClass({}, (), (), 0))
    assert "before and after" not in (tmp_path / "overview.html").read_text(encoding="utf-8")
    assert not (tmp_path / "inventory.csv").exists()
    assert Inventory({}).pairs == []


_HARMFUL = """
import pathlib
from qkvlib import predict, check
from qkvlib.learner import memory
from datetime import date
try:
    memory.keep_mistake("dot", "evil", 1, date.today())
    print(memory.all_missed())
except Exception as error:
    print(error)
"""


def test_grading_leaves_the_learners_memory_alone(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The notebook has a form, a checked wrong answer, and a cell that tries to write to the memory."""
    (home / "misses").mkdir()
    (home / "misses" / "01-long-vector.json").write_text('{"chapter": 1, "day": "2026-01-01"}')
    before = _content(home)
    student = tmp_path / "in" / "ada"
    wrong = "from qkvlib import check\ndef dot(a, b):\n    return a * b\ndot = check(dot)"
    hand_in(student / "01_similarity.ipynb", [_HARMFUL, wrong])
    (student / "form_a.ipynb").write_text(json.dumps(filled("A", KEYS["A"])))
    monkeypatch.setitem(os.environ, "JPY_SESSION_NAME", "the instructor's own.ipynb")
    out = tmp_path / "out"
    grade = ["grade", str(tmp_path / "in"), "--out", str(out), "--jobs", "1"]
    assert cli.main([*grade, "--exercises", "dot"]) == 0
    assert "ada,ada,20,20,," in (out / "inventory.csv").read_text(encoding="utf-8-sig")
    assert "products_not_summed" in (out / "results.jsonl").read_text(encoding="utf-8")
    assert _content(home) == before


def _content(home: Path) -> dict[str, Any]:
    """Return every fact stored about a learner."""
    files = (path for kind in progress.KINDS for path in (home / kind).rglob("*"))
    return {str(path): path.read_bytes() for path in files}
