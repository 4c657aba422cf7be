"""The nearest of several keys, by direction only."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812 (torch's own name for it)

from qkvlib import attention
from qkvlib.exercises.chapter_01._unit_rows import unit_rows
from qkvlib.exercises.kit.exercise import Case, ExerciseBuilder

exercise = ExerciseBuilder(
    points=2,
    builds_on=("cosine_similarity",),
    hints=(
        "You already have a function that compares every row of one matrix with every row of another matrix.",
        "`query[None]` is a matrix of one row. `argmax` gives the position of the maximum.",
        "cosines = cosine_similarity(the query as one row, keys); return the argmax of the only row of "
        "cosines",
    ),
)

exercise.reference(attention.nearest)


@exercise.cases
def cases(generator: torch.Generator) -> list[Case]:
    """Keys of very different lengths, so that the dot product and the distance go wrong."""

    def library(n: int, d: int) -> tuple[Tensor, Tensor]:
        lengths = 0.2 + 4 * torch.rand(n, 1, generator=generator)
        query = torch.randn(d, generator=generator)
        return query, unit_rows(torch.randn(n, d, generator=generator)) * lengths

    fixed = torch.tensor([[0.0, 1.0], [3.0, 3.0], [0.5, 0.05], [-1.0, 0.0]])
    return [
        Case("a long key that points elsewhere", (torch.tensor([1.0, 0.0]), fixed)),
        Case("the best key comes first", (torch.tensor([2.0, 3.0]), fixed[[1, 0, 3]])),
        Case("every key points away", (torch.tensor([-1.0, -2.0]), fixed[:3])),
        Case("the best key comes last", (torch.tensor([0.0, -1.0]), fixed[[0, 3, 2]])),
        *(
            Case(f"{n} random keys of {d} numbers", library(n, d))
            for n, d in [(3, 4), (5, 2), (6, 6), (7, 3), (8, 5), (9, 2), (10, 4), (12, 3)]
        ),
        Case(
            "every key points away from a long query",
            (torch.tensor([30.0, 40.0]), torch.tensor([[-3.0, -4.0], [-1.0, 0.0], [0.0, -2.0]])),
        ),
    ]


def _cosines(query: Tensor, keys: Tensor) -> Tensor:
    return attention.cosine_similarity(query[None], keys)[0]


@exercise.mistake(
    "You take the largest dot product. But a long key can win even if it points in a different direction.",
    "If you multiply one key by 100, should it become the nearest key to every query?",
)
def largest_dot_product(query: Tensor, keys: Tensor) -> Tensor:
    return (keys @ query).argmax()


@exercise.mistake(
    "You take the smallest cosine, which belongs to the key that points away most.",
    "The cosine of equal directions is 1. Can any cosine be larger?",
)
def smallest_cosine(query: Tensor, keys: Tensor) -> Tensor:
    return _cosines(query, keys).argmin()


@exercise.mistake(
    "You take the smallest distance. The distance favours keys that are about as long as the query, but "
    "only the direction counts here.",
    "For the query (1, 0) and the keys (10, 0) and (0, 1): which key points the same way, and which key is "
    "closer?",
)
def smallest_distance(query: Tensor, keys: Tensor) -> Tensor:
    return (keys - query).norm(dim=1).argmin()


@exercise.mistake(
    "You pass the query as a vector, but `cosine_similarity` takes a matrix. `query[None]` is a matrix with "
    "one row.",
    "Along which dimension does `x.norm(dim=1)` run, and does a vector have that dimension?",
)
def query_not_a_table(query: Tensor, keys: Tensor) -> Tensor:
    return (unit_rows(query) @ unit_rows(keys).T).argmax()


@exercise.mistake(
    "You return the cosine of the best key. Return the position of that key.",
    "What is the difference between `max` and `argmax`?",
)
def value_for_position(query: Tensor, keys: Tensor) -> Tensor:
    return _cosines(query, keys).max()


@exercise.mistake(
    "You return the best key itself. Return the position of that key, a whole number.",
    "If keys[2] is the best, what should your function return?",
)
def key_for_position(query: Tensor, keys: Tensor) -> Tensor:
    return keys[_cosines(query, keys).argmax()]


@exercise.mistake(
    "You take the largest absolute cosine. Then even a key that points exactly the opposite way counts as "
    "near.",
    "What is the cosine of (1, 0) with (-1, 0), and do these two vectors point the same way?",
)
def largest_absolute_cosine(query: Tensor, keys: Tensor) -> Tensor:
    return _cosines(query, keys).abs().argmax()


@exercise.mistake(
    "Your position is one too high. Python counts from 0.",
    "If keys[0] is the best key, what does your function return?",
)
def counted_from_one(query: Tensor, keys: Tensor) -> Tensor:
    return _cosines(query, keys).argmax() + 1


@exercise.mistake(
    "You return the whole ranking. Return only the position of the best key.",
    "Which entry of your ranking belongs to the best key?",
)
def whole_ranking(query: Tensor, keys: Tensor) -> Tensor:
    return _cosines(query, keys).argsort(descending=True)


@exercise.mistake(
    "You return all the cosines. Return the position of the largest cosine.",
    "What does `argmax` return, the largest number or its position?",
)
def all_cosines(query: Tensor, keys: Tensor) -> Tensor:
    return _cosines(query, keys)


@exercise.mistake(
    "You return the position of the longest key, whatever the query is.",
    "If the query points the other way, should your result stay the same?",
)
def longest_key(query: Tensor, keys: Tensor) -> Tensor:
    return keys.norm(dim=1).argmax()


@exercise.mistake(
    "You always return the first position. If you use a loop, its `return` may be indented one step too "
    "far, or the best key so far may never be updated.",
    "When does your function look at the second key?",
)
def always_the_first(query: Tensor, keys: Tensor) -> int:
    return 0


@exercise.alternative
def _nearest_by_loop(query: Tensor, keys: Tensor) -> Any:
    best, best_cosine = -1, -2.0
    for i, key in enumerate(keys):
        cosine = (query @ key / (query.norm() * key.norm())).item()
        if cosine > best_cosine:
            best, best_cosine = i, cosine
    return best


@exercise.alternative
def _nearest_without_query_length(query: Tensor, keys: Tensor) -> Any:
    return int(((keys @ query) / keys.norm(dim=1)).argmax())


@exercise.alternative
def _nearest_by_torch(query: Tensor, keys: Tensor) -> Tensor:
    return F.cosine_similarity(keys, query[None], dim=1).argmax()
