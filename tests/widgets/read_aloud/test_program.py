"""Test that the page reads as torch does: sounds, weights, words, and the goal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from torch import Tensor

from qkvlib.models import Pronouncer
from qkvlib.tasks.pronunciation import dictionary, letters, sounds
from qkvlib.widgets import ReadAloud, Spelling
from tests.node import Node
from tests.wire import Wire, saved

GOAL = Spelling("78-local", "Two sounds, and none.")
SIGNS = "aeinorstlc" * 4 + "ABCéÉöñçßÆøŁđþıİǅﬁ½'-. $4李😀\u0301\u00a0"
REFUSED = [
    "",
    "  ",
    "a",
    "abcdefghijklmnopq",
    "New York",
    "Zoë",
    "o'neill",
    "Ångström",
    "42!é",
    "é4",
    "Straße",
    "Æsop",
    "a" * 45,
    "é" * 30,
    "李",
    "a$",
    " Photo ",
]


@pytest.fixture(scope="module")
def page() -> Iterator[Node]:
    with Node(Path(__file__).parents[1] / "kit" / "carry_out.mjs") as node:
        yield node


def hold(page: Node, widget: ReadAloud, typed: list[str]) -> list[dict[str, Any]]:
    """All words in one script, in the page and in Python: the states are equal. Return the goals."""
    setup, state = widget.setup(), widget.pack()
    requests = [{"edit": {"word": word}} for word in typed]
    asked = {"widget": "read_aloud", "setup": setup, "state": state}
    theirs: list[dict[str, Any]] = page.ask({**asked, "requests": requests})
    goals = [told["goal"] for told in theirs]
    for request, told in zip(requests, theirs, strict=True):
        widget.receive(request["edit"])
        expected = widget.pack()
        told["verdict"] = expected["verdict"]  # the dictionary is Python's
        del told["goal"], expected["goal"]  # the page judges it
        weights = expected.pop("weights")
        assert told.pop("weights") == pytest.approx(weights, abs=1e-5), request
        assert told == expected, request
    return goals


def by_torch(words: list[str]) -> dict[str, tuple[list[str], Tensor]]:
    """Return each word's sounds and attention weights; words of one length are read together."""
    model, read = Pronouncer.pretrained(), {}
    for length in {len(word) for word in words}:
        group = [word for word in words if len(word) == length]
        said = model.pronounce(group)
        heard, _ = sounds(said)
        maps = model(letters(group), heard).attention["cross"][:, 0]
        for word, spoken, weights in zip(group, said, maps, strict=True):
            read[word] = ([*spoken, "end"], weights[: len(spoken) + 1])
    return read


@pytest.mark.whole
def test_500_words_of_the_dictionary_are_read_as_torch_reads_them(page: Node) -> None:
    words = Random(0).sample([*dictionary()], 500)
    widget, expected = ReadAloud("knight"), by_torch(words)
    asked = {"widget": "read_aloud", "setup": widget.setup(), "state": widget.pack()}
    requests = [{"edit": {"word": word}} for word in words]
    theirs = page.ask({**asked, "requests": requests})
    for word, told in zip(words, theirs, strict=True):
        rows, weights = expected[word]
        assert (told["word"], told["rows"]) == (word, rows)
        assert told["weights"] == pytest.approx(weights.flatten().tolist(), abs=1e-5), word


@pytest.mark.whole
@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_typed_and_in_which_order(page: Node, seed: int) -> None:
    chance = Random(seed)
    words = Random(seed).sample([*dictionary()], 5)
    garbage = ["".join(chance.choices(SIGNS, k=chance.randint(0, 18))) for _ in range(60)]
    typed = [*REFUSED, *words, *garbage, "law", "box", "axe"]
    chance.shuffle(typed)
    assert hold(page, ReadAloud("law", goal=GOAL), [*typed, "law"])[-1]["met"]


@pytest.mark.usefixtures("home")
def test_the_goal_is_met_by_a_letter_of_two_sounds_and_one_of_none(page: Node) -> None:
    box, knight, *met = hold(page, ReadAloud("law", goal=GOAL), ["box", "knight", "axe", "law"])
    assert box == {"met": "", "share": 0.5, "words": "gives two sounds: x ✓ · gives none: no letter yet"}
    assert knight["words"].startswith("gives two sounds: no letter yet · gives none: n g h ✓")
    assert met == [{"met": "axe", "share": 1, "words": "Met with “axe”."}] * 2, "met stays met"


def test_a_saved_notebook_keeps_the_model_that_ships_and_none_of_ones_own() -> None:
    assert 300_000 < len(saved(Wire(ReadAloud("law")).opening())) < 370_000
    own = ReadAloud("law", Pronouncer(n_layers=1))
    assert len(saved(Wire(own).opening())) < 30_000
