"""Join the heads again."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from qkvlib import multi_head as many
from qkvlib.exercises.kit.exercise import Case, ExerciseBuilder
from qkvlib.exercises.kit.random_inputs import normal, scattered

exercise = ExerciseBuilder(
    points=1,
    needed_later=("float64", "gradients"),
    builds_on=("split_heads",),
    hints=(
        "Undo the steps of `split_heads`, the last step first.",
        "First swap heads and words back; then join the last two dimensions with `reshape`.",
        "b, h, n, d = the shape; swap dimensions 1 and 2; reshape to b, n, h times d",
    ),
)

exercise.reference(many.merge_heads)


@exercise.cases
def cases(generator: torch.Generator) -> list[Case]:
    def case(b: int, h: int, n: int, d: int) -> Tensor:
        return normal(generator, b, h, n, d)

    numbered = torch.arange(12.0).reshape(1, 2, 3, 2)
    return [
        Case("2 heads, 3 words, numbers in sequence", (numbered,)),
        Case("2 sentences, 2 heads, 3 words, width 4", (case(2, 2, 3, 4),)),
        Case("all sizes equal", (case(3, 3, 3, 3),)),
        Case("a single head", (case(2, 1, 3, 4),)),
        Case("heads of a single number", (case(2, 4, 3, 1),)),
        Case("a single word", (case(2, 3, 1, 2),)),
        Case("8 heads", (case(1, 8, 4, 2),)),
        Case("numbers that are not stored in order", (scattered(case(2, 3, 4, 2)),)),
    ]


@exercise.mistake(
    "You reshape without first moving the heads back. The shape is right, but every word gets pieces of "
    "other words.",
    "The last step of `split_heads` has to be undone first. Which step is it?",
)
def merged_without_transpose(heads: Tensor) -> Tensor:
    b, h, n, d = heads.shape
    return heads.reshape(b, n, h * d)


@exercise.mistake(
    "You begin with number 0 of every head, and continue with number 1 of every head. But the heads belong "
    "side by side: first all of head 0, then all of head 1.",
    "In which order do h and d_v have to be when you join the last two dimensions?",
)
def interleaved_back(heads: Tensor) -> Tensor:
    return heads.permute(0, 2, 3, 1).flatten(-2)


@exercise.mistake(
    "You add the heads up. But the heads belong side by side, so that each head keeps its own numbers. W_O "
    "mixes them later.",
    "With 2 heads of width 4, how wide should the result be?",
)
def heads_summed(heads: Tensor) -> Tensor:
    return heads.sum(1)


@exercise.mistake(
    "You average the heads, which weakens what a single head found. Put the heads side by side instead.",
    "With 2 heads of width 4, how wide should the result be?",
)
def heads_averaged(heads: Tensor) -> Tensor:
    return heads.mean(1)


@exercise.mistake(
    "You put the heads one below the other, like additional words.",
    "How many rows should a sentence of 3 words have after merging?",
)
def heads_as_words(heads: Tensor) -> Tensor:
    return heads.flatten(1, 2)


@exercise.mistake(
    "The heads come in reverse order.",
    "If you split x and merge the heads again, do you get x back?",
)
def reversed_back(heads: Tensor) -> Tensor:
    return many.merge_heads(heads.flip(1))


@exercise.mistake(
    "You use only the first head.",
    "With 2 heads of width 4, how wide should the result be?",
)
def first_head_only(heads: Tensor) -> Tensor:
    return heads[:, 0]


@exercise.mistake(
    "`view` needs the numbers in order in memory, but `transpose` has not moved them. So `view` raises an "
    "error.",
    "Which method does the same as `view`, but copies when it has to?",
)
def view_after_transpose(heads: Tensor) -> Tensor:
    b, h, n, d = heads.shape
    return heads.transpose(1, 2).view(b, n, h * d)


@exercise.alternative
def _merge_by_cat(heads: Tensor) -> Tensor:
    return torch.cat(list(heads.unbind(1)), dim=-1)


@exercise.alternative
def _merge_contiguous(heads: Tensor) -> Tensor:
    b, h, n, d = heads.shape
    return heads.transpose(1, 2).contiguous().view(b, n, h * d)


@exercise.alternative
def _merge_by_slices(heads: Tensor) -> Any:
    b, h, n, d = heads.shape
    merged = torch.empty(b, n, h * d)
    for i in range(h):
        merged[..., i * d : (i + 1) * d] = heads[:, i]
    return merged
