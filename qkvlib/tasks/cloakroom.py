"""The cloakroom: some coats are handed in, each for a ticket; which coat belongs to this ticket?"""

from __future__ import annotations

from dataclasses import dataclass

from torch import Generator

from qkvlib.tasks.base import Batch, Task
from qkvlib.tasks.recall import COLOURS, deal

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
        return deal(size, self.n_coats, N_TICKETS, generator)
