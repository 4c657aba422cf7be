"""Test the dictionary: its contents, how it is split, and how errors are counted."""

from __future__ import annotations

import re

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from qkvlib.data import FOLDER
from qkvlib.tasks import NO_ANSWER, Pronunciation
from qkvlib.tasks.pronunciation import (
    AS_IN,
    END,
    LETTERS,
    PHONEMES,
    START,
    dictionary,
    edit_distance,
    error_rates,
    part,
    sounds,
    spelling,
    words_of,
)
from qkvlib.tools.authoring.data.dictionary import spellings


def test_the_dictionary_has_its_words_its_sounds_and_its_notice() -> None:
    words = dictionary()
    assert len(words) == 117_364
    assert words["read"] == (("R", "EH", "D"), ("R", "IY", "D"))
    assert all(re.fullmatch("[a-z]{2,16}", word) for word in words)
    assert {s for spoken in words.values() for said in spoken for s in said} == set(PHONEMES)
    notice = (FOLDER / "dictionary-notice.txt").read_text(encoding="utf-8")
    assert "Carnegie Mellon University" in notice


@pytest.mark.whole
def test_no_word_stands_on_two_sides_and_none_is_lost() -> None:
    parts = [words_of("train"), words_of("validation"), words_of("test")]
    assert sum(map(len, parts)) == len(dictionary())
    assert len(set().union(*parts)) == len(dictionary())
    assert all(0.04 < len(words) / len(dictionary()) < 0.06 for words in parts[1:])


def test_the_split_is_the_same_for_ever() -> None:
    assert {part(word) for word in ("cat", "photograph", "queen")} == {"train"}
    assert {part(word) for word in ("abby", "aberford", "abie")} == {"validation"}
    assert {part(word) for word in ("aberdeen", "abilities", "abdulla")} == {"test"}


@pytest.mark.whole
def test_the_task_trains_on_training_words_alone() -> None:
    batch = Pronunciation(4, 6).batch(300, torch.Generator().manual_seed(0))
    words = {"".join(LETTERS[n] for n in row).rstrip("$") for row in batch.inputs[0].tolist()}
    assert {part(word) for word in words} == {"train"}
    assert all(4 <= len(word) <= 6 for word in words)


@pytest.mark.whole
def test_fewer_words_are_still_spread_from_a_to_z() -> None:
    batch = Pronunciation(4, 4, at_most=300).batch(2000, torch.Generator().manual_seed(0))
    words = {"".join(LETTERS[n] for n in row) for row in batch.inputs[0].tolist()}
    assert 100 < len(words) <= 300
    assert min(words)[0] == "a"
    assert max(words)[0] in "xyz"


def test_what_is_heard_is_what_is_said_one_step_later() -> None:
    heard, said = sounds([["K", "AE", "T"], ["AH"]])
    assert heard[0, 0] == heard[1, 0] == START
    assert heard[0, 1:].tolist() == said[0, :-1].tolist()
    assert said[0, -1] == said[1, 1] == END
    assert said[1, 2:].tolist() == [NO_ANSWER, NO_ANSWER]


def test_stress_comments_and_odd_words_are_dropped() -> None:
    text = "read R EH1 D\nread(2) R IY1 D\nread(3) R EH0 D\n'em AH0 M\na AH0\naalto AA1 L T # name\n"
    assert spellings(text) == {"read": ["R EH D", "R IY D"], "aalto": ["AA L T"]}


words = st.lists(st.sampled_from("abc"), max_size=6)


@given(words, words, words)
def test_edit_distance_is_a_distance(a: list[str], b: list[str], c: list[str]) -> None:
    assert (edit_distance(a, b) == 0) == (a == b)
    assert edit_distance(a, b) == edit_distance(b, a)
    assert edit_distance(a, c) <= edit_distance(a, b) + edit_distance(b, c)
    assert abs(len(a) - len(b)) <= edit_distance(a, b) <= max(len(a), len(b))


def test_edit_distance_counts_drops_additions_and_changes() -> None:
    assert edit_distance("kitten", "sitting") == 3


def test_errors_count_against_the_nearest_listed_pronunciation() -> None:
    says = {"read": ["R", "IY", "D"], "cat": ["K", "AH", "T"]}
    phonemes, wrong = error_rates(lambda group: [says[word] for word in group], ["read", "cat"])
    assert phonemes == pytest.approx(1 / 6)
    assert wrong == 0.5


def test_what_is_typed_becomes_a_word_of_small_letters() -> None:
    assert spelling("  Charlotte\n") == "charlotte"
    for word in list(dictionary())[::500]:
        assert spelling(word) == word


def test_a_word_that_cannot_be_read_is_refused_and_a_way_out_is_named() -> None:
    with pytest.raises(ValueError, match="“é” is not one of them: try “rene”"):
        spelling("René")


def test_each_sound_is_heard_in_the_word_that_stands_for_it() -> None:
    for sound, word in AS_IN.items():
        assert any(sound in said for said in dictionary()[word]), (sound, word)
