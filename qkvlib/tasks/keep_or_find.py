"""Keep or find: half of the questions carry their own answer, and the cards have nothing to add."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Generator

from qkvlib.tasks.base import NO_ANSWER, Batch, Task, different, whole
from qkvlib.tasks.recall import COLOURS, PEOPLE, cards


@dataclass(frozen=True)
class KeepOrFind(Task):
    """The six cards of recall, and a note that says "keep Ada red" or "find Ada red".

    To keep is to answer red, whatever lies on the cards; to find is to answer the colour on Ada's
    card. With an `empty_card` there is one more, before the others, that says the same each time:
    nothing.
    """

    n_cards: int = 6
    empty_card: bool = False

    tokens = (*PEOPLE, *COLOURS, "keep", "find", "empty", "card")
    answers = COLOURS

    def batch(self, size: int, generator: Generator) -> Batch:
        people = different(size, self.n_cards, len(PEOPLE), generator)
        colours = whole(size, self.n_cards, len(COLOURS), generator)
        asked = whole(size, 1, self.n_cards, generator)
        own = whole(size, 1, len(COLOURS), generator)
        find = whole(size, 1, 2, generator)
        keep, empty = self.tokens.index("keep"), self.tokens.index("empty")
        note = torch.stack([keep + find, people.gather(1, asked), len(PEOPLE) + own], dim=-1)
        shown, place = cards(people, colours), asked
        if self.empty_card:
            first = torch.tensor([empty, empty + 1]).expand(size, 1, 2)
            shown, place = torch.cat([first, shown], dim=1), asked + 1
        return Batch(
            inputs=(note, shown),
            answers=torch.where(find == 1, colours.gather(1, asked), own),
            looks_at=torch.where(find == 1, place, NO_ANSWER),
        )
