"""Test the quiz: 25 questions, each wrong answer is refuted, and each pointer leads to a section."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from qkvlib.exercises import EXERCISES

ROOT = Path(__file__).parents[2]
SOURCE = (ROOT / "solutions/17_quiz.py").read_text(encoding="utf-8")
SHORT = [exercise for exercise in EXERCISES.values() if exercise.chapter == 17]
ASKED = [
    {"name": ast.literal_eval(call.args[0]), "choices": ast.literal_eval(call.args[2])}
    | {str(word.arg): ast.literal_eval(word.value) for word in call.keywords}
    for call in ast.walk(ast.parse(SOURCE))
    if isinstance(call, ast.Call) and ast.unparse(call.func) == "ask"
]
POINTER = re.compile(r"chapter\s+(\d+),\s+“([^”]+)”")


def refutations() -> list[str]:
    """Return the feedback on every wrong answer."""
    chosen = [words for question in ASKED for words in question["unless"].values()]
    return chosen + [mistake.diagnosis for one in SHORT for mistake in one.mistakes]


def test_there_are_twenty_five_questions_numbered_in_order() -> None:
    assert len(ASKED) + len(SHORT) == 25
    numbers = re.findall(r'(?:^# |^    ")(\d+)\\?\. ', SOURCE, re.MULTILINE)
    assert numbers == [str(number) for number in range(1, 26)]


@pytest.mark.parametrize("question", ASKED, ids=lambda question: question["name"])
def test_every_wrong_choice_is_refuted_without_the_right_one(question: dict[str, object]) -> None:
    wrong = set(range(len(question["choices"]))) - {question["answer"]}  # type: ignore[arg-type]
    assert set(question["unless"]) == wrong  # type: ignore[call-overload]
    right = question["choices"][question["answer"]]  # type: ignore[index]
    for words in question["unless"].values():  # type: ignore[attr-defined]
        assert right.rstrip(".").lower() not in words.lower(), words


@pytest.mark.parametrize("words", refutations())
def test_every_refutation_leads_to_a_section_of_the_course(words: str) -> None:
    found = POINTER.search(words)
    assert found, "no chapter and section is named"
    (source,) = (ROOT / "solutions").glob(f"{int(found[1]):02}_*.py")
    heading = " ".join(found[2].split())
    assert re.search(rf"^# ##+ {re.escape(heading)}$", source.read_text("utf-8"), re.MULTILINE)
