"""One scene, three questions: what makes two words similar is what the task asks about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import torch
from torch import Generator, Tensor

from qkvlib.tasks.base import Batch, Task, whole

WORDS = ("king", "queen", "dog", "cat", "prince", "princess")
PLACES = ("left", "middle", "right")
ROYAL, FEMALE = (1, 1, 0, 0, 1, 1), (0, 1, 0, 1, 0, 1)


@dataclass(frozen=True)
class Attribute(Task):
    """Three beings stand in a row. Asked for one place, tell about the being that stands there.

    `asks` says what: is it royal, is it female, or who is it.
    """

    asks: Literal["royal", "female", "who"] = "royal"

    tokens = (*WORDS, *PLACES, *(f"{place}?" for place in PLACES))

    @property
    def answers(self) -> tuple[str, ...]:  # type: ignore[override]
        return WORDS if self.asks == "who" else ("no", "yes")

    def truth(self) -> Tensor:
        """The right answer for each of the six words."""
        return torch.tensor({"royal": ROYAL, "female": FEMALE, "who": range(6)}[self.asks])

    def batch(self, size: int, generator: Generator) -> Batch:
        words = whole(size, len(PLACES), len(WORDS), generator)
        asked = whole(size, 1, len(PLACES), generator)
        places = torch.arange(len(PLACES)).expand(size, -1) + len(WORDS)
        return Batch(
            inputs=(
                (asked + len(WORDS) + len(PLACES))[..., None],
                torch.stack([words, places], dim=-1),
            ),
            answers=self.truth()[words.gather(1, asked)],
            looks_at=asked,
        )
