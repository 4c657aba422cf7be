"""The cloakroom: some coats are handed in, each for a ticket; which coat belongs to this ticket?"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Generator

from qkvlib.tasks.base import Batch, Task, different, whole
from qkvlib.tasks.recall import COLOURS

N_TICKETS = 64


@dataclass(frozen=True)
class Cloakroom(Task):
    """Coats on their hooks ("ticket 17, red"); the question is a ticket, the answer a colour.

    It is recall with more cards: there are 64 tickets, so that up to 64 coats can hang there at
    once. On each card stand the ticket and the colour, in this order.
    """

    n_coats: int = 8

    tokens = (*(f"ticket {number}" for number in range(1, N_TICKETS + 1)), *COLOURS)
    answers = COLOURS

    def batch(self, size: int, generator: Generator) -> Batch:
        tickets = different(size, self.n_coats, N_TICKETS, generator)
        colours = whole(size, self.n_coats, len(COLOURS), generator)
        asked = whole(size, 1, self.n_coats, generator)
        return Batch(
            inputs=(
                tickets.gather(1, asked)[..., None],
                torch.stack([tickets, N_TICKETS + colours], dim=-1),
            ),
            answers=colours.gather(1, asked),
            looks_at=asked,
        )
