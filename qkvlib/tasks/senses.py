"""Two senses of "bank": translate it into Ufer or Bank, or only guess masked words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import torch
from jaxtyping import Int
from torch import Generator, Tensor

from qkvlib.tasks.base import NO_ANSWER, Batch, different
from qkvlib.tasks.order import Line

RIVER = ("river", "boat", "fish", "water", "mud", "shore")
MONEY = ("money", "loan", "cash", "credit", "account", "debt")
OTHERS = ("the", "a", "near", "with", "and", "we", "saw", "old")
BANK, N_TOPIC = 0, len(RIVER)

N_WORDS = 7
"""Every text has seven words: "bank", one or two of one topic, and others, in any order."""


def texts(size: int, generator: Generator) -> tuple[Tensor, Tensor]:
    """`size` texts as token numbers [b, 7], and their topics [b, 1]: 0 river, 1 money."""
    topic = torch.randint(2, (size, 1), generator=generator)
    others = 1 + 2 * N_TOPIC
    words = torch.randint(others, others + len(OTHERS), (size, N_WORDS), generator=generator)
    of_topic = 1 + N_TOPIC * topic + different(size, 2, N_TOPIC, generator)
    words[:, 0] = BANK
    words[:, 1] = of_topic[:, 0]
    two = torch.rand(size, generator=generator) < 0.5
    words[two, 2] = of_topic[two, 1]
    order = different(size, N_WORDS, N_WORDS, generator)
    return words.gather(1, order), topic


@dataclass(frozen=True)
class BankSense(Line):
    """Translate "bank": Ufer in a text about a river, Bank in one about money.

    Only "bank" is asked. Were every word asked, learning to repeat the others would drown it.
    """

    tokens: ClassVar[tuple[str, ...]] = ("bank", *RIVER, *MONEY, *OTHERS)
    answers: ClassVar[tuple[str, ...]] = ("Ufer", "Bank")

    def batch(self, size: int, generator: Generator) -> Batch:
        words, topic = texts(size, generator)
        return Batch(inputs=(words,), answers=torch.where(words == BANK, topic, NO_ANSWER))


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
