"""Digits: handwritten, 8 x 8 pixels each, in patches that stand where words stood before."""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from functools import cache

import torch
from jaxtyping import Float, Shaped
from torch import Generator, Tensor

from qkvlib.data import FOLDER
from qkvlib.tasks.base import Batch, Task

N_TEST = 360


@dataclass(frozen=True)
class Digits(Task):
    """Say which digit an image shows; it is cut into 16 patches of 2 x 2 pixels.

    1,797 images by 43 people. 360 of them, drawn by `seed`, are only ever tested.
    """

    seed: int = 0

    answers = tuple("0123456789")

    def batch(self, size: int, generator: Generator) -> Batch:
        known = _order(self.seed)[N_TEST:]
        return _examples(known[torch.randint(len(known), (size,), generator=generator)])

    def test(self, size: int = 2000) -> Batch:
        return _examples(_order(self.seed)[:N_TEST][:size])

    def names(self, batch: Batch) -> list[tuple[list[str], list[str]]]:
        """One row, the reader's; a column for each patch, by its row and column in the image."""
        patches = [f"{row},{column}" for row in range(4) for column in range(4)]
        return [(["reader"], patches) for _ in batch.answers]


def cut(images: Shaped[Tensor, "b 8 8"]) -> Shaped[Tensor, "b 16 4"]:
    """Images as their 2 x 2 patches, from left to right and from top to bottom."""
    rows_and_columns = images.unflatten(2, (4, 2)).unflatten(1, (4, 2))
    return rows_and_columns.transpose(2, 3).flatten(3, 4).flatten(1, 2)


@cache
def _images() -> tuple[Float[Tensor, "b 8 8"], Tensor]:
    """All images, pixels from 0 to 1, and their digits."""
    lines = gzip.decompress((FOLDER / "digits.csv.gz").read_bytes()).decode().split()
    numbers = torch.tensor([[int(number) for number in line.split(",")] for line in lines])
    return numbers[:, :64].view(-1, 8, 8) / 16, numbers[:, 64:]


@cache
def _order(seed: int) -> Tensor:
    return torch.randperm(len(_images()[0]), generator=torch.Generator().manual_seed(7 + seed))


def _examples(chosen: Tensor) -> Batch:
    images, digits = _images()
    return Batch(inputs=(cut(images[chosen]),), answers=digits[chosen])
