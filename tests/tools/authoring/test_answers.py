"""Test that a lesson asks its questions without giving the answers."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import nbformat
import pytest

from qkvlib import ask
from qkvlib.tools.authoring import answers
from qkvlib.widgets.predict.answers import FILE, answer_of

ROOT = Path(__file__).parents[3]
LESSONS = sorted((ROOT / "lessons").glob("[0-9]*.ipynb"))
KNOWN = json.loads(FILE.read_text(encoding="utf-8"))

ASKED = """\
# “Why?”, in two lines
ask(
    "03-why",
    "Why?",
    ["this", "that"],
    answer=1,
    because="It is so, "
    "and not otherwise.",
    unless={0: "Not this."},
)
ask("03-é", "What?", ["one", "two"], answer=0, because="One.")
after = 1
"""


def test_an_answer_is_taken_out_and_nothing_else() -> None:
    assert (
        answers.without(ASKED)
        == """\
# “Why?”, in two lines
ask(
    "03-why",
    "Why?",
    ["this", "that"],
)
ask("03-é", "What?", ["one", "two"])
after = 1
"""
    )


def test_what_is_taken_out_is_kept_by_name() -> None:
    assert answers.of_questions(ASKED) == {
        "03-why": {"answer": 1, "because": "It is so, and not otherwise.", "unless": {0: "Not this."}},
        "03-é": {"answer": 0, "because": "One."},
    }


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda path: path.stem)
def test_no_lesson_shows_an_answer(lesson: Path) -> None:
    text = lesson.read_text(encoding="utf-8")
    chapter = {name: known for name, known in KNOWN.items() if name.startswith(lesson.stem[:2])}
    told = [name for name, known in chapter.items() if known["because"][:40] in text]
    assert not told


def test_every_question_of_a_lesson_has_its_answer() -> None:
    asked = set()
    for lesson in LESSONS:
        for cell in nbformat.read(lesson, as_version=4).cells:
            tree = ast.parse(cell.source) if cell.cell_type == "code" else ast.Module([], [])
            for node in ast.walk(tree):
                match node:
                    case ast.Call(func=ast.Name(id="ask"), args=[name, _, choices]):
                        asked.add(ast.literal_eval(name))
                        answer, *_ = answer_of(ast.literal_eval(name))
                        assert 0 <= answer < len(ast.literal_eval(choices))
    assert asked == set(KNOWN)
    assert len(asked) > 30


def test_a_question_that_nobody_knows_says_what_to_write() -> None:
    with pytest.raises(ValueError, match=r"'99-new' is kept. Give it with the question: answer=1"):
        ask("99-new", "Which?", ["this", "that"])
