"""Two senses of "bank": translate it into Ufer or Bank, or only guess masked words."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from jaxtyping import Int
from torch import Generator, Tensor

from qkvlib.tasks.base import NO_ANSWER, Batch, Task

RIVER = ("river", "boat", "fish", "water", "mud", "shore")
MONEY = ("money", "loan", "cash", "credit", "account", "debt")
OTHERS = ("the", "a", "near", "with", "and", "we", "saw", "old")
BANK, N_TOPIC = 0, len(RIVER)

N_WORDS = 7
"""Every text has seven words: "bank", one or two of one topic, and others, in any order."""


def texts(size: int, generator: Generator, n_topic: int | None = None) -> tuple[Tensor, Tensor]:
    """`size` texts as token numbers [b, 7], and their topics: 0 river, 1 money.

    `n_topic` fixes how many topic words each has.
    """
    topic = torch.randint(2, (size, 1), generator=generator)
    words = torch.randint(1 + 2 * N_TOPIC, 1 + 2 * N_TOPIC + len(OTHERS), (size, N_WORDS), generator=generator)  # fmt: skip
    words[:, 0] = BANK
    of_topic = torch.rand(size, N_TOPIC, generator=generator).argsort(-1)[:, :2]
    of_topic = 1 + N_TOPIC * topic + of_topic
    words[:, 1] = of_topic[:, 0]
    two = torch.rand(size, generator=generator) < 0.5 if n_topic is None else torch.full((size,), n_topic == 2)  # fmt: skip
    words[two, 2] = of_topic[two, 1]
    order = torch.rand(size, N_WORDS, generator=generator).argsort(-1)
    return words.gather(1, order), topic


@dataclass(frozen=True)
class BankSense(Task):
    """Translate "bank": Ufer in a text about a river, Bank in one about money.

    Only "bank" is asked. Were every word asked, learning to repeat the others would drown it.
    """

    tokens = ("bank", *RIVER, *MONEY, *OTHERS)
    answers = ("Ufer", "Bank")

    def batch(self, size: int, generator: Generator) -> Batch:
        words, topic = texts(size, generator)
        return Batch(inputs=(words,), answers=torch.where(words == BANK, topic, NO_ANSWER))

    def words(self, places: Int[Tensor, " n"]) -> list[str]:
        return [self.tokens[token] for token in places.tolist()]


@dataclass(frozen=True)
class MaskedWord(BankSense):
    """The same texts, never translated: one word is hidden, and the task is to say which it was."""

    tokens = (*BankSense.tokens, "[mask]")
    answers = BankSense.tokens

    def batch(self, size: int, generator: Generator) -> Batch:
        words, _ = texts(size, generator)
        hidden = torch.randint(N_WORDS, (size, 1), generator=generator)
        return self.hide(words, hidden)

    def hide(self, words: Int[Tensor, "b 7"], hidden: Int[Tensor, "b 1"]) -> Batch:
        """Put "[mask]" in place of one word of each text and ask for it."""
        answers = torch.full_like(words, NO_ANSWER).scatter(1, hidden, words.gather(1, hidden))
        masked = words.scatter(1, hidden, self.tokens.index("[mask]"))
        return Batch(inputs=(masked,), answers=answers)
