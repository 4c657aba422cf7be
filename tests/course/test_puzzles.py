"""Test that lines can be viewed and reordered without revealing whether their order is right."""

from __future__ import annotations

import pytest

from qkvlib import puzzle
from qkvlib.exercises import EXERCISES
from qkvlib.exercises.chapter_08.order_the_heads import HEADS_PUZZLE
from qkvlib.widgets.lines.widget import Lines

ORDER = "order_the_heads"


def made(shown: Lines) -> list[str]:
    """Return the result of each line of the program, as the still picture shows it."""
    return [shape for _, _, shape in shown._rows()]


def test_every_line_is_shown_with_its_letter() -> None:
    shown = puzzle(ORDER)
    for (letter, line), row in zip(HEADS_PUZZLE.lines.items(), repr(shown).splitlines(), strict=True):
        assert row.split(maxsplit=1) == [letter, line]
    assert shown.order == ""


def test_an_order_shows_the_shape_of_what_each_line_makes() -> None:
    shown = puzzle(ORDER, "e J, B")
    assert shown.order == "EJB"
    assert made(shown) == ["[b, n, h·d_k]", "[b, n, h, d_k]", "[b, h, n, d_k]"]


def test_the_right_order_runs_to_its_end_and_is_not_called_right() -> None:
    shown = puzzle(ORDER, EXERCISES[ORDER].reference())
    assert repr(shown).splitlines()[-1].endswith("[b, n, h·d_k]")
    assert "right" not in (repr(shown) + str(shown.pack())).lower()


@pytest.mark.parametrize("wrong", EXERCISES[ORDER].mistakes, ids=lambda wrong: wrong.name)
def test_every_known_wrong_order_can_be_watched(wrong: object) -> None:
    order = wrong.program()  # type: ignore[attr-defined]
    shapes = made(puzzle(ORDER, order))
    assert len(shapes) == len(order) or "stops" in shapes[-1]


def test_a_line_that_cannot_run_says_why_and_ends_the_program() -> None:
    assert made(puzzle(ORDER, "HEJ")) == ["stops: name 'q' is not defined"]


@pytest.mark.parametrize(
    ("exercise", "order", "words"),
    [
        ("split_heads", "", "'split_heads' is no puzzle: there is order_the_heads"),
        (ORDER, "EX", "There is no line X"),
        (ORDER, "EE", "Line E stands in your program more than once"),
    ],
)
def test_a_slip_hears_what_is_wrong(exercise: str, order: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        puzzle(exercise, order)
