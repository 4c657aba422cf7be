"""The backward pass of attention by hand, in the order in which the chain rule visits it.

A `Trace` holds every intermediate of one forward pass by its name, of one head or of several.
`backward` goes through it from the output back to x and gives each of them its gradient, named `d_`
plus the same name: d_q has q's shape, and says how the loss changes when a number of q changes. Two
rules carry everything:

    y = a b        d_a = d_y b^T,  d_b = a^T d_y
    a tensor used in several places gets the sum of what comes back from each of them

The second adds up the three paths of x, and the many tokens that share one weight. No gradient
here is made by autograd; the tests compare the two.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from qkvlib.attention import attention_scores, softmax
from qkvlib.masks import apply_mask
from qkvlib.multi_head import merge_heads, same_for_all_heads, split_heads
from qkvlib.shapes import (
    describe,
    need_heads,
    need_projections,
    need_qkv,
    need_rows,
    need_shape,
)


@dataclass(frozen=True, eq=False, repr=False)
class Trace:
    """Every intermediate of one attention pass. `scores` are those before the mask.

    With several heads, q, k, v, scores, weights and heads have a dimension for them, `*h` here: the
    batch and the heads, where x has only the batch. `heads` is what each head found, weights @ v.
    The weight matrices hold the heads side by side.
    """

    x: Float[Tensor, "*b n d_model"]
    context: Float[Tensor, "*b m d_source"] | None
    w_q: Float[Tensor, "d_model width"]
    w_k: Float[Tensor, "d_source width"]
    w_v: Float[Tensor, "d_source width_v"]
    w_o: Float[Tensor, "width_v d_out"] | None
    n_heads: int | None
    q: Float[Tensor, "*h n d_k"]
    k: Float[Tensor, "*h m d_k"]
    v: Float[Tensor, "*h m d_v"]
    mask: Bool[Tensor, "*#b #n #m"] | None
    scores: Float[Tensor, "*h n m"]
    weights: Float[Tensor, "*h n m"]
    heads: Float[Tensor, "*h n d_v"]
    output: Float[Tensor, "*b n d_out"]

    def __repr__(self) -> str:
        return describe(self)


@dataclass(frozen=True, eq=False, repr=False)
class Gradients:
    """The gradient of each intermediate of a `Trace`, in the order they are found."""

    d_output: Float[Tensor, "*b n d_out"]
    d_w_o: Float[Tensor, "width_v d_out"] | None
    d_heads: Float[Tensor, "*h n d_v"]
    d_weights: Float[Tensor, "*h n m"]
    d_scores: Float[Tensor, "*h n m"]
    d_q: Float[Tensor, "*h n d_k"]
    d_k: Float[Tensor, "*h m d_k"]
    d_v: Float[Tensor, "*h m d_v"]
    d_w_q: Float[Tensor, "d_model width"]
    d_w_k: Float[Tensor, "d_source width"]
    d_w_v: Float[Tensor, "d_source width_v"]
    d_x: Float[Tensor, "*b n d_model"]
    d_context: Float[Tensor, "*b m d_source"] | None

    def __repr__(self) -> str:
        return describe(self)


def trace(
    x: Float[Tensor, "*b n d_model"],
    w_q: Float[Tensor, "d_model width"],
    w_k: Float[Tensor, "d_source width"],
    w_v: Float[Tensor, "d_source width_v"],
    mask: Bool[Tensor, "*#b #n #m"] | None = None,
    context: Float[Tensor, "*b m d_source"] | None = None,
    *,
    w_o: Float[Tensor, "width_v d_out"] | None = None,
    n_heads: int | None = None,
) -> Trace:
    """Run attention forwards and keep every intermediate.

    Keys and values come from the context if there is one (cross-attention), else from x. The mask
    is boolean, True where a query MAY ATTEND. With `n_heads` the columns of w_q, w_k and w_v are
    divided among that many heads, and the heads' outputs are put side by side again. With `w_o` the
    result is multiplied by it, as in `multi_head_attention`; without `w_o` the result is the
    output.
    """
    source = x if context is None else context
    need_projections(x, w_q, w_k, w_v, context)
    q, k, v = x @ w_q, source @ w_k, source @ w_v
    if n_heads is not None:
        for name, w in (("w_q", w_q), ("w_k", w_k), ("w_v", w_v)):
            need_heads(name, w, n_heads)
        q, k, v = split_heads(q, n_heads), split_heads(k, n_heads), split_heads(v, n_heads)
    need_qkv(q, k, v)
    scores = attention_scores(q, k)
    weights = softmax(apply_mask(scores, mask if n_heads is None else same_for_all_heads(mask)))
    heads = weights @ v
    output = heads if n_heads is None else merge_heads(heads)
    if w_o is not None:
        need_rows("w_o", w_o, w_v.shape[-1], "w_v has {} columns")
        output = output @ w_o
    return Trace(x, context, w_q, w_k, w_v, w_o, n_heads, q, k, v, mask, scores, weights, heads, output)


@torch.no_grad()
def backward(trace: Trace, d_output: Float[Tensor, "*b n d_out"]) -> Gradients:
    """Every gradient of one attention pass, given the gradient of its output.

    Read it from top to bottom beside `trace` read from bottom to top. The heads do not affect each
    other here: they share only x, where they start, and w_o, where they end.
    """
    need_shape("d_output", d_output, trace.output.shape, "the output")
    several = trace.n_heads is not None

    # output = side by side @ w_o
    d_heads, d_w_o = d_output, None
    if trace.w_o is not None:
        side_by_side = merge_heads(trace.heads) if several else trace.heads
        d_heads, d_w_o = projection_backward(side_by_side, trace.w_o, d_output)
    if trace.n_heads is not None:
        d_heads = split_heads(d_heads, trace.n_heads)

    # heads = weights @ v
    d_weights = d_heads @ trace.v.mT
    d_v = trace.weights.mT @ d_heads

    # weights = softmax(scores), and scores = q @ k^T / sqrt(d_k)
    d_scores = softmax_backward(d_weights, trace.weights)
    d_q, d_k = scores_backward(d_scores, trace.q, trace.k)

    # q = x @ w_q, k = source @ w_k, v = source @ w_v
    of_q, of_k, of_v = (merge_heads(d) if several else d for d in (d_q, d_k, d_v))
    source = trace.x if trace.context is None else trace.context
    d_from_q, d_w_q = projection_backward(trace.x, trace.w_q, of_q)
    d_from_k, d_w_k = projection_backward(source, trace.w_k, of_k)
    d_from_v, d_w_v = projection_backward(source, trace.w_v, of_v)

    # in self-attention x asks, is found and gives; else the context does the last two
    d_source = d_from_k + d_from_v
    d_x = d_from_q + d_source if trace.context is None else d_from_q
    d_context = None if trace.context is None else d_source
    inside = (d_heads, d_weights, d_scores, d_q, d_k, d_v)
    return Gradients(d_output, d_w_o, *inside, d_w_q, d_w_k, d_w_v, d_x, d_context)


def softmax_backward(
    d_weights: Float[Tensor, "*b n m"], weights: Float[Tensor, "*b n m"]
) -> Float[Tensor, "*b n m"]:
    """Back through softmax: a row's weights share one total, so what one gains the others lose.

    Each weight's gradient is compared with the row's average, weighted by the weights themselves. A
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


