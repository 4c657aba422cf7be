"""Chapter 11, The whole layer: our weights as torch stores them, and back."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from qkvlib import heads as many
from qkvlib.exercises.kit.exercise import Case, Exercise, mistake
from qkvlib.exercises.kit.random_inputs import normal, scattered

Two = tuple[Tensor, Tensor]
Four = tuple[Tensor, Tensor, Tensor, Tensor]

# --- weights_to_torch -----------------------------------------------------------------------


def weights_to_torch(w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor) -> Two:
    """Our four weights as nn.MultiheadAttention stores them: in_proj_weight and out_proj.weight.

    torch keeps every weight transposed, [out in], and w_q, w_k and w_v in one tensor [3 d d].
    """
    layer = many.to_torch(w_q, w_k, w_v, w_o, n_heads=1)
    return layer.in_proj_weight.detach(), layer.out_proj.weight.detach()


def _weights_cases(generator: torch.Generator) -> list[Case]:
    def weights(d: int) -> tuple[Tensor, ...]:
        return tuple(normal(generator, d, d) for _ in range(4))

    counted = tuple(torch.arange(4.0).reshape(2, 2) + 10 * i for i in range(4))
    return [
        Case("four matrices of 2 by 2, counted through", counted),
        Case("d_model = 3", weights(3)),
        Case("d_model = 8", weights(8)),
        Case("matrices that are not stored row by row", (*map(scattered, weights(4)),)),
    ]


@mistake(
    "The weights are not transposed. torch stores [out, in] and computes x @ w.T.",
    "`nn.Linear(5, 3).weight` has which shape?",
)
def not_transposed(w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor) -> Two:
    return torch.cat([w_q, w_k, w_v]), w_o


@mistake(
    "The first result is right. w_o is not transposed; it is stored like the others.",
    "Why should out_proj be stored in another way than in_proj?",
)
def w_o_not_transposed(w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor) -> Two:
    return torch.cat([w_q.T, w_k.T, w_v.T]), w_o


@mistake(
    "You put the three side by side, [d, 3 d]. torch has them below each other, [3 d, d].",
    "Along which dimension does `torch.cat` join when you do not tell it?",
)
def side_by_side(w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor) -> Two:
    return torch.cat([w_q.T, w_k.T, w_v.T], dim=1), w_o.T


@mistake(
    "You stack the three into [3, d, d]. torch has a matrix, [3 d, d].",
    "What is the difference between `torch.stack` and `torch.cat`?",
)
def stacked(w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor) -> Two:
    return torch.stack([w_q.T, w_k.T, w_v.T]), w_o.T


@mistake(
    "Queries and keys have changed places.",
    "In which order does torch keep the three?",
)
def keys_first(w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor) -> Two:
    return torch.cat([w_k.T, w_q.T, w_v.T]), w_o.T


def _to_torch_by_one_turn(w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor) -> Two:
    return torch.cat([w_q, w_k, w_v], dim=1).T, w_o.T


def _to_torch_in_place(w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor) -> Two:
    d = len(w_q)
    stored = torch.empty(3 * d, d)
    for i, w in enumerate((w_q, w_k, w_v)):
        stored[i * d : (i + 1) * d] = w.transpose(0, 1)
    return stored, w_o.permute(1, 0)


def _to_torch_by_einsum(w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor) -> Any:
    stored = torch.einsum("cio->coi", torch.stack([w_q, w_k, w_v])).reshape(-1, len(w_q))
    return [stored.contiguous(), w_o.t()]


WEIGHTS_TO_TORCH = Exercise(
    chapter=11,
    points=1,
    reference=weights_to_torch,
    cases=_weights_cases,
    mistakes=(not_transposed, w_o_not_transposed, side_by_side, stacked, keys_first),
    alternatives=(_to_torch_by_one_turn, _to_torch_in_place, _to_torch_by_einsum),
    hints=(
        "torch computes x @ weight.T where we compute x @ w.",
        "Transpose each; `torch.cat` puts matrices below each other.",
        "w_q, w_k, w_v, each transposed, below each other; and w_o transposed",
    ),
    returns=("in_proj_weight", "out_proj_weight"),
    builds_on=("multi_head_attention",),
)

# --- weights_from_torch ---------------------------------------------------------------------


def weights_from_torch(in_proj_weight: Tensor, out_proj_weight: Tensor) -> Four:
    """torch's weights as ours, w_q, w_k, w_v and w_o, each [in out]."""
    layer = nn.MultiheadAttention(in_proj_weight.shape[1], 1, bias=False)
    with torch.no_grad():
        layer.in_proj_weight.copy_(in_proj_weight)
        layer.out_proj.weight.copy_(out_proj_weight)
    return many.from_torch(layer)


