"""Attention, from one dot product to a whole layer's Q, K and V.

Rows are tokens: x is [n d_model]. The weights w_q, w_k, w_v are stored and trained; q, k and v are
computed again from every x. Any number of batch dimensions may come first, `*b` in the signatures.
Masks are boolean and True means MAY ATTEND; `masks.py` explains how they work together with
softmax.
"""

from __future__ import annotations

import math

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from qkvlib.masks import apply_mask
from qkvlib.shapes import need_columns, need_matrix, need_projections, need_qkv, need_rows


def dot(a: Float[Tensor, " d"], b: Float[Tensor, " d"]) -> Float[Tensor, ""]:
    """How far two vectors point the same way: length times length times the cosine between them.

    Positive when they point to the same side, zero at a right angle, negative when they point
    apart. It grows with both lengths.

        a . b = a[0] b[0] + a[1] b[1] + ... = |a| |b| cos(angle)
    """
    need_columns("b", b, a.shape[-1], "a has {} numbers")
    return (a * b).sum()


def cosine_similarity(a: Float[Tensor, "n d"], b: Float[Tensor, "m d"]) -> Float[Tensor, "n m"]:
    """The cosine of the angle between every row of a and every row of b: only direction counts.

    It runs from -1 (opposite) through 0 (right angle) to 1 (same direction). A vector of length zero points
    nowhere; its cosine with everything is 0.

        cos(a_i, b_j) = a_i . b_j / (|a_i| |b_j|)
    """
    need_matrix("a", a)
    need_matrix("b", b)
    need_columns("b", b, a.shape[-1], "a has {} columns")
    return _of_length_one(a) @ _of_length_one(b).mT


