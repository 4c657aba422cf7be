"""Recall: some people hold a card each; what colour is the card of the person in the question?"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Generator, Tensor

from qkvlib.tasks.base import Batch, Task, different, whole

PEOPLE = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hana")
COLOURS = ("red", "blue", "green", "gold", "black", "white", "pink", "grey")


@dataclass(frozen=True)
class Recall(Task):
    """Six cards, each a person and a colour ("Ada red"); the question is a person.

    The answer is the colour on that person's card. Persons and colours are dealt anew each time, so
    nothing can be learned by heart: the model has to find the card.
    """

    n_cards: int = 6

    tokens = (*PEOPLE, *COLOURS)
    answers = COLOURS

    def batch(self, size: int, generator: Generator) -> Batch:
        return deal(size, self.n_cards, len(PEOPLE), generator)


@dataclass(frozen=True)
class ManyCards(Task):
    """Recall among five hundred and twelve people, so that as many cards can lie on the table.

    A person here is a number. The people are too many for each to have a direction of its own in a
    small model: some are alike.
    """

    n_cards: int = 6

    tokens = (*(f"no. {person}" for person in range(512)), *COLOURS)
    answers = COLOURS

    def batch(self, size: int, generator: Generator) -> Batch:
        return deal(size, self.n_cards, len(self.tokens) - len(COLOURS), generator)


@dataclass(frozen=True)
class TwoQuestions(Task):
    """The same cards, but two people are asked for at once, in order, and both colours are wanted.

    "Ada first, Eva second" lies on one question card, so a single head has one look for two jobs.
    """

    n_cards: int = 6

    tokens = (
        *(f"{person} first" for person in PEOPLE),
        *(f"{person} second" for person in PEOPLE),
        *PEOPLE,
        *COLOURS,
    )
    answers = COLOURS

    @property
    def n_answers(self) -> int:
        return 2 * len(COLOURS)  # a score for every colour, once for each question

    def batch(self, size: int, generator: Generator) -> Batch:
        people = different(size, self.n_cards, len(PEOPLE), generator)
        colours = whole(size, self.n_cards, len(COLOURS), generator)
        asked = different(size, 2, self.n_cards, generator)
        question = people.gather(1, asked) + torch.tensor([0, len(PEOPLE)])
        return Batch(
            inputs=(question[:, None, :], cards(people, colours) + 2 * len(PEOPLE)),
            answers=colours.gather(1, asked),
            looks_at=asked,
        )


def deal(size: int, n_cards: int, n_people: int, generator: Generator) -> Batch:
    """Different people with a colour each, of whom one is asked for; token numbers of people come first."""
    people = different(size, n_cards, n_people, generator)
    colours = whole(size, n_cards, len(COLOURS), generator)
    asked = whole(size, 1, n_cards, generator)
    return Batch(
        inputs=(people.gather(1, asked)[..., None], cards(people, colours, n_people)),
        answers=colours.gather(1, asked),
        looks_at=asked,
    )


def cards(people: Tensor, colours: Tensor, n_people: int = len(PEOPLE)) -> Tensor:
    """A person and a colour on each card, as token numbers [b, n, 2]."""
    return torch.stack([people, n_people + colours], dim=-1)