def _stored_cases(generator: torch.Generator) -> list[Case]:
    def stored(d: int) -> Two:
        return normal(generator, 3 * d, d), normal(generator, d, d)

    counted = (torch.arange(12.0).reshape(6, 2), torch.arange(4.0).reshape(2, 2) + 20)
    return [
        Case("d_model = 2, counted through", counted),
        Case("d_model = 3", stored(3)),
        Case("d_model = 8", stored(8)),
        Case("matrices that are not stored row by row", (*map(scattered, stored(4)),)),
    ]


@mistake(
    "The weights are not transposed. torch stores [out, in], we [in, out].",
    "If torch computes x @ weight.T, what is our w?",
)
def stored_as_they_are(in_proj_weight: Tensor, out_proj_weight: Tensor) -> Four:
    w_q, w_k, w_v = in_proj_weight.chunk(3)
    return w_q, w_k, w_v, out_proj_weight


@mistake(
    "w_q, w_k and w_v are right. w_o is not transposed.",
    "Why should out_proj be stored in another way than in_proj?",
)
def w_o_as_stored(in_proj_weight: Tensor, out_proj_weight: Tensor) -> Four:
    w_q, w_k, w_v = in_proj_weight.chunk(3)
    return w_q.T, w_k.T, w_v.T, out_proj_weight


@mistake(
    "Queries and values have changed places.",
    "Which of the three comes first in in_proj_weight?",
)
def values_first(in_proj_weight: Tensor, out_proj_weight: Tensor) -> Four:
    w_v, w_k, w_q = in_proj_weight.chunk(3)
    return w_q.T, w_k.T, w_v.T, out_proj_weight.T


@mistake(
    "You deal the rows out like cards: every third row to w_q. They are neighbours, d for each.",
    "Which rows of in_proj_weight belong to w_q, if it is [3 d, d]?",
)
def every_third_row(in_proj_weight: Tensor, out_proj_weight: Tensor) -> Four:
    w_q, w_k, w_v = (in_proj_weight[i::3].T for i in range(3))
    return w_q, w_k, w_v, out_proj_weight.T


@mistake(
    "All three are w_q: you take the first rows each time.",
    "Which rows belong to w_k?",
)
def first_rows_for_all(in_proj_weight: Tensor, out_proj_weight: Tensor) -> Four:
    w = in_proj_weight.chunk(3)[0].T
    return w, w, w, out_proj_weight.T


def _from_torch_by_chunks(in_proj_weight: Tensor, out_proj_weight: Tensor) -> Any:
    return [w.T for w in (*in_proj_weight.chunk(3), out_proj_weight)]


def _from_torch_by_slices(in_proj_weight: Tensor, out_proj_weight: Tensor) -> Four:
    d = out_proj_weight.shape[0]
    turned = in_proj_weight.T
    return turned[:, :d], turned[:, d : 2 * d], turned[:, 2 * d :], out_proj_weight.T


def _from_torch_by_reshape(in_proj_weight: Tensor, out_proj_weight: Tensor) -> Any:
    d = in_proj_weight.shape[1]
    return (*in_proj_weight.reshape(3, d, d).mT, out_proj_weight.mT)


WEIGHTS_FROM_TORCH = Exercise(
    chapter=11,
    points=1,
    reference=weights_from_torch,
    cases=_stored_cases,
    mistakes=(stored_as_they_are, w_o_as_stored, values_first, every_third_row, first_rows_for_all),
    alternatives=(_from_torch_by_chunks, _from_torch_by_slices, _from_torch_by_reshape),
    hints=(
        "It is `weights_to_torch` backwards.",
        "`chunk(3)` cuts a matrix into three equal pieces, from top to bottom.",
        "cut in_proj_weight into three; transpose each; transpose out_proj_weight",
    ),
    returns=("w_q", "w_k", "w_v", "w_o"),
    builds_on=("weights_to_torch",),
)

EXERCISES = (WEIGHTS_TO_TORCH, WEIGHTS_FROM_TORCH)
