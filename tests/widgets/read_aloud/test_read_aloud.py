"""Test the reading widget without a browser: its words, its refusals, and when its goal is met."""

from __future__ import annotations

import re

import pytest

from qkvlib.models import Pronouncer
from qkvlib.widgets import ReadAloud, Spelling
from tests.wire import Wire


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("", "There is nothing to read"),
        ("a", "“a” has 1 letter. The model has learned words of 2 to 16"),
        ("abcdefghijklmnopq", "has 17 letters"),
        ("New York", "“new york” is more than one word"),
        ("Zoë", "“ë” is not one of them: try “zoe”"),
        ("o'neill", "“'” is not one of them: try “oneill”"),
        ("é4", "“é” is not one of them: try how it is written"),
        ("Straße", "“ß” is not one of them: try “strasse”"),
        ("Æsop", "“æ” is not one of them: try “aesop”"),
        ("a" * 45, f"“{'a' * 24}…” has 45 letters"),
        ("李", "try how it is written in English letters"),
    ],
)
def test_what_cannot_be_read_is_refused_with_words_and_the_last_word_stays(typed: str, words: str) -> None:
    widget = ReadAloud("law")
    wire = Wire(widget)
    state = wire.ask(edit={"word": typed})["state"]
    assert words in state["refused"]
    assert state["word"] == "law"
    assert wire.ask(edit={"word": "photo"})["state"]["refused"] == ""
    with pytest.raises(ValueError, match=re.escape(words)):
        widget.read(typed)


def test_what_the_dictionary_says_stands_beside() -> None:
    widget = ReadAloud("colonel")
    assert widget.pack()["verdict"] == "The dictionary says K ER N AH L."
    widget.read("qkvlib")
    assert widget.pack()["verdict"] == "The dictionary does not have this word."


def test_a_goal_is_for_the_model_that_ships() -> None:
    with pytest.raises(ValueError, match="a goal is for the model that ships"):
        ReadAloud("law", Pronouncer(n_layers=1), goal=Spelling("10-test", "Two sounds, and none."))


def test_a_model_of_ones_own_reads_too() -> None:
    untrained = Pronouncer(n_layers=1, seed=3)
    assert ReadAloud("law", untrained).reading != ReadAloud("law").reading
    assert ReadAloud("law", untrained).reading.columns == [*"law", "end"]


def test_the_still_picture_says_who_looks_where() -> None:
    widget = ReadAloud("photo")
    html = widget.static_html()
    assert repr(widget) == "ReadAloud(photo: F OW T OW)"
    assert 'alt="photo is said F OW T OW: “F” looks most at “p” (' in html
