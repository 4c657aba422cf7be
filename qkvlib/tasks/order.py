"""Tasks in which order matters: which word came first, what comes next, what came before."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from jaxtyping import Int
from torch import Generator, Tensor

from qkvlib.tasks.base import NO_ANSWER, Batch, Task, different, whole

NAMES = tuple("abcdefghijklmnop")


@dataclass(frozen=True)
class Line(Task):
    """A line of tokens that the model reads as a whole; `answers` has a place for each of them."""

    def words(self, places: Int[Tensor, " n"]) -> list[str]:
        return [self.tokens[token] for token in places.tolist()]


@dataclass(frozen=True)
class FirstWord(Line):
    """Six different words and then a question: which came first?

    The words are the same six in any order as often as not, so only their order tells.
    """

    n_words: int = 6

    tokens = (*NAMES[:10], "first?")
    answers = NAMES[:10]

    def batch(self, size: int, generator: Generator) -> Batch:
        words = different(size, self.n_words, len(self.answers), generator)
        question = torch.full((size, 1), self.tokens.index("first?"))
        answers = torch.full((size, self.n_words + 1), NO_ANSWER)
        answers[:, -1] = words[:, 0]
        return Batch(inputs=(torch.cat([words, question], dim=1),), answers=answers)


@dataclass(frozen=True)
class NextWord(Line):
    """Say, at each place, which word comes next. In this language a mostly leads to b, b to c, ...

    With chance `habit` the next word is the one after this in the alphabet of eight, else any. So
    no honest model can be right more often than habit + (1 - habit) / 8.
    """

    habit: float = 0.7
    n_words: int = 12

    tokens = NAMES[:8]
    answers = NAMES[:8]

    @property
    def ceiling(self) -> float:
        return self.habit + (1 - self.habit) / len(self.tokens)

    def batch(self, size: int, generator: Generator) -> Batch:
        count = len(self.tokens)
        line = [torch.randint(count, (size,), generator=generator)]
        for _ in range(self.n_words):
            usual = torch.rand(size, generator=generator) < self.habit
            anything = torch.randint(count, (size,), generator=generator)
            line.append(torch.where(usual, (line[-1] + 1) % count, anything))
        words = torch.stack(line, dim=1)
        return Batch(inputs=(words[:, :-1],), answers=words[:, 1:])


@dataclass(frozen=True)
class WordsBack(Line):
    """Say, at each place, which word stands `back` places before it. Any word may stand anywhere.

    Nothing is asked at the first places, before which too few words stand. Only places tell what
    is right: the words themselves are drawn at random.
    """

    n_words: int = 16
    back: int = 3

    tokens = NAMES
    answers = NAMES

    def batch(self, size: int, generator: Generator) -> Batch:
        words = whole(size, self.n_words, len(NAMES), generator)
        answers = torch.full_like(words, NO_ANSWER)
        answers[:, self.back :] = words[:, : -self.back]
        looks_at = torch.full_like(words, NO_ANSWER)
        looks_at[:, self.back :] = torch.arange(self.n_words - self.back)
        return Batch((words,), answers, looks_at)


@dataclass(frozen=True)
class OpeningWord(Line):
    """Say, at each place, which word opened the line: always the same place, ever farther away."""

    n_words: int = 16

    tokens = NAMES
    answers = NAMES

    def batch(self, size: int, generator: Generator) -> Batch:
        words = whole(size, self.n_words, len(NAMES), generator)
        return Batch((words,), words[:, :1].repeat(1, self.n_words), torch.zeros_like(words))


@dataclass(frozen=True)
class Induction(Line):
    """Ten different words, then four of them again: what followed this one the first time?

    "d a f c ... f c": after the second f the answer is c, because c followed the first f. Word and
    answer stand in pairs, so that counting places does not help.
    """

    n_words: int = 10
    n_pairs: int = 4

    tokens = NAMES
    answers = NAMES

    def batch(self, size: int, generator: Generator) -> Batch:
        words = different(size, self.n_words, len(NAMES), generator)
        first = different(size, self.n_pairs, self.n_words - 1, generator)
        pairs = torch.stack([words.gather(1, first), words.gather(1, first + 1)], dim=-1)
        line = torch.cat([words, pairs.flatten(1)], dim=1)
        asked = self.asked()
        answers = torch.full_like(line, NO_ANSWER)
        answers[:, asked] = line[:, asked + 1]
        looks_at = torch.full_like(line, NO_ANSWER)
        looks_at[:, asked] = first + 1
        return Batch((line,), answers, looks_at)

    def asked(self) -> Int[Tensor, " pairs"]:
        """The places of the four words whose successor is asked for."""
        return torch.arange(self.n_words, self.n_words + 2 * self.n_pairs, 2)
