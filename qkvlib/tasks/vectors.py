"""Recall without words: the cards are vectors already, and there is no embedding to learn."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Generator, Tensor

from qkvlib.tasks.base import Batch, Task, different, whole
from qkvlib.tasks.recall import COLOURS, PEOPLE


@dataclass(frozen=True)
class NewVectors(Task):
    """Each card is a key vector that was never seen before, with a colour beside it.

    The first `d_key` numbers of a card are its key, drawn anew every time; the other eight say the
    colour, 1 at its place. The question repeats one card's key, with zeros for the colour.
    """

    d_key: int = 16
    n_cards: int = 6

    answers = COLOURS

    @property
    def d_model(self) -> int:
        return self.d_key + len(COLOURS)

    def batch(self, size: int, generator: Generator) -> Batch:
        keys = torch.randn(size, self.n_cards, self.d_key, generator=generator)
        colours = whole(size, self.n_cards, len(COLOURS), generator)
        asked = whole(size, 1, self.n_cards, generator)
        question = keys.gather(1, asked[..., None].expand(-1, -1, self.d_key))
        blank = torch.zeros(size, 1, len(COLOURS))
        return Batch(
            inputs=(
                torch.cat([question, blank], dim=-1),
                torch.cat([keys, torch.nn.functional.one_hot(colours, len(COLOURS))], dim=-1),
            ),
            answers=colours.gather(1, asked),
            looks_at=asked,
        )

    def words(self, places: Tensor) -> list[str]:
        """The colour on each card; the question, which has none, is "?"."""
        colours = places[:, self.d_key :]
        return [COLOURS[int(colour.argmax())] if colour.any() else "?" for colour in colours]


@dataclass(frozen=True)
class Halves(Task):
    """Recall with fixed codes: the person in the first half of x, the colour in the second.

    A head that is given only one of the halves sees the question, or the answer, never both.
    """

    d_model: int = 16
    n_cards: int = 6
    seed: int = 0

    answers = COLOURS

    def codes(self) -> tuple[Tensor, Tensor]:
        """The fixed codes of people and colours, [8, d_model] each, one half of them zero."""
        generator = torch.Generator().manual_seed(self.seed)
        people, colours = torch.randn(2, len(PEOPLE), self.d_model, generator=generator)
        people[:, self.d_model // 2 :] = 0
        colours[:, : self.d_model // 2] = 0
        return people, colours

    def batch(self, size: int, generator: Generator) -> Batch:
        people = different(size, self.n_cards, len(PEOPLE), generator)
        colours = whole(size, self.n_cards, len(COLOURS), generator)
        asked = whole(size, 1, self.n_cards, generator)
        who, what = self.codes()
        return Batch(
            inputs=(who[people.gather(1, asked)], who[people] + what[colours]),
            answers=colours.gather(1, asked),
            looks_at=asked,
        )

    def words(self, places: Tensor) -> list[str]:
        """Who and what each vector stands for, found by the nearest code."""
        who, what = self.codes()
        half = self.d_model // 2
        names = []
        for place in places:
            person = PEOPLE[int(torch.cdist(place[None, :half], who[:, :half]).argmin())]
            colour = COLOURS[int(torch.cdist(place[None, half:], what[:, half:]).argmin())]
            names.append(f"{person} {colour}" if place[half:].any() else person)
        return names
