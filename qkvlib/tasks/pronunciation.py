"""Pronunciation: from a word's letters to its sounds, on the CMU Pronouncing Dictionary."""

from __future__ import annotations

import gzip
import unicodedata
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

import torch
from jaxtyping import Int
from torch import Generator, Tensor

from qkvlib.data import FOLDER
from qkvlib.tasks.base import NO_ANSWER, Batch, Task

LETTERS = (*"abcdefghijklmnopqrstuvwxyz", "$")
"""`$` ends every word: a place to look at when nothing more is to be said."""

AS_IN = {
    "AA": "father",
    "AE": "cat",
    "AH": "cup",
    "AO": "law",
    "AW": "cow",
    "AY": "my",
    "B": "bed",
    "CH": "chair",
    "D": "day",
    "DH": "this",
    "EH": "red",
    "ER": "her",
    "EY": "name",
    "F": "fox",
    "G": "go",
    "HH": "hat",
    "IH": "sit",
    "IY": "see",
    "JH": "joy",
    "K": "king",
    "L": "law",
    "M": "man",
    "N": "no",
    "NG": "sing",
    "OW": "home",
    "OY": "boy",
    "P": "pen",
    "R": "rain",
    "S": "sun",
    "SH": "she",
    "T": "ten",
    "TH": "thin",
    "UH": "book",
    "UW": "blue",
    "V": "van",
    "W": "we",
    "Y": "yes",
    "Z": "zoo",
    "ZH": "vision",
}
"""A word with each sound, for those who cannot read the dictionary's letters for it."""

PHONEMES = tuple(AS_IN)
SOUNDS = (*PHONEMES, "<start>", "<end>")
START, END = SOUNDS.index("<start>"), SOUNDS.index("<end>")

MOST_LETTERS = 16  # of a word in the dictionary

_SPELT_OUT = str.maketrans(
    {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ı": "i"}
)
_MOST_QUOTED = 24

_LETTER = {letter: number for number, letter in enumerate(LETTERS)}
_SOUND = {sound: number for number, sound in enumerate(SOUNDS)}

Part = Literal["train", "validation", "test"]


@cache
def dictionary() -> dict[str, tuple[tuple[str, ...], ...]]:
    """117,364 English words with their pronunciations, best first, without stress marks."""
    text = gzip.decompress((FOLDER / "dictionary.txt.gz").read_bytes()).decode()
    words = {}
    for line in text.splitlines():
        word, sounds = line.split(" ", 1)
        words[word] = tuple(tuple(spoken.split()) for spoken in sounds.split(","))
    return words


def part(word: str) -> Part:
    """Which part a word belongs to, forever: its checksum modulo 20 (0 test, 1 validation).

    It depends on the word's letters alone, so a word with two pronunciations, or one that comes
    with a later dictionary, never stands on both sides.
    """
    return {0: "test", 1: "validation"}.get(zlib.crc32(word.encode()) % 20, "train")  # type: ignore[return-value]


def words_of(chosen: Part) -> list[str]:
    """The words of one part of the dictionary, in alphabetical order."""
    return [word for word in dictionary() if part(word) == chosen]


def spelling(typed: str) -> str:
    """What someone typed as a word the model can read, or a ValueError that says what to try."""
    word = typed.strip().lower()
    if not word:
        raise ValueError("There is nothing to read: type a word or a name.")
    quoted = word if len(word) <= _MOST_QUOTED else f"{word[:_MOST_QUOTED]}…"
    for letter in word:
        if letter in _LETTER and letter != "$":
            continue
        if letter.isspace():
            raise ValueError(f"“{quoted}” is more than one word: type one at a time.")
        plain = _plain(word)
        # Without its other strange letters too, it would hardly be the word that was meant.
        near = 2 <= len(plain) <= MOST_LETTERS and all(_plain(other) or other == letter for other in word)
        instead = f"“{plain}”" if near else "how it is written in English letters"
        raise ValueError(
            f"The model knows the letters a to z, and “{letter}” is not one of them: try {instead}."
        )
    if not 2 <= len(word) <= MOST_LETTERS:
        raise ValueError(
            f"“{quoted}” has {len(word)} letter{'s' * (len(word) > 1)}. The model has learned "
            f"words of 2 to {MOST_LETTERS}: try another one."
        )
    return word


def _plain(word: str) -> str:
    """Its letters a to z, and others without their accents, or as two letters."""
    spelt_out = unicodedata.normalize("NFKD", word.translate(_SPELT_OUT))
    return "".join(c for c in spelt_out if c in _LETTER and c != "$")


def letters(words: Sequence[str]) -> Int[Tensor, "b n"]:
    """Words of one length as letter numbers, with the end mark."""
    return torch.tensor([[_LETTER[letter] for letter in (*word, "$")] for word in words])


def sounds(spoken: Sequence[Sequence[str]]) -> tuple[Int[Tensor, "b m"], Int[Tensor, "b m"]]:
    """What the decoder hears, `<start>` first, and what it is to say next, `<end>` last."""
    longest = max(map(len, spoken))
    heard, said = [], []
    for phonemes in spoken:
        numbers = [_SOUND[phoneme] for phoneme in phonemes]
        rest = longest - len(numbers)
        heard.append([START, *numbers, *[END] * rest])
        said.append([*numbers, END, *[NO_ANSWER] * rest])
    return torch.tensor(heard), torch.tensor(said)


def edit_distance(said: Sequence[str], right: Sequence[str]) -> int:
    """How many sounds must be dropped, added or changed to turn one into the other."""
    row = list(range(len(right) + 1))
    for i, heard in enumerate(said, start=1):
        above, row = row, [i]
        for j, wanted in enumerate(right, start=1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (heard != wanted)))
    return row[-1]


