"""Test the inventory: keys are computed, each wrong choice is one misconception, no cell is empty."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from qkvlib.course.inventory import matrix
from qkvlib.course.inventory.form import answer_name, notebook, read_answer, write
from qkvlib.course.inventory.items import FORMS, LETTERS, Item, form, item
from qkvlib.course.inventory.misconceptions import MISCONCEPTIONS
from qkvlib.exercises import EXERCISES
from qkvlib.tools.cli import main
from tests.course.inventory_keys import KEYS

ROOT = Path(__file__).parents[2]
ITEMS = {one.name: one for letter in FORMS for one in form(letter)}


@pytest.mark.parametrize("name", ITEMS)
def test_the_key_is_what_a_program_finds(name: str) -> None:
    assert KEYS[name]() == ITEMS[name].right


def test_each_form_has_twenty_items_with_choices_of_their_own() -> None:
    assert [len(form(letter)) for letter in FORMS] == [20, 20]
    assert KEYS.keys() == ITEMS.keys()
    for one in ITEMS.values():
        texts = [text for _, text in one.choices]
        assert 3 <= len(texts) == len(set(texts)) <= len(LETTERS)
        believed = [misconception for misconception, _ in one.wrong]
        assert len(set(believed)) == len(believed), f"{one.name}: one belief, one choice"


def test_the_forms_differ_and_their_keys_tell_nothing() -> None:
    texts = [{(one.question, one.right) for one in form(letter)} for letter in FORMS]
    assert not texts[0] & texts[1]
    for letter in FORMS:
        keys = [one.key for one in form(letter)]
        assert max(keys.count(one) for one in LETTERS) <= 11
        longest = [max(one.choices, key=lambda pair: len(pair[1]))[0] == "" for one in form(letter)]
        assert longest.count(True) <= 10, "whoever takes the longest choice must not do well"
        shortest = [min(one.choices, key=lambda pair: len(pair[1]))[0] == "" for one in form(letter)]
        assert shortest.count(True) <= 9, "nor whoever takes the shortest"


def test_the_matrix_has_no_empty_cell(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["matrix"]) == 0
    printed = capsys.readouterr().out
    for row in matrix.rows():
        assert all(row), row
        assert row[0] in printed
    used = {misconception for one in ITEMS.values() for misconception, _ in one.wrong}
    assert used == MISCONCEPTIONS.keys()


@pytest.mark.parametrize("name", MISCONCEPTIONS)
def test_what_the_matrix_names_is_there(name: str) -> None:
    one = MISCONCEPTIONS[name]
    predictions, questions = _asked("predict"), _asked("ask")
    assert one.predicted in predictions
    assert one.again in questions
    assert int(one.again[:2]) > int(one.predicted[:2])
    exercise, _, mistake = one.caught.partition(".")
    assert mistake in {known.name for known in EXERCISES[exercise].mistakes}
    file, _, claim = one.refuted.partition(".")
    source = (ROOT / "tests" / "experiments" / f"{file}.py").read_text(encoding="utf-8")
    assert re.search(rf"^@claim\((?:(?!\n\n).)*?^def {claim}\(", source, re.MULTILINE | re.DOTALL)


def _asked(how: str) -> set[str]:
    sources = (path.read_text(encoding="utf-8") for path in (ROOT / "solutions").glob("[0-9]*.py"))
    return {name for text in sources for name in re.findall(rf'\b{how}\(\s*"([\w-]+)"', text)}


@pytest.mark.parametrize("letter", FORMS)
def test_a_form_holds_questions_and_no_key(letter: str, tmp_path: Path) -> None:
    assert main(["inventory", letter, str(tmp_path)]) == 0
    text = (tmp_path / f"form_{letter.lower()}.ipynb").read_text(encoding="utf-8")
    cells = json.loads(text)["cells"]
    assert len(cells) == 1 + 2 * 20
    assert not [name for name in MISCONCEPTIONS if name in text]
    when = {"A": "before", "B": "after"}[letter]
    for one, question, answer in zip(form(letter), cells[1::2], cells[2::2], strict=True):
        asked = "".join(question["source"])
        assert one.question in asked
        assert [asked.count(words) >= 1 for _, words in one.choices].count(False) == 0
        assert answer["source"][0].startswith(f"<!-- answer: inventory-{when}-{one.name},")


@pytest.mark.parametrize(
    ("written", "letter"),
    [
        ("My letter: b", "b"),
        ("My letter: **C**", "c"),
        ("My letter:\n(a)", "a"),
        ("d", "d"),
        ("My letter:", ""),
        ("My letter: e", ""),
        ("My letter: a or b", ""),
        ("", ""),
    ],
)
def test_a_letter_is_read_however_it_is_written(written: str, letter: str) -> None:
    name = answer_name("after", ITEMS["a07"])
    assert read_answer(name, written) == ("after", "a07", letter)


def test_other_answers_are_no_letters() -> None:
    assert read_answer("long-vectors", "b") is None
    assert item("a99") is None
    assert ITEMS["a01"].chosen("") is ITEMS["a05"].chosen("d") is None
    with pytest.raises(ValueError, match="no 'C'"):
        form("C")


def test_a_form_can_be_given_on_the_other_occasion() -> None:
    text = json.dumps(notebook("A", "after"))
    assert "inventory-after-a20" in text
    assert "inventory-before" not in text


def test_an_unknown_misconception_is_refused() -> None:
    from qkvlib.course.inventory import items

    with pytest.raises(ValueError, match="no misconception is called 'flat-earth'"):
        items._read("z01\n? Is it?\n+ No\n- [flat-earth] Yes")
    assert isinstance(items._read("z01\n? Is it?\n+ No\n- [labelled] Yes"), Item)


def test_a_form_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    path = write("A", tmp_path, "before")
    path.write_text("my letters", encoding="utf-8")
    with pytest.raises(FileExistsError, match="may hold answers"):
        write("A", tmp_path, "before")
    assert path.read_text(encoding="utf-8") == "my letters"