def projection_backward(
    x: Float[Tensor, "*b n d_in"], w: Float[Tensor, "d_in d_out"], d_y: Float[Tensor, "*b n d_out"]
) -> tuple[Float[Tensor, "*b n d_in"], Float[Tensor, "d_in d_out"]]:
    """Back through y = x @ w, to x and to w.

    All tokens of all sequences share w, so their contributions are added up: they are stacked into
    one tall x.

        dX = dY W^T        dW = X^T dY
    """
    return d_y @ w.mT, x.flatten(end_dim=-2).mT @ d_y.flatten(end_dim=-2)


def projection_gradients(
    x: Float[Tensor, "*b n d_model"],
    d_q: Float[Tensor, "*b n d_k"],
    d_k: Float[Tensor, "*b n d_k"],
    d_v: Float[Tensor, "*b n d_v"],
) -> tuple[Float[Tensor, "d_model d_k"], Float[Tensor, "d_model d_k"], Float[Tensor, "d_model d_v"]]:
    """The gradients of w_q, w_k and w_v in self-attention: one rule, three times.

    dW_Q = X^T dQ        dW_K = X^T dK        dW_V = X^T dV
    """
    tokens = x.flatten(end_dim=-2).mT
    return (
        tokens @ d_q.flatten(end_dim=-2),
        tokens @ d_k.flatten(end_dim=-2),
        tokens @ d_v.flatten(end_dim=-2),
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