def error_rates(
    pronounce: Callable[[Sequence[str]], list[list[str]]], words: Sequence[str]
) -> tuple[float, float]:
    """The share of wrong phonemes and of wrong words; each word counts against its best entry."""
    errors = phonemes = wrong = 0
    for length in sorted({len(word) for word in words}):
        group = [word for word in words if len(word) == length]
        for word, said in zip(group, pronounce(group), strict=True):
            tries = [(edit_distance(said, right), len(right)) for right in dictionary()[word]]
            error, count = min(tries, key=lambda pair: pair[0] / pair[1])
            errors, phonemes, wrong = errors + error, phonemes + count, wrong + (error > 0)
    return errors / phonemes, wrong / len(words)


@dataclass(frozen=True)
class Pronunciation(Task):
    """Read a word, say its sounds, each one from the letters and the sounds before it.

    The words of one batch have the same number of letters, so that nothing has to be padded.
    `shortest`, `longest` and `at_most` limit the words; those that are left are spread over A to Z.
    """

    shortest: int = 2
    longest: int = MOST_LETTERS
    at_most: int = 200_000

    tokens = LETTERS
    answers = SOUNDS

    def batch(self, size: int, generator: Generator) -> Batch:
        groups = _groups(self.shortest, self.longest, self.at_most)
        counts = torch.tensor([len(group[0]) for group in groups])
        drawn = torch.multinomial(counts.float(), 1, generator=generator).item()
        spelt, heard, said = groups[int(drawn)]
        chosen = torch.randint(len(spelt), (size,), generator=generator)
        longest = int((said[chosen] != NO_ANSWER).sum(1).max())
        inputs = (spelt[chosen], heard[chosen, :longest])
        return Batch(inputs, said[chosen, :longest])

    def test(self, size: int = 2000) -> Batch:
        """Words of seven letters (or the longest there are) that no training has seen."""
        length = min(7, self.longest)
        words = [word for word in words_of("test") if len(word) == length][:size]
        heard, said = sounds([dictionary()[word][0] for word in words])
        return Batch((letters(words), heard), said)

    def probe(self) -> Batch:
        """Four words of seven letters whose letters and sounds do not run side by side."""
        words = ("through", "pleased", "thought", "knights")
        heard, said = sounds([dictionary()[word][0] for word in words])
        return Batch((letters(words), heard), said)

    def names(self, batch: Batch) -> list[tuple[list[str], list[str]]]:
        """Rows are the sounds being said, columns are the letters."""
        rows = [
            [SOUNDS[sound] if sound != NO_ANSWER else "" for sound in said] for said in batch.answers.tolist()
        ]
        columns = [[LETTERS[letter] for letter in word] for word in batch.inputs[0].tolist()]
        return list(zip(rows, columns, strict=True))


@cache
def _groups(shortest: int, longest: int, at_most: int) -> list[tuple[Tensor, Tensor, Tensor]]:
    """The training words by length: what is spelt, heard and said."""
    words = [word for word in words_of("train") if shortest <= len(word) <= longest]
    words = words[:: -(-len(words) // at_most)]
    groups = []
    for length in range(shortest, longest + 1):
        group = [word for word in words if len(word) == length]
        if group:
            spoken = [dictionary()[word][0] for word in group]
            groups.append((letters(group), *sounds(spoken)))
    return groups