def _of_length_one(x: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
    lengths = x.norm(dim=-1, keepdim=True)
    return x / lengths.masked_fill(lengths == 0, 1)


def nearest(query: Float[Tensor, " d"], keys: Float[Tensor, "n d"]) -> int:
    """The index of the key whose direction is closest to the query's: the largest cosine."""
    need_columns("keys", keys, query.shape[-1], "query has {} numbers")
    return int(cosine_similarity(query[None], keys).argmax())


def softmax(scores: Float[Tensor, "*shape"], dim: int = -1) -> Float[Tensor, "*shape"]:
    """Turn scores into weights: all positive, and along `dim` they sum to one.

    Each score becomes its exponential, and the exponentials are divided by their sum. Subtracting
    the largest score first changes nothing, since exp(s - c) / sum exp(s - c) has the same factor
    exp(-c) above and below, and it keeps exp(1000) from overflowing.

    A score of minus infinity gets the weight 0. Where every score is minus infinity there is
    nothing to attend to: all the weights are 0, not NaN. Without scores there are no weights.

        softmax(s)_j = exp(s_j) / sum_k exp(s_k)
    """
    if scores.shape[dim] == 0:  # none of them is the largest
        return scores
    largest = scores.detach().amax(dim, keepdim=True)
    largest = largest.masked_fill(largest == -math.inf, 0)
    exponentials = (scores - largest).exp()
    total = exponentials.sum(dim, keepdim=True)
    # The largest score alone adds exp(0) = 1, so only a row of minus infinities has less: 0. Not
    # `total.clamp(min=1)`: where the total is exactly 1, as in the first row of every causal mask,
    # the gradient of a clamp is a matter of taste, and torch has changed its own.
    return exponentials / total.masked_fill(total < 1, 1)


def softmax_with_a_sink(scores: Float[Tensor, "*shape"], dim: int = -1) -> Float[Tensor, "*shape"]:
    """Softmax with one more in the denominator: along `dim` the weights sum to less than one.

    It is the softmax of the scores plus one extra score of zero, whose weight is left out: the
    weight of a key whose value is zero. Where all scores are far below zero, nearly all weight goes
    there. To give that key a different score c, subtract c from all scores.

        softmax_with_a_sink(s)_j = exp(s_j) / (1 + sum_k exp(s_k))
    """
    if scores.shape[dim] == 0:  # none of them is the largest
        return scores
    largest = scores.detach().amax(dim, keepdim=True).clamp(min=0)  # the zero is one of them
    exponentials = (scores - largest).exp()
    return exponentials / (exponentials.sum(dim, keepdim=True) + (-largest).exp())


def soft_lookup_sum(
    query: Float[Tensor, " d"], keys: Float[Tensor, "n d"], values: Float[Tensor, "n d_v"]
) -> Float[Tensor, " d_v"]:
    """The soft lookup of one query as a sum: each value, weighted by how well its key fits.

    A loop over the keys, written to be read; `soft_lookup` does the same in one line of matrices.

        output = sum_j weight_j v_j        weight = softmax(q . k_1, q . k_2, ...)
    """
    weights = softmax(torch.stack([dot(query, key) for key in keys]))
    output = torch.zeros_like(values[0])
    for weight, value in zip(weights, values, strict=True):
        output = output + weight * value
    return output


def soft_lookup(
    query: Float[Tensor, " d"], keys: Float[Tensor, "n d"], values: Float[Tensor, "n d_v"]
) -> Float[Tensor, " d_v"]:
    """Look a query up in a library of keys and get a blend of all values, the best match first.

    A dictionary returns the value of the one key that fits. This returns every value, weighted by
    how well its key fits. Nothing in it is trained, and nothing is scaled yet.

        output = softmax(K q) V
    """
    need_columns("keys", keys, query.shape[-1], "query has {} numbers")
    need_rows("values", values, keys.shape[-2], "keys has {} rows")
    return softmax(keys @ query) @ values


def attention_scores(q: Float[Tensor, "*b n d_k"], k: Float[Tensor, "*b m d_k"]) -> Float[Tensor, "*b n m"]:
    """How well each key fits each query: their dot products, divided by sqrt(d_k).

    The sum of d_k products of unit-variance numbers has variance d_k; dividing by sqrt(d_k) brings
    it back to one, so that softmax is not saturated before training starts.

        scores = Q K^T / sqrt(d_k)
    """
    need_columns("k", k, q.shape[-1], "q has {} columns")
    return q @ k.mT / math.sqrt(q.shape[-1])


def scores_that_know_length(
    q: Float[Tensor, "*b n d_k"], k: Float[Tensor, "*b m d_k"], trained_on: int
) -> Float[Tensor, "*b n m"]:
    """Scores that grow with the number of keys, so that attention stays sharp among more of them.

    With as many keys as in training the scores stay as they are. With more, every score is
    multiplied by the ratio of the logarithms; with fewer, it shrinks.

        scores = (log m / log trained_on) * Q K^T / sqrt(d_k)
    """
    if trained_on < 2:
        raise ValueError(f"trained_on is {trained_on}, but it must be at least 2: log 1 is 0")
    return attention_scores(q, k) * (math.log(k.shape[-2]) / math.log(trained_on))


def attention_weights(q: Float[Tensor, "*b n d_k"], k: Float[Tensor, "*b m d_k"]) -> Float[Tensor, "*b n m"]:
    """How each query divides its attention among the keys: row i is query i, and sums to one.

    weights = softmax(Q K^T / sqrt(d_k))
    """
    return softmax(attention_scores(q, k))


def project(x: Float[Tensor, "*n d_model"], w: Float[Tensor, "d_model d_out"]) -> Float[Tensor, "*n d_out"]:
    """Every token multiplied by the same weight matrix: x @ w.

    Row i of the result depends only on row i of x; tokens do not meet here.
    """
    need_rows("w", w, x.shape[-1], "x has {} features")
    return x @ w


def project_qkv(
    x: Float[Tensor, "*n d_model"],
    w_q: Float[Tensor, "d_model d_k"],
    w_k: Float[Tensor, "d_model d_k"],
    w_v: Float[Tensor, "d_model d_v"],
) -> tuple[Float[Tensor, "*n d_k"], Float[Tensor, "*n d_k"], Float[Tensor, "*n d_v"]]:
    """The three roles of every token: what it asks (q), how it is found (k), what it gives (v).

    Q = X W_Q, K = X W_K, V = X W_V. The W's are stored and trained. Q, K and V are not: a different
    x gives a different q, with the same w_q.
    """
    need_projections(x, w_q, w_k, w_v)
    return x @ w_q, x @ w_k, x @ w_v


def bilinear_form(
    w_q: Float[Tensor, "d_model d_k"], w_k: Float[Tensor, "d_model d_k"]
) -> Float[Tensor, "d_model d_model"]:
    """The one matrix that decides the scores: q_i . k_j = x_i (W_Q W_K^T) x_j^T.

    Only this product is determined by what attention does. Multiply w_q and w_k by the same
    rotation and it stays as it is. It is symmetric when w_q = w_k, and in general it is not.
    """
    need_columns("w_k", w_k, w_q.shape[-1], "w_q has {} columns")
    return w_q @ w_k.mT


def scaled_dot_product_attention(
    q: Float[Tensor, "*b n d_k"],
    k: Float[Tensor, "*b m d_k"],
    v: Float[Tensor, "*b m d_v"],
    mask: Bool[Tensor, "*#b #n #m"] | None = None,
) -> tuple[Float[Tensor, "*b n d_v"], Float[Tensor, "*b n m"]]:
    """Attention: every query gets a blend of the values, weighted by how well their keys fit it.

    Returns the output and the weights. The mask is boolean and broadcasts to [*b n m]. True means
    MAY ATTEND, as in torch's F.scaled_dot_product_attention; nn.MultiheadAttention has it the other
    way round. A query with nothing to attend to gets weights 0 and the output 0.

        output = softmax(Q K^T / sqrt(d_k)) V
    """
    need_qkv(q, k, v)
    scores = attention_scores(q, k)
    weights = softmax(apply_mask(scores, mask))
    return weights @ v, weights


def linear_attention(
    q: Float[Tensor, "*b n d_k"], k: Float[Tensor, "*b n d_k"], v: Float[Tensor, "*b n d_v"]
) -> Float[Tensor, "*b n d_v"]:
    """Causal attention without softmax, over a memory whose size does not depend on the number of tokens.

    Without softmax the scores are a plain product, and (q_i k^T) v is q_i (k^T v). So each token
    writes the matrix k_j^T v_j, every number of its key times every number of its value, and all
    are kept as one sum:

        S_i = S_{i-1} + k_i^T v_i        [d_k d_v], begins with zeros
        output_i = q_i S_i

    This equals (q k^T) v with a causal mask that sets the hidden scores to 0.
    """
    need_qkv(q, k, v)
    memory = q.new_zeros(*k.shape[:-2], k.shape[-1], v.shape[-1])
    output = []
    for i in range(q.shape[-2]):
        memory = memory + k[..., i, :, None] * v[..., i, None, :]
        output.append((q[..., i, None, :] @ memory).squeeze(-2))
    return torch.stack(output, dim=-2)


def cross_attention(
    x: Float[Tensor, "*b n d_model"],
    memory: Float[Tensor, "*b m d_memory"],
    w_q: Float[Tensor, "d_model d_k"],
    w_k: Float[Tensor, "d_memory d_k"],
    w_v: Float[Tensor, "d_memory d_v"],
) -> tuple[Float[Tensor, "*b n d_v"], Float[Tensor, "*b n m"]]:
    """One sequence asks, another answers: queries come from x, keys and values from memory.

    Returns the output, one row for each token of x, and the weights [n m]. Self-attention is the
    case memory = x.

        Q = X W_Q        K = M W_K        V = M W_V
    """
    need_rows("w_q", w_q, x.shape[-1], "x has {} features")
    need_rows("w_k", w_k, memory.shape[-1], "memory has {} features")
    need_rows("w_v", w_v, memory.shape[-1], "memory has {} features")
    return scaled_dot_product_attention(x @ w_q, memory @ w_k, memory @ w_v)


def attention_entropy(weights: Float[Tensor, "*b n m"]) -> Float[Tensor, "*b n"]:
    """How spread out each query's attention is: 0 on a single key, log(m) if all m keys get the same weight.

    A weight of 0 adds nothing, because w log w approaches 0 as w does.

        entropy_i = -sum_j weights_ij log(weights_ij)
    """
    return -torch.xlogy(weights, weights).sum(dim=-1)
