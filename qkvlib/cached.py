"""Attention over a long memory: what is kept from word to word, what heads share, and attention in blocks.

The results are those of `attention.py`, to the last digits. The difference is in how much is
computed again, how much is kept, and how much of it is in memory at a time.
"""

from __future__ import annotations

import math

import torch
from jaxtyping import Float
from torch import Tensor

from qkvlib.attention import scaled_dot_product_attention


def attend_with_cache(
    x: Float[Tensor, "1 d_model"],
    w_q: Float[Tensor, "d_model d_k"],
    w_k: Float[Tensor, "d_model d_k"],
    w_v: Float[Tensor, "d_model d_v"],
    k: Float[Tensor, "m d_k"],
    v: Float[Tensor, "m d_v"],
) -> tuple[Float[Tensor, "1 d_v"], Float[Tensor, "m1 d_k"], Float[Tensor, "m1 d_v"]]:
    """The newest token attends to all that came before it, and to itself.

    k and v are the rows of earlier tokens; at the start there are none. The token's own rows are
    appended and returned with the output, for the next token. No mask is needed: the tokens that
    must stay hidden do not exist yet.

        k, v = [k; x W_K], [v; x W_V]        output = softmax(x W_Q k^T / sqrt(d_k)) v
    """
    k, v = torch.cat([k, x @ w_k]), torch.cat([v, x @ w_v])
    output, _ = scaled_dot_product_attention(x @ w_q, k, v)
    return output, k, v


def grouped_query_attention(
    q: Float[Tensor, "*b h n d_k"], k: Float[Tensor, "*b g m d_k"], v: Float[Tensor, "*b g m d_v"]
) -> Float[Tensor, "*b h n d_v"]:
    """Heads that have their own queries, and share keys and values in groups of neighbours.

    h heads ask and g answer: the first h / g heads look at the first keys and values, the next h /
    g at the second. With g = h it is multi-head attention, with g = 1 multi-query attention.
    """
    h, g = q.shape[-3], k.shape[-3]
    if h % g:
        raise ValueError(
            f"there are {h} heads of queries and {g} of keys: each of the {g} needs as many queries"
        )
    k, v = (shared.repeat_interleave(h // g, dim=-3) for shared in (k, v))
    return scaled_dot_product_attention(q, k, v)[0]


def online_softmax(
    scores: Float[Tensor, "n block"],
    v: Float[Tensor, "block d_v"],
    largest: Float[Tensor, "n 1"],
    total: Float[Tensor, "n 1"],
    blend: Float[Tensor, "n d_v"],
) -> tuple[Float[Tensor, "n 1"], Float[Tensor, "n 1"], Float[Tensor, "n d_v"]]:
    """Add one more block of scores and values to a softmax that is in progress.

    For each query three things are carried along: the largest score so far, the sum of the
    exponentials of all scores minus that largest one, and the sum of the values, weighted by these
    exponentials. If the block has a new largest score, the earlier sums are multiplied by the
    factor exp(old largest - new largest). Before the first block they are minus infinity, 0 and 0.
    After the last, blend / total is softmax(scores) v of all blocks.

    A hidden key has the score minus infinity. Where every key so far was hidden, the largest score
    stays minus infinity and the sums stay 0.
    """
    new_largest = torch.maximum(largest, scores.amax(-1, keepdim=True))
    subtracted = new_largest.masked_fill(new_largest == -math.inf, 0)  # inf - inf would be NaN
    shrink = (largest - subtracted).exp()
    exponentials = (scores - subtracted).exp()
    total = total * shrink + exponentials.sum(-1, keepdim=True)
    return new_largest, total, blend * shrink + exponentials @ v


def attention_in_blocks(
    q: Float[Tensor, "n d_k"], k: Float[Tensor, "m d_k"], v: Float[Tensor, "m d_v"], size: int
) -> Float[Tensor, "n d_v"]:
    """Attention that holds the scores of `size` keys at a time, and never those of all.

    FlashAttention does this, and also takes the queries in blocks.
    """
    largest = q.new_full((len(q), 1), -math.inf)
    total, blend = q.new_zeros(len(q), 1), q.new_zeros(len(q), v.shape[-1])
    for keys, values in zip(k.split(size), v.split(size), strict=True):
        scores = q @ keys.mT / math.sqrt(q.shape[-1])
        largest, total, blend = online_softmax(scores, values, largest, total, blend)
    return blend / total
