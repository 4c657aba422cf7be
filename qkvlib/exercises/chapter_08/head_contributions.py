"""What each head adds to the output."""

from __future__ import annotations

import torch
from torch import Tensor

from qkvlib import multi_head as many
from qkvlib.exercises.kit.exercise import Case, ExerciseBuilder
from qkvlib.exercises.kit.random_inputs import normal

exercise = ExerciseBuilder(
    points=2,
    builds_on=("merge_heads",),
    hints=(
        "After merging, which rows of w_o multiply the numbers of head i?",
        "`w_o[i * d_v : (i + 1) * d_v]` are the rows of head i. `torch.stack(..., dim=1)` stacks the heads' "
        "results along a new dimension 1.",
        "for each head i: its numbers times its rows of w_o; stack the results along dimension 1",
    ),
)

exercise.reference(many.head_contributions)


@exercise.cases
def cases(generator: torch.Generator) -> list[Case]:
    def case(b: int, h: int, n: int, d: int, out: int) -> tuple[Tensor, Tensor]:
        return normal(generator, b, h, n, d), normal(generator, h * d, out)

    heads = torch.tensor([[[[1.0, 0.0]], [[2.0, 1.0]]]])
    w_o = torch.tensor([[1.0, 0.0, 3.0], [0.0, 1.0, 0.0], [2.0, 2.0, 0.0], [1.0, 0.0, 0.0]])
    return [
        Case("2 heads of 2 whole numbers, one word", (heads, w_o)),
        Case("2 sentences, 2 heads, 3 words", case(2, 2, 3, 4, 5)),
        Case("all sizes equal", case(3, 3, 3, 3, 9)),
        Case("w_o is square", case(1, 3, 4, 2, 6)),
        Case("a single head", case(2, 1, 3, 4, 2)),
        Case("8 heads", case(1, 8, 4, 2, 16)),
    ]


@exercise.mistake(
    "You return the sum of all contributions, which is the layer's output. Return each head's own part.",
    "Which dimension of [b, h, n, d_out] does your result lack?",
)
def contributions_summed(heads: Tensor, w_o: Tensor) -> Tensor:
    return many.merge_heads(heads) @ w_o


@exercise.mistake(
    "Every head uses the first slice of w_o. But each head has its own slice.",
    "After merging, columns d_v to 2 d_v - 1 come from head 1. Which rows of w_o multiply these columns?",
)
def first_slice_for_all(heads: Tensor, w_o: Tensor) -> Tensor:
    return heads @ w_o[: heads.shape[-1]]


@exercise.mistake(
    "You cut w_o into groups of columns. But each column of w_o makes one number of the output, from all "
    "heads.",
    "In a product a @ w, is column 0 of a multiplied by row 0 of w, or by column 0 of w?",
)
def columns_for_rows(heads: Tensor, w_o: Tensor) -> Tensor:
    return many.head_contributions(heads, w_o.T)


@exercise.mistake(
    "You give head 0 the rows 0, h, 2h of w_o. But the rows of a head are next to each other.",
    "In which order did `merge_heads` put the heads' numbers side by side?",
)
def rows_interleaved(heads: Tensor, w_o: Tensor) -> Tensor:
    h = heads.shape[1]
    return torch.stack([heads[:, i] @ w_o[i::h] for i in range(h)], dim=1)


@exercise.mistake(
    "You divide the contributions by the number of heads. But the layer adds the contributions, and does "
    "not average them.",
    "What should the sum of all contributions be?",
)
def shared_out(heads: Tensor, w_o: Tensor) -> Tensor:
    return many.head_contributions(heads, w_o) / heads.shape[1]


@exercise.mistake(
    "Your slices of w_o are in reverse order.",
    "After merging, which rows of w_o multiply the output of head 0?",
)
def slices_reversed(heads: Tensor, w_o: Tensor) -> Tensor:
    return many.head_contributions(heads.flip(1), w_o).flip(1)


@exercise.mistake(
    "You return the heads as they are. But a head's contribution is its output times its rows of w_o.",
    "How wide is the layer's output: d_v, or the number of columns of w_o?",
)
def without_w_o(heads: Tensor, w_o: Tensor) -> Tensor:
    return heads


@exercise.mistake(
    "The contributions are right, but in your result the heads come before the sentences.",
    "Which dimension comes first in the shape that you should return?",
)
def heads_in_front(heads: Tensor, w_o: Tensor) -> Tensor:
    return many.head_contributions(heads, w_o).transpose(0, 1)


@exercise.mistake(
    "The contributions are right, but in your result the heads come after the words.",
    "Which dimension comes second in the shape that you should return?",
)
def heads_behind_the_words(heads: Tensor, w_o: Tensor) -> Tensor:
    return many.head_contributions(heads, w_o).transpose(1, 2)


@exercise.mistake(
    "The heads' slices of w_o overlap: each slice begins one row further, but should begin d_v rows further.",
    "Head 0 has the rows 0 to d_v - 1. With which row does head 1 begin?",
)
def slices_overlap(heads: Tensor, w_o: Tensor) -> Tensor:
    h, d = heads.shape[1], heads.shape[-1]
    return torch.stack([heads[:, i] @ w_o[i : i + d] for i in range(h)], dim=1)


@exercise.mistake(
    "The contributions are right, but you put them one below the other, like additional words. The heads "
    "need a dimension of their own.",
    "Which function adds a dimension, `torch.cat` or `torch.stack`?",
)
def one_below_the_other(heads: Tensor, w_o: Tensor) -> Tensor:
    return many.head_contributions(heads, w_o).flatten(1, 2)


@exercise.alternative
def _contributions_by_loop(heads: Tensor, w_o: Tensor) -> Tensor:
    d = heads.shape[-1]
    parts = [heads[:, i] @ w_o[i * d : (i + 1) * d] for i in range(heads.shape[1])]
    return torch.stack(parts, dim=1)


@exercise.alternative
def _contributions_by_einsum(heads: Tensor, w_o: Tensor) -> Tensor:
    return torch.einsum("bhnd,hdo->bhno", heads, w_o.reshape(heads.shape[1], heads.shape[-1], -1))


@exercise.alternative
def _contributions_by_silence(heads: Tensor, w_o: Tensor) -> Tensor:
    """Silence all heads but one, and see what the whole layer says."""
    parts = []
    for i in range(heads.shape[1]):
        alone = torch.zeros_like(heads)
        alone[:, i] = heads[:, i]
        parts.append(alone.transpose(1, 2).flatten(-2) @ w_o)
    return torch.stack(parts, dim=1)
