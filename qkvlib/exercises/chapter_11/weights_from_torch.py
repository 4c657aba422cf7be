"""Torch's weights in our form."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from qkvlib.exercises.kit.exercise import Case, ExerciseBuilder
from qkvlib.exercises.kit.random_inputs import normal, scattered

exercise = ExerciseBuilder(
    points=1,
    builds_on=("weights_to_torch",),
    returns=("w_q", "w_k", "w_v", "w_o"),
    hints=(
        "Undo the steps of `weights_to_torch`.",
        "`chunk(3)` cuts a matrix into three equal pieces, from top to bottom.",
        "cut in_proj_weight into three matrices; transpose each; transpose out_proj_weight",
    ),
)

Two = tuple[Tensor, Tensor]
Four = tuple[Tensor, Tensor, Tensor, Tensor]


@exercise.reference
def weights_from_torch(in_proj_weight: Tensor, out_proj_weight: Tensor) -> Four:
    """torch's weights as ours, w_q, w_k, w_v and w_o, each [in out]."""
    w_q, w_k, w_v = in_proj_weight.chunk(3)
    return w_q.T, w_k.T, w_v.T, out_proj_weight.T


@exercise.cases
def cases(generator: torch.Generator) -> list[Case]:
    def stored(d: int) -> Two:
        return normal(generator, 3 * d, d), normal(generator, d, d)

    counted = (torch.arange(12.0).reshape(6, 2), torch.arange(4.0).reshape(2, 2) + 20)
    return [
        Case("d_model = 2, numbers in sequence", counted),
        Case("d_model = 3", stored(3)),
        Case("d_model = 8", stored(8)),
        Case("matrices that are not stored row by row", (*map(scattered, stored(4)),)),
    ]


@exercise.mistake(
    "You return the weights as torch stores them, [out, in]. But we store them as [in, out].",
    "torch computes x @ weight.T, and we compute x @ w. How do you get w from weight?",
)
def stored_as_they_are(in_proj_weight: Tensor, out_proj_weight: Tensor) -> Four:
    w_q, w_k, w_v = in_proj_weight.chunk(3)
    return w_q, w_k, w_v, out_proj_weight


@exercise.mistake(
    "w_q, w_k and w_v are right, but w_o is not transposed.",
    "How does torch store out_proj_weight: [in, out] or [out, in]?",
)
def w_o_as_stored(in_proj_weight: Tensor, out_proj_weight: Tensor) -> Four:
    w_q, w_k, w_v = in_proj_weight.chunk(3)
    return w_q.T, w_k.T, w_v.T, out_proj_weight


@exercise.mistake(
    "You swapped queries and values.",
    "Which of the three matrices comes first in in_proj_weight?",
)
def values_first(in_proj_weight: Tensor, out_proj_weight: Tensor) -> Four:
    w_v, w_k, w_q = in_proj_weight.chunk(3)
    return w_q.T, w_k.T, w_v.T, out_proj_weight.T


@exercise.mistake(
    "You give every third row to w_q. But the d rows of w_q are next to each other.",
    "Which of the 3 d rows of in_proj_weight belong to w_q?",
)
def every_third_row(in_proj_weight: Tensor, out_proj_weight: Tensor) -> Four:
    w_q, w_k, w_v = (in_proj_weight[i::3].T for i in range(3))
    return w_q, w_k, w_v, out_proj_weight.T


@exercise.mistake(
    "Your w_q, w_k and w_v are all the same, because you take the first rows each time.",
    "Which rows of in_proj_weight belong to w_k?",
)
def first_rows_for_all(in_proj_weight: Tensor, out_proj_weight: Tensor) -> Four:
    w = in_proj_weight.chunk(3)[0].T
    return w, w, w, out_proj_weight.T


@exercise.mistake(
    "w_o is right, but you return the other three matrices as torch stores them, [out, in]. We store them as "
    "[in, out].",
    "torch computes x @ weight.T, and we compute x @ w. How do you get w from weight?",
)
def w_o_alone_transposed(in_proj_weight: Tensor, out_proj_weight: Tensor) -> Four:
    w_q, w_k, w_v = in_proj_weight.chunk(3)
    return w_q, w_k, w_v, out_proj_weight.T


@exercise.mistake(
    "You swapped queries and keys.",
    "Which of torch's three matrices is on top?",
)
def keys_first(in_proj_weight: Tensor, out_proj_weight: Tensor) -> Four:
    w_q, w_k, w_v = in_proj_weight.chunk(3)
    return w_k.T, w_q.T, w_v.T, out_proj_weight.T


@exercise.mistake(
    "You swapped keys and values.",
    "Which of torch's three matrices is in the middle?",
)
def values_before_keys(in_proj_weight: Tensor, out_proj_weight: Tensor) -> Four:
    w_q, w_k, w_v = in_proj_weight.chunk(3)
    return w_q.T, w_v.T, w_k.T, out_proj_weight.T


@exercise.mistake(
    "You return only three matrices. The fourth, w_o, is missing.",
    "Which of the two inputs contains w_o?",
)
def w_o_missing(in_proj_weight: Tensor, out_proj_weight: Tensor) -> Any:
    w_q, w_k, w_v = in_proj_weight.chunk(3)
    return w_q.T, w_k.T, w_v.T


@exercise.mistake(
    "You transpose torch's two matrices, and return only these two matrices. But in_proj_weight contains "
    "three of our matrices, stacked from top to bottom.",
    "How many rows does in_proj_weight have, and how many does w_q have?",
)
def not_cut(in_proj_weight: Tensor, out_proj_weight: Tensor) -> Any:
    return in_proj_weight.T, out_proj_weight.T


@exercise.alternative
def _from_torch_in_a_list(in_proj_weight: Tensor, out_proj_weight: Tensor) -> Any:
    return [w.T for w in (*in_proj_weight.chunk(3), out_proj_weight)]


@exercise.alternative
def _from_torch_by_slices(in_proj_weight: Tensor, out_proj_weight: Tensor) -> Four:
    d = out_proj_weight.shape[0]
    turned = in_proj_weight.T
    return turned[:, :d], turned[:, d : 2 * d], turned[:, 2 * d :], out_proj_weight.T


@exercise.alternative
def _from_torch_by_reshape(in_proj_weight: Tensor, out_proj_weight: Tensor) -> Any:
    d = in_proj_weight.shape[1]
    return (*in_proj_weight.reshape(3, d, d).mT, out_proj_weight.mT)
