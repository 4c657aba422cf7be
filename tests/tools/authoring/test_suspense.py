"""Test which predictions are open in which notebook."""

from __future__ import annotations

from nbformat.v4 import new_code_cell, new_markdown_cell

from qkvlib.tools.authoring import suspense
from qkvlib.tools.authoring.suspense import Suspense


def test_a_prediction_is_open_until_a_cell_reveals_it() -> None:
    cells = [
        new_code_cell('one = predict("01-one", "?", ["a", "b"])\none'),
        new_markdown_cell("Now it runs."),
        new_code_cell('two = predict("01-two", "?", ["a", "b"])\ntwo'),
        new_code_cell("one.reveal(0)"),
        new_code_cell("print(2)"),
        new_code_cell("two.reveal(1)"),
        new_code_cell("print(3)"),
    ]
    assert suspense.of(cells) == [
        Suspense((), "01-one"),
        Suspense(("01-one",), ""),
        Suspense(("01-one",), "01-two"),
        Suspense(("01-one", "01-two"), ""),
        Suspense(("01-two",), ""),
        Suspense(("01-two",), ""),
        Suspense((), ""),
    ]


def test_what_is_answered_where_it_is_asked_holds_nothing_back() -> None:
    asked = new_code_cell('predict("01-one", "?", ["a", "b"], answer=1)')
    assert suspense.of([asked, new_code_cell("1")]) == [Suspense((), ""), Suspense((), "")]
