"""The cosine of each row of one matrix with each row of another."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812 (torch's own name for it)

from qkvlib import attention
from qkvlib.exercises.chapter_01._unit_rows import unit_rows
from qkvlib.exercises.kit.exercise import Case, ExerciseBuilder

exercise = ExerciseBuilder(
    points=2,
    builds_on=("dot",),
    hints=(
        "A cosine is a dot product of two vectors of length one.",
        "`x.norm(dim=1, keepdim=True)` is the length of each row, as a column. Divide each row by its "
        "length.",
        "scale each row of a and of b to length one; multiply the new a by the new b transposed",
    ),
)

exercise.reference(attention.cosine_similarity)


@exercise.cases
def cases(generator: torch.Generator) -> list[Case]:
    def rows(n: int, d: int, scale: float = 1.0) -> Tensor:
        return scale * torch.randn(n, d, generator=generator)

    return [
        Case(
            "one vector of length 5 against two others",
            (torch.tensor([[3.0, 4.0]]), torch.tensor([[1.0, 0.0], [-4.0, 3.0]])),
        ),
        Case("3 rows against 2 rows of 4 numbers", (rows(3, 4), rows(2, 4))),
        Case("as many rows on each side as columns", (rows(3, 3), rows(3, 3))),
        Case(
            "rows of very different lengths", (rows(3, 5) * torch.tensor([[0.1], [1.0], [9.0]]), rows(4, 5))
        ),
        Case("large numbers", (rows(2, 6, 1e3), rows(3, 6, 1e3))),
        Case("tiny numbers", (rows(2, 6, 1e-2), rows(3, 6, 1e-2))),
        Case("a transposed view, not stored row by row", (rows(4, 3).T, rows(5, 4))),
        Case("a single row on each side", (rows(1, 3), rows(1, 3))),
    ]


@exercise.mistake(
    "You do not divide by the lengths. Your results are dot products, so a long vector still gets large "
    "values.",
    "What should the cosine of a vector with itself be, whatever its length?",
)
def not_normalised(a: Tensor, b: Tensor) -> Tensor:
    return a @ b.T


@exercise.mistake(
    "You divide only by the lengths of a's rows. A long row of b still gets large values.",
    "If one row of b becomes ten times as long, should its cosines change?",
)
def only_a_normalised(a: Tensor, b: Tensor) -> Tensor:
    return unit_rows(a) @ b.T


@exercise.mistake(
    "You divide only by the lengths of b's rows. A long row of a still gets large values.",
    "If one row of a becomes ten times as long, should its cosines change?",
)
def only_b_normalised(a: Tensor, b: Tensor) -> Tensor:
    return a @ unit_rows(b).T


@exercise.mistake(
    "You divide by the squared lengths. But a length is the square root of the sum of squares.",
    "The vector (3, 4) has length 5. What do you get for 3*3 + 4*4?",
)
def squared_lengths(a: Tensor, b: Tensor) -> Tensor:
    return (a / (a**2).sum(1, keepdim=True)) @ (b / (b**2).sum(1, keepdim=True)).T


@exercise.mistake(
    "You measure length as a sum of absolute values. But the length of an arrow is the square root of the "
    "sum of squares.",
    "How long is the arrow from (0, 0) to (3, 4)?",
)
def absolute_lengths(a: Tensor, b: Tensor) -> Tensor:
    return (a / a.abs().sum(1, keepdim=True)) @ (b / b.abs().sum(1, keepdim=True)).T


@exercise.mistake(
    "You divide by the norm of the whole matrix. But each row has its own length.",
    "If one row of a becomes ten times as long, should the cosines of the other rows change?",
)
def one_length_for_all(a: Tensor, b: Tensor) -> Tensor:
    return (a @ b.T) / (a.norm() * b.norm())


@exercise.mistake(
    "You measure the lengths of the columns. But the vectors are the rows, so each row needs its own length.",
    "For x of shape [3, 4], what is the shape of `x.norm(dim=0)`, and how many lengths do you need?",
)
def columns_normalised(a: Tensor, b: Tensor) -> Tensor:
    return (a / a.norm(dim=0)) @ (b / b.norm(dim=0)).T


@exercise.mistake(
    "You return distances. For vectors that are alike, a distance is small, but a similarity is large.",
    "What does your function give for two equal vectors, and what is the cosine of 0 degrees?",
)
def distance_for_similarity(a: Tensor, b: Tensor) -> Tensor:
    return torch.cdist(a, b)


@exercise.mistake(
    "You return one minus the cosine, which is a distance: zero for equal directions.",
    "What is the cosine of the angle between a vector and itself?",
)
def cosine_distance(a: Tensor, b: Tensor) -> Tensor:
    return 1 - unit_rows(a) @ unit_rows(b).T


@exercise.mistake(
    "Your matrix is transposed: its rows belong to b and its columns to a. But entry [i, j] must compare "
    "row i of a with row j of b.",
    "With 3 rows in a and 2 rows in b, what shape should the result have?",
)
def table_transposed(a: Tensor, b: Tensor) -> Tensor:
    return unit_rows(b) @ unit_rows(a).T


@exercise.mistake(
    "You take the absolute value. But vectors that point away from each other have a cosine below zero, and "
    "your result loses the minus sign.",
    "What is the cosine of 180 degrees?",
)
def absolute_cosine(a: Tensor, b: Tensor) -> Tensor:
    return (unit_rows(a) @ unit_rows(b).T).abs()


@exercise.mistake(
    "You return the angles. Return their cosines: leave out the arc cosine.",
    "If two vectors point the same way, what is the angle between them, and what is its cosine?",
)
def angle_for_cosine(a: Tensor, b: Tensor) -> Tensor:
    return torch.acos((unit_rows(a) @ unit_rows(b).T).clamp(-1, 1))


@exercise.mistake(
    "You compare a and b row by row, so your result is a vector. But the result should be a matrix with an "
    "entry for every pair: each row of a with each row of b.",
    "With 3 rows in a and 2 rows in b, how many cosines do you need?",
)
def equal_rows_only(a: Tensor, b: Tensor) -> Tensor:
    return F.cosine_similarity(a, b, dim=1)


@exercise.mistake(
    "You keep the lengths of a and the lengths of b as columns. But each length of b belongs to a column of "
    "the result, so transpose the lengths of b, as you transposed b itself.",
    "Entry [i, j] needs the length of row j of b. Along which dimension of the result does j run?",
)
def lengths_of_b_not_turned(a: Tensor, b: Tensor) -> Tensor:
    return (a @ b.T) / (a.norm(dim=1, keepdim=True) * b.norm(dim=1, keepdim=True))


@exercise.mistake(
    "b is not transposed. `a @ b` multiplies the rows of a by the columns of b, but the vectors of b are "
    "its rows.",
    "If a has the shape [3, 4] and b has the shape [2, 4], which is possible: `a @ b` or `a @ b.T`?",
)
def b_not_turned(a: Tensor, b: Tensor) -> Tensor:
    return (a @ b) / (a.norm(dim=1, keepdim=True) * b.norm(dim=1, keepdim=True).T)


@exercise.mistake(
    "Both matrices have rows of length one, as they should. But `@` multiplies rows by columns, and you need "
    "rows of a times rows of b.",
    "What does `.T` do to the rows of a matrix?",
)
def unit_rows_of_b_not_turned(a: Tensor, b: Tensor) -> Tensor:
    return unit_rows(a) @ unit_rows(b)


@exercise.mistake(
    "You divide by the lengths of a, and then multiply by the lengths of b, because Python goes from left "
    "to right. Put the product of the lengths in brackets.",
    "What is 12 / 2 * 3, and what is 12 / (2 * 3)?",
)
def brackets_forgotten(a: Tensor, b: Tensor) -> Tensor:
    return a @ b.T / a.norm(dim=1, keepdim=True) * b.norm(dim=1, keepdim=True).T


@exercise.alternative
def _cosine_by_loops(a: Tensor, b: Tensor) -> Tensor:
    table = torch.zeros(len(a), len(b))
    for i, row in enumerate(a):
        for j, other in enumerate(b):
            table[i, j] = (row * other).sum() / (row.norm() * other.norm())
    return table


@exercise.alternative
def _cosine_by_outer(a: Tensor, b: Tensor) -> Tensor:
    return (a @ b.T) / torch.outer(a.norm(dim=1), b.norm(dim=1))


@exercise.alternative
def _cosine_by_torch(a: Tensor, b: Tensor) -> Tensor:
    return F.cosine_similarity(a[:, None], b[None], dim=-1)


@exercise.alternative
def _cosine_in_place(a: Tensor, b: Tensor) -> Tensor:
    a, b = a.clone(), b.clone()
    a /= (a**2).sum(1, keepdim=True).sqrt()
    b /= (b**2).sum(1, keepdim=True).sqrt()
    return torch.einsum("nd,md->nm", a, b)
