"""Test the result of a quiz: the count, and links to the sections to read again."""

from __future__ import annotations

import re

import pytest

from qkvlib import ask, quiz_result
from tests.wire import Wire

pytestmark = pytest.mark.usefixtures("home")


def question(name: str) -> Wire:
    """Make a question whose first choice is right."""
    unless = {
        1: "No. Reread chapter 9, “Which head does what?”.",
        2: "No. Reread chapter 3, “W_Q is not the embedding”.",
    }
    return Wire(ask(name, "Which?", ["this", "that", "none"], answer=0, because="So.", unless=unless))


def test_the_result_counts_what_was_answered_rightly() -> None:
    wires = [question(f"84-{i}") for i in range(3)]
    assert repr(quiz_result("84")) == "0 of 3 right, 3 not answered yet"
    wires[0].commit("this")
    wires[1].commit("that")
    assert repr(quiz_result("84")).startswith("1 of 3 right, 1 not answered yet\n")
    wires[2].commit("this")
    assert repr(quiz_result("84")).startswith("2 of 3 right\n")


def test_what_to_read_again_is_named_once_in_the_order_of_the_course_and_linked() -> None:
    for i, choice in enumerate(("that", "none", "that")):
        question(f"85-{i}").commit(choice)
    result = quiz_result("85")
    assert repr(result).splitlines()[1:] == [
        "To read again:",
        "- chapter 3, W_Q is not the embedding",
        "- chapter 9, Which head does what?",
    ]
    assert re.findall(r'href="(.*?)"', result.html) == [
        "03_projections.ipynb#W_Q-is-not-the-embedding",
        "09_heads_differ.ipynb#Which-head-does-what%3F",
    ]
