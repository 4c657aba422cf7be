"""Our weights as torch stores them."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from qkvlib import multi_head as many
from qkvlib.exercises.kit.exercise import Case, ExerciseBuilder
from qkvlib.exercises.kit.random_inputs import normal, scattered

exercise = ExerciseBuilder(
    points=1,
    builds_on=("multi_head_attention",),
    returns=("in_proj_weight", "out_proj_weight"),
    hints=(
        "torch computes x @ weight.T where we compute x @ w.",
        "Transpose each matrix; `torch.cat` stacks matrices one below the other.",
        "w_q, w_k, w_v, each transposed, one below the other; and w_o transposed",
    ),
)

Two = tuple[Tensor, Tensor]


@exercise.reference
def weights_to_torch(w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor) -> Two:
    """Our four weights as nn.MultiheadAttention stores them: in_proj_weight and out_proj.weight.

    torch keeps every weight transposed, [out in], and w_q, w_k and w_v in one tensor [3 d d].
    """
    layer = many.to_torch(w_q, w_k, w_v, w_o, n_heads=1)
    return layer.in_proj_weight.detach(), layer.out_proj.weight.detach()


@exercise.cases
def cases(generator: torch.Generator) -> list[Case]:
    def weights(d: int) -> tuple[Tensor, ...]:
        return tuple(normal(generator, d, d) for _ in range(4))

    counted = tuple(torch.arange(4.0).reshape(2, 2) + 10 * i for i in range(4))
    return [
        Case("four matrices of 2 by 2, numbers in sequence", counted),
        Case("d_model = 3", weights(3)),
        Case("d_model = 8", weights(8)),
        Case("matrices that are not stored row by row", (*map(scattered, weights(4)),)),
    ]


@exercise.mistake(
    "You do not transpose the weights. But torch stores [out, in], and computes x @ weight.T.",
    "What is the shape of `nn.Linear(5, 3).weight`?",
)
def not_transposed(w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor) -> Two:
    return torch.cat([w_q, w_k, w_v]), w_o


@exercise.mistake(
    "The first result is right, but w_o is not transposed. torch stores out_proj in the same way as in_proj.",
    "How does torch store out_proj: [in, out] or [out, in]?",
)
def w_o_not_transposed(w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor) -> Two:
    return torch.cat([w_q.T, w_k.T, w_v.T]), w_o


@exercise.mistake(
    "You put the three matrices side by side, [d, 3 d]. But torch stacks these matrices one below the "
    "other, [3 d, d].",
    "Along which dimension does `torch.cat` join by default?",
)
def side_by_side(w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor) -> Two:
    return torch.cat([w_q.T, w_k.T, w_v.T], dim=1), w_o.T


@exercise.mistake(
    "You put the three matrices side by side as they are, [d, 3 d]. But torch transposes the matrices, and "
    "stores them one below the other, [3 d, d].",
    "Which single step turns your [d, 3 d] into torch's [3 d, d]?",
)
def side_by_side_not_turned(w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor) -> Two:
    return torch.cat([w_q, w_k, w_v], dim=1), w_o.T


@exercise.mistake(
    "You stack the three matrices along a new dimension, [3, d, d]. But torch has one matrix, [3 d, d], with "
    "the three matrices one below the other.",
    "Which function adds a dimension, `torch.cat` or `torch.stack`?",
)
def stacked(w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor) -> Two:
    return torch.stack([w_q.T, w_k.T, w_v.T]), w_o.T


@exercise.mistake(
    "You swapped queries and keys.",
    "In which order does torch keep the three matrices?",
)
def keys_first(w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor) -> Two:
    return torch.cat([w_k.T, w_q.T, w_v.T]), w_o.T


@exercise.alternative
def _to_torch_by_one_turn(w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor) -> Two:
    return torch.cat([w_q, w_k, w_v], dim=1).T, w_o.T


@exercise.alternative
def _to_torch_in_place(w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor) -> Two:
    d = len(w_q)
    stored = torch.empty(3 * d, d)
    for i, w in enumerate((w_q, w_k, w_v)):
        stored[i * d : (i + 1) * d] = w.transpose(0, 1)
    return stored, w_o.permute(1, 0)


@exercise.alternative
def _to_torch_by_einsum(w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor) -> Any:
    stored = torch.einsum("cio->coi", torch.stack([w_q, w_k, w_v])).reshape(-1, len(w_q))
    return [stored.contiguous(), w_o.t()]
