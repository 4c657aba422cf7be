"""The backward pass of attention by hand, in the order in which the chain rule visits it.

A `Trace` holds every intermediate of one forward pass by its name. `backward` walks it from the
output back to x and gives each of them its gradient, `d_` and the same name: d_q has q's shape, and
says how the loss changes when a number of q changes. Two rules carry everything:

    y = a b        d_a = d_y b^T,  d_b = a^T d_y
    a tensor used in several places gets the sum of what comes back from each of them

The second adds up x's three paths, and everything that shares a weight: the sentences of a batch.
No gradient here is made by autograd; the tests compare the two.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from qkvlib.attention import attention_scores, softmax
from qkvlib.heads import merge_heads, same_for_all_heads, split_heads
from qkvlib.masks import apply_mask
from qkvlib.shapes import describe, need_heads, need_projections, need_qkv, need_rows, need_shape


@dataclass(frozen=True, eq=False, repr=False)
class Trace:
    """Every intermediate of one attention pass. `scores` are those before the mask."""

    x: Float[Tensor, "*b n d_model"]
    context: Float[Tensor, "*b m d_source"] | None
    w_q: Float[Tensor, "*h d_model d_k"]
    w_k: Float[Tensor, "*h d_source d_k"]
    w_v: Float[Tensor, "*h d_source d_v"]
    q: Float[Tensor, "*bh n d_k"]
    k: Float[Tensor, "*bh m d_k"]
    v: Float[Tensor, "*bh m d_v"]
    mask: Bool[Tensor, "*#bh #n #m"] | None
    scores: Float[Tensor, "*bh n m"]
    weights: Float[Tensor, "*bh n m"]
    output: Float[Tensor, "*bh n d_v"]

    def __repr__(self) -> str:
        return describe(self)


@dataclass(frozen=True, eq=False, repr=False)
class Gradients:
    """The gradient of each intermediate of a `Trace`, in the order they were found."""

    d_output: Float[Tensor, "*bh n d_v"]
    d_weights: Float[Tensor, "*bh n m"]
    d_scores: Float[Tensor, "*bh n m"]
    d_q: Float[Tensor, "*bh n d_k"]
    d_k: Float[Tensor, "*bh m d_k"]
    d_v: Float[Tensor, "*bh m d_v"]
    d_w_q: Float[Tensor, "*h d_model d_k"]
    d_w_k: Float[Tensor, "*h d_source d_k"]
    d_w_v: Float[Tensor, "*h d_source d_v"]
    d_x: Float[Tensor, "*b n d_model"]
    d_context: Float[Tensor, "*b m d_source"] | None

    def __repr__(self) -> str:
        return describe(self)


def trace(
    x: Float[Tensor, "*b n d_model"],
    w_q: Float[Tensor, "*h d_model d_k"],
    w_k: Float[Tensor, "*h d_source d_k"],
    w_v: Float[Tensor, "*h d_source d_v"],
    mask: Bool[Tensor, "*#bh #n #m"] | None = None,
    context: Float[Tensor, "*b m d_source"] | None = None,
) -> Trace:
    """Run attention forwards and keep every intermediate.

    Keys and values come from the context if there is one (cross-attention), else from x. The mask
    is boolean, True where a query MAY ATTEND.
    """
    source = x if context is None else context
    need_projections("x", x, w_q=w_q)
    need_projections("x" if context is None else "context", source, w_k=w_k, w_v=w_v)
    q, k, v = x @ w_q, source @ w_k, source @ w_v
    need_qkv(q, k, v)
    scores = attention_scores(q, k)
    weights = softmax(apply_mask(scores, mask))
    output = weights @ v
    return Trace(x, context, w_q, w_k, w_v, q, k, v, mask, scores, weights, output)


@torch.no_grad()
def backward(trace: Trace, d_output: Float[Tensor, "*bh n d_v"]) -> Gradients:
    """Every gradient of one attention pass, given the gradient of its output.

    Read it from top to bottom beside `trace` read from bottom to top. In self-attention x asks,
    is found and gives, so d_x is the sum of three paths. With a context, x has the queries' path
    alone and the other two are d_context.
    """
    x, w_q, w_k, w_v = trace.x, trace.w_q, trace.w_k, trace.w_v
    source = x if trace.context is None else trace.context
    need_shape("d_output", d_output, trace.output.shape, "the output")

    # output = weights @ v
    d_weights = d_output @ trace.v.mT
    d_v = trace.weights.mT @ d_output

    # weights = softmax(scores), and scores = q @ k^T / sqrt(d_k)
    d_scores = softmax_backward(d_weights, trace.weights)
    d_q, d_k = scores_backward(d_scores, trace.q, trace.k)

    # q = x @ w_q, and k, v = source @ w_k, source @ w_v
    d_w_q = (x.mT @ d_q).sum_to_size(*w_q.shape)
    d_w_k = (source.mT @ d_k).sum_to_size(*w_k.shape)
    d_w_v = (source.mT @ d_v).sum_to_size(*w_v.shape)
    d_x = (d_q @ w_q.mT).sum_to_size(*x.shape)
    d_source = (d_k @ w_k.mT + d_v @ w_v.mT).sum_to_size(*source.shape)

    d_x, d_context = (d_x + d_source, None) if trace.context is None else (d_x, d_source)
    return Gradients(
        d_output, d_weights, d_scores, d_q, d_k, d_v, d_w_q, d_w_k, d_w_v, d_x, d_context
    )


def softmax_backward(
    d_weights: Float[Tensor, "*b n m"], weights: Float[Tensor, "*b n m"]
) -> Float[Tensor, "*b n m"]:
    """Back through softmax: a row's weights share one total, so what one gains the others lose.

    Each weight's gradient is compared with the row's average, taken by the weights themselves. A
    row of d_scores therefore sums to 0, and where a weight is 0 (masked) nothing comes back.

        dS = A * (dA - rowsum(A * dA))
    """
    return weights * (d_weights - (weights * d_weights).sum(dim=-1, keepdim=True))


def scores_backward(
    d_scores: Float[Tensor, "*b n m"], q: Float[Tensor, "*b n d_k"], k: Float[Tensor, "*b m d_k"]
) -> tuple[Float[Tensor, "*b n d_k"], Float[Tensor, "*b m d_k"]]:
    """Back from the scores to the queries and the keys, each of which meets the other.

    dQ = dS K / sqrt(d_k)        dK = dS^T Q / sqrt(d_k)
    """
    scale = math.sqrt(q.shape[-1])
    return d_scores @ k / scale, d_scores.mT @ q / scale


def attention_backward(
    d_output: Float[Tensor, "*b n d_v"],
    q: Float[Tensor, "*b n d_k"],
    k: Float[Tensor, "*b m d_k"],
    v: Float[Tensor, "*b m d_v"],
    weights: Float[Tensor, "*b n m"],
) -> tuple[Float[Tensor, "*b n d_k"], Float[Tensor, "*b m d_k"], Float[Tensor, "*b m d_v"]]:
    """The middle of `backward`: the gradients of q, k and v, given the output's.

    dV = A^T dO        dA = dO V^T        dS = A * (dA - rowsum(A * dA))
    """
    d_scores = softmax_backward(d_output @ v.mT, weights)
    d_q, d_k = scores_backward(d_scores, q, k)
    return d_q, d_k, weights.mT @ d_output


def projection_gradients(
    x: Float[Tensor, "n d_model"],
    d_q: Float[Tensor, "n d_k"],
    d_k: Float[Tensor, "n d_k"],
    d_v: Float[Tensor, "n d_v"],
) -> tuple[
    Float[Tensor, "d_model d_k"], Float[Tensor, "d_model d_k"], Float[Tensor, "d_model d_v"]
]:
    """The gradients of w_q, w_k and w_v in self-attention: one rule, three times.

    dW_Q = X^T dQ        dW_K = X^T dK        dW_V = X^T dV
    """
    return x.mT @ d_q, x.mT @ d_k, x.mT @ d_v


@dataclass(frozen=True, eq=False, repr=False)
class MultiHeadTrace:
    """Every intermediate of multi-head attention: a `Trace` of all heads, then what joins them.

    `heads` is one Trace with a dimension for the heads before each of its matrices: heads.w_q is
    [h d_model d_k], heads.weights[..., i, :, :] is what head i attends to, and heads.x is x with a
    head dimension of length 1, since all heads see the same x.
    """

    heads: Trace
    merged: Float[Tensor, "*b n width_v"]
    w_o: Float[Tensor, "width_v d_out"]
    output: Float[Tensor, "*b n d_out"]

    def __repr__(self) -> str:
        return describe(self)


@dataclass(frozen=True, eq=False, repr=False)
class MultiHeadGradients:
    """The gradients of multi-head attention: `heads` holds those inside the heads."""

    d_output: Float[Tensor, "*b n d_out"]
    d_w_o: Float[Tensor, "width_v d_out"]
    d_merged: Float[Tensor, "*b n width_v"]
    heads: Gradients
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
    for name, w in (("w_q", w_q), ("w_k", w_k), ("w_v", w_v)):
        need_heads(name, w, n_heads)
    need_rows("w_o", w_o, w_v.shape[-1], "w_v has {} columns")
    heads = trace(
        x.unsqueeze(-3),
        split_heads(w_q, n_heads),
        split_heads(w_k, n_heads),
        split_heads(w_v, n_heads),
        same_for_all_heads(mask),
        None if context is None else context.unsqueeze(-3),
    )
    merged = merge_heads(heads.output)
    return MultiHeadTrace(heads, merged, w_o, merged @ w_o)


@torch.no_grad()
def multi_head_backward(
    trace: MultiHeadTrace, d_output: Float[Tensor, "*b n d_out"]
) -> MultiHeadGradients:
    """Every gradient of multi-head attention: back through w_o, then through all heads at once.

    Each head gets its own piece of d_merged, and from there on no head hears of another. They meet
    again in d_x, which sums over the heads since all of them read the same x.
    """
    need_shape("d_output", d_output, trace.output.shape, "the output")
    n_heads = trace.heads.weights.shape[-3]

    # output = merged @ w_o, and merged = merge_heads(heads.output)
    d_w_o = (trace.merged.mT @ d_output).sum_to_size(*trace.w_o.shape)
    d_merged = d_output @ trace.w_o.mT
    heads = backward(trace.heads, split_heads(d_merged, n_heads))

    return MultiHeadGradients(
        d_output,
        d_w_o,
        d_merged,
        heads,
        merge_heads(heads.d_w_q),
        merge_heads(heads.d_w_k),
        merge_heads(heads.d_w_v),
        heads.d_x.squeeze(-3),
        None if heads.d_context is None else heads.d_context.squeeze(-3),
    )


@torch.no_grad()
def finite_differences(
    loss: Callable[[Tensor], Tensor], at: Float[Tensor, "*shape"], step: float = 1e-5
) -> Float[Tensor, "*shape"]:
    """The gradient of a loss by trying it out: nudge each number up and down and see what changes.

    Two runs of the loss for every number, so it is for checking, in float64. Too large a step sees
    the curve and not its slope; too small a step drowns in rounding.

        d_at[i] = (loss(at + step e_i) - loss(at - step e_i)) / (2 step)
    """
    gradient = torch.zeros_like(at)
    for i in range(at.numel()):
        nudge = torch.zeros_like(at)
        nudge.view(-1)[i] = step
        gradient.view(-1)[i] = (loss(at + nudge) - loss(at - nudge)) / (2 * step)
    return gradient
