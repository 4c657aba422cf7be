"""Who beats me, who is my partner: relations between the tokens themselves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Generator, Tensor

from qkvlib.tasks.base import Batch, Task, different, whole
from qkvlib.tasks.recall import COLOURS


@dataclass(frozen=True)
class Relation(Task):
    """Each player holds a colour and must say the colour of one other player.

    Every player is asked at once, so the question and the cards are the same vectors.
    """

    players: ClassVar[tuple[str, ...]] = ()

    answers = COLOURS

    def wanted(self, players: Tensor) -> Tensor:
        """For each player, whose colour to say."""
        raise NotImplementedError

    def batch(self, size: int, generator: Generator) -> Batch:
        count = len(self.players)
        players = different(size, count, count, generator)
        colours = whole(size, count, len(COLOURS), generator)
        where = players.argsort(-1).gather(1, self.wanted(players))
        held = torch.stack([players, count + colours], dim=-1)
        return Batch(inputs=(held, held), answers=colours.gather(1, where), looks_at=where)


@dataclass(frozen=True)
class RockPaperScissors(Relation):
    """Say the colour of the player that beats you: paper beats rock, scissors paper, rock scissors.

    "Beats" never goes both ways. A score that is the same in both directions cannot tell it.
    """

    players = ("rock", "paper", "scissors")
    tokens = (*players, *COLOURS)

    def wanted(self, players: Tensor) -> Tensor:
        return (players + 1) % len(self.players)


@dataclass(frozen=True)
class Partners(Relation):
    """Say the colour of your partner: salt and pepper, lock and key, cup and saucer, sun and moon.

    "Partner of" goes both ways, and still a head with w_k = w_q fails: it likes itself best.
    """

    players = ("salt", "pepper", "lock", "key", "cup", "saucer", "sun", "moon")
    tokens = (*players, *COLOURS)

    def wanted(self, players: Tensor) -> Tensor:
        return players ^ 1  # 0 with 1, 2 with 3, ...
