"""What every task of the course has: batches, names for its tokens, and what is right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import torch
from jaxtyping import Int
from torch import Generator, Tensor

NO_ANSWER = -1
"""Stands in `Batch.answers` wherever nothing is asked; the loss leaves those places out."""


class Batch(NamedTuple):
    """Some examples. `model(*batch.inputs)` is what a model sees; the rest it never sees."""

    inputs: tuple[Tensor, ...]
    answers: Int[Tensor, "b q"]
    looks_at: Int[Tensor, "b q"] | None = None
    """Where the answer can be read. Only for measuring attention: no loss ever sees it."""


@dataclass(frozen=True)
class Task:
    """A task draws batches and knows the names of its tokens and of its answers.

    In most tasks a question looks at cards. Both are tensors of token numbers [b, places, m]; the
    m tokens of one place lie on the same card, and the model adds their vectors.
    """

    tokens: ClassVar[tuple[str, ...]] = ()
    answers: ClassVar[tuple[str, ...]] = ()

    @property
    def n_tokens(self) -> int:
        return len(self.tokens)

    @property
    def n_answers(self) -> int:
        return len(self.answers)

    def batch(self, size: int, generator: Generator) -> Batch:
        """`size` new examples to learn from."""
        raise NotImplementedError

    def test(self, size: int = 2000) -> Batch:
        """Examples to measure with, always the same; a fixed set of sentences keeps some for it."""
        return self.batch(size, torch.Generator().manual_seed(99))

    def probe(self) -> Batch:
        """The few examples whose attention a recording keeps."""
        return self.test(4)

    def names(self, batch: Batch) -> list[tuple[list[str], list[str]]]:
        """For each example, what to write beside the rows and the columns of its attention map."""
        question, cards = batch.inputs[0], batch.inputs[min(1, len(batch.inputs) - 1)]
        return [(self.words(asked), self.words(shown)) for asked, shown in zip(question, cards, strict=True)]

    def words(self, places: Tensor) -> list[str]:
        """The names of one example's tokens [places, m], those of one place joined."""
        return [" ".join(self.tokens[token] for token in place) for place in places.tolist()]


def different(size: int, count: int, among: int, generator: Generator) -> Int[Tensor, "b count"]:
    """In each of `size` rows, `count` different numbers below `among`, in random order."""
    return torch.rand(size, among, generator=generator).argsort(-1)[:, :count]


def whole(size: int, count: int, below: int, generator: Generator) -> Int[Tensor, "b count"]:
    """In each of `size` rows, `count` numbers below `below`; they may repeat."""
    return torch.randint(below, (size, count), generator=generator)
