"""Masks: who may attend to whom. True means MAY ATTEND, everywhere in this course.

Libraries disagree, and a mask that is the wrong way round raises no error:

    here, and in F.scaled_dot_product_attention    True means *may* attend
    in nn.MultiheadAttention, nn.Transformer       True means may *not* attend: pass them `~mask`

A mask has a row for each query and a column for each key. It acts on the scores, before softmax
(`apply_mask`): a forbidden score becomes minus infinity, its weight exp(-inf) = 0, and the
remaining weights still sum to one. After softmax it would be too late, because the rows would no
longer sum to one.

A query with nothing to attend to has a row of minus infinities. Softmax would divide 0 by 0, and
that NaN spreads through the output and every gradient. `attention.softmax` gives zeros instead: the
query attends to nothing, so the output is the zero vector, and no gradient flows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import reduce

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from qkvlib.shapes import need_mask


def causal_mask(n: int) -> Bool[Tensor, "n n"]:
    """The mask of a decoder: each token attends to itself and to the tokens before it.

    The lower triangle with its diagonal: mask[i, j] = (j <= i).
    """
    return torch.ones(n, n, dtype=torch.bool).tril()


def padding_mask(lengths: Int[Tensor, " b"] | Sequence[int], n: int) -> Bool[Tensor, "b 1 n"]:
    """The mask that hides the padding at the end of shorter sequences, as keys.

    mask[b, 0, j] = (j < lengths[b]). The axis of length 1 stands for the queries: the padding is
    hidden from every query.
    """
    lengths = torch.as_tensor(lengths)
    if lengths.dim() != 1:
        raise ValueError(
            f"lengths has shape {tuple(lengths.shape)}, but there is one length a sequence: "
            "lengths needs one dimension"
        )
    if ((lengths < 0) | (lengths > n)).any():
        raise ValueError(f"lengths is {lengths.tolist()}, but each must lie between 0 and n = {n}")
    return (torch.arange(n) < lengths[:, None])[:, None, :]


def combine_masks(*masks: Bool[Tensor, "*#b #n #m"]) -> Bool[Tensor, "*#b #n #m"]:
    """The mask that allows what every one of the masks allows: their `&`, broadcast.

    For example `combine_masks(causal_mask(n), padding_mask(lengths, n))`, of shape [b n n].
    """
    return reduce(torch.logical_and, masks)


def apply_mask(
    scores: Float[Tensor, "*b n m"], mask: Bool[Tensor, "*#b #n #m"] | None
) -> Float[Tensor, "*b n m"]:
    """The scores as softmax should see them: minus infinity where the mask is False.

    The mask may have any shape that broadcasts to the shape of the scores. Without a mask nothing is hidden.
    """
    if mask is None:
        return scores
    need_mask(mask, scores.shape)
    return scores.masked_fill(~mask, -math.inf)
