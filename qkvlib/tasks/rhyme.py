"""A language to model: the nursery rhyme of the house that Jack built, word by word."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import torch
from torch import Generator, Tensor

from qkvlib.tasks.base import Batch
from qkvlib.tasks.order import Line

# Traditional English rhyme, printed since 1755; in the public domain. The last comes first.
VERSES = (
    "the farmer sowing his corn that kept",
    "the cock that crowed in the morn that waked",
    "the priest all shaven and shorn that married",
    "the man all tattered and torn that kissed",
    "the maiden all forlorn that milked",
    "the cow with the crumpled horn that tossed",
    "the dog that worried",
    "the cat that killed",
    "the rat that ate",
    "the malt that lay in",
    "the house that jack built .",
)


@cache
def rhyme() -> tuple[str, ...]:
    """Every word of it: each verse says all the verses before it once more."""
    lines = [f"this is {' '.join(VERSES[start:])}" for start in reversed(range(len(VERSES)))]
    return tuple(" ".join(lines).split())


@dataclass(frozen=True)
class Rhyme(Line):
    """Say, at each place, the next word of "This is the house that Jack built".

    A line is `n_words` words from anywhere in the rhyme. "that" comes again and again, followed by
    something else each time: the model has to look back to know where it is.
    """

    n_words: int = 16

    tokens = tuple(sorted(set(rhyme())))
    answers = tokens

    def batch(self, size: int, generator: Generator) -> Batch:
        text = numbers()
        start = torch.randint(len(text) - self.n_words, (size, 1), generator=generator)
        line = text[start + torch.arange(self.n_words + 1)]
        return Batch(inputs=(line[:, :-1],), answers=line[:, 1:])


@cache
def numbers() -> Tensor:
    """The whole rhyme as token numbers."""
    return torch.tensor([Rhyme.tokens.index(word) for word in rhyme()])
