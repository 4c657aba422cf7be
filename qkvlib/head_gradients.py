"""The backward pass of multi-head attention by hand: `gradients.py` and what joins the heads.

The names are those of a `Trace`. From q to weights each tensor has one dimension more, for the
heads, and no head hears of another: they share only x, where they start, and w_o, where they end.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from qkvlib.attention import attention_scores, softmax
from qkvlib.gradients import projection_backward, scores_backward, softmax_backward
from qkvlib.heads import merge_heads, same_for_all_heads, split_heads
from qkvlib.masks import apply_mask
from qkvlib.shapes import describe, need_multi_head, need_qkv, need_shape


@dataclass(frozen=True, eq=False, repr=False)
class MultiHeadTrace:
    """Every intermediate of multi-head attention: the names of a `Trace`, and what joins the heads.

    From q to weights each tensor has a dimension for the heads: weights[..., i, :, :] is what head
    i attends to. `heads` are the heads' outputs, `merged` the same side by side.
    """

    x: Float[Tensor, "*b n d_model"]
    context: Float[Tensor, "*b m d_source"] | None
    w_q: Float[Tensor, "d_model width"]
    w_k: Float[Tensor, "d_source width"]
    w_v: Float[Tensor, "d_source width_v"]
    w_o: Float[Tensor, "width_v d_out"]
    q: Float[Tensor, "*b h n d_k"]
    k: Float[Tensor, "*b h m d_k"]
    v: Float[Tensor, "*b h m d_v"]
    mask: Bool[Tensor, "*#b #n #m"] | None
    scores: Float[Tensor, "*b h n m"]
    weights: Float[Tensor, "*b h n m"]
    heads: Float[Tensor, "*b h n d_v"]
    merged: Float[Tensor, "*b n width_v"]
    output: Float[Tensor, "*b n d_out"]

    def __repr__(self) -> str:
        return describe(self)


@dataclass(frozen=True, eq=False, repr=False)
class MultiHeadGradients:
    """The gradient of each intermediate of a `MultiHeadTrace`, in the order they are found."""

    d_output: Float[Tensor, "*b n d_out"]
    d_w_o: Float[Tensor, "width_v d_out"]
    d_merged: Float[Tensor, "*b n width_v"]
    d_heads: Float[Tensor, "*b h n d_v"]
    d_weights: Float[Tensor, "*b h n m"]
    d_scores: Float[Tensor, "*b h n m"]
    d_q: Float[Tensor, "*b h n d_k"]
    d_k: Float[Tensor, "*b h m d_k"]
    d_v: Float[Tensor, "*b h m d_v"]
    d_w_q: Float[Tensor, "d_model width"]
    d_w_k: Float[Tensor, "d_source width"]
    d_w_v: Float[Tensor, "d_source width_v"]
    d_x: Float[Tensor, "*b n d_model"]
    d_context: Float[Tensor, "*b m d_source"] | None

    def __repr__(self) -> str:
        return describe(self)


def multi_head_trace(
    x: Float[Tensor, "*b n d_model"],
    w_q: Float[Tensor, "d_model width"],
    w_k: Float[Tensor, "d_source width"],
    w_v: Float[Tensor, "d_source width_v"],
    w_o: Float[Tensor, "width_v d_out"],
    n_heads: int,
    mask: Bool[Tensor, "*#b #n #m"] | None = None,
    context: Float[Tensor, "*b m d_source"] | None = None,
) -> MultiHeadTrace:
    """Run `multi_head_attention` forwards and keep every intermediate of every head."""
    source = x if context is None else context
    need_multi_head(x, w_q, w_k, w_v, w_o, n_heads, context)
    q = split_heads(x @ w_q, n_heads)
    k = split_heads(source @ w_k, n_heads)
    v = split_heads(source @ w_v, n_heads)
    need_qkv(q, k, v)
    scores = attention_scores(q, k)
    weights = softmax(apply_mask(scores, same_for_all_heads(mask)))
    heads = weights @ v
    merged = merge_heads(heads)
    output = merged @ w_o
    return MultiHeadTrace(
        x, context, w_q, w_k, w_v, w_o, q, k, v, mask, scores, weights, heads, merged, output
    )


@torch.no_grad()
def multi_head_backward(
    trace: MultiHeadTrace, d_output: Float[Tensor, "*b n d_out"]
) -> MultiHeadGradients:
    """Every gradient of multi-head attention: back through w_o, then through all heads at once.

    Each head gets its own piece of d_merged, and from there on no head hears of another. They meet
    again in d_x, since all of them read the same x.
    """
    need_shape("d_output", d_output, trace.output.shape, "the output")

    # output = merged @ w_o, and merged = merge_heads(heads)
    d_merged, d_w_o = projection_backward(trace.merged, trace.w_o, d_output)
    d_heads = split_heads(d_merged, trace.heads.shape[-3])

    # in each head as in `backward`
    d_weights = d_heads @ trace.v.mT
    d_v = trace.weights.mT @ d_heads
    d_scores = softmax_backward(d_weights, trace.weights)
    d_q, d_k = scores_backward(d_scores, trace.q, trace.k)

    # q = split_heads(x @ w_q), k = split_heads(source @ w_k), v = split_heads(source @ w_v)
    source = trace.x if trace.context is None else trace.context
    d_from_q, d_w_q = projection_backward(trace.x, trace.w_q, merge_heads(d_q))
    d_from_k, d_w_k = projection_backward(source, trace.w_k, merge_heads(d_k))
    d_from_v, d_w_v = projection_backward(source, trace.w_v, merge_heads(d_v))

    d_source = d_from_k + d_from_v
    d_x = d_from_q + d_source if trace.context is None else d_from_q
    d_context = None if trace.context is None else d_source
    inside = (d_heads, d_weights, d_scores, d_q, d_k, d_v)
    return MultiHeadGradients(
        d_output, d_w_o, d_merged, *inside, d_w_q, d_w_k, d_w_v, d_x, d_context
    )
