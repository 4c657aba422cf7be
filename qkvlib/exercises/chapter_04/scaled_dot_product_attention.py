"""Scaled dot-product attention, whole and with a mask."""

from __future__ import annotations

import math
from typing import Any, cast

import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812 (torch's own name for it)

from qkvlib import attention, masks
from qkvlib.exercises.kit.exercise import Case, ExerciseBuilder
from qkvlib.exercises.kit.random_inputs import normal, scattered, some_mask

exercise = ExerciseBuilder(
    points=3,
    needed_later=("float64", "gradients"),
    builds_on=("softmax", "attention_weights", "soft_lookup"),
    returns=("output", "weights"),
    hints=(
        "Scores, mask, softmax, weighted sum: one line each.",
        '`scores.masked_fill(~mask, float("-inf"))` hides the scores where mask is False. `k.mT` transposes '
        "the last two dimensions and keeps the batch dimension.",
        "scores = q k^T divided by sqrt(d_k); if there is a mask, minus infinity where it is False; weights "
        "= softmax of each row; output = weights times v; return output and weights",
    ),
)

exercise.reference(attention.scaled_dot_product_attention)

Two = tuple[Tensor, Tensor]
Mask = Tensor | None


@exercise.cases
def cases(generator: torch.Generator) -> list[Case]:
    def qkv(n: int, m: int, d_k: int, d_v: int, *batch: int, scale: float = 1.0) -> Any:
        return (
            normal(generator, *batch, n, d_k, scale=scale),
            normal(generator, *batch, m, d_k, scale=scale),
            normal(generator, *batch, m, d_v),
        )

    q = torch.tensor([[2.0, 0.0, 0.0, 0.0], [0.0, 2.0, 0.0, 0.0]])
    k = torch.tensor([[1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 0.0], [1.0, 1.0, 0.0, 1.0]])
    v = torch.tensor([[10.0, 0.0], [0.0, 10.0], [5.0, 5.0]])
    hidden = torch.tensor([[True, True, False], [False, True, True]])
    high = (
        torch.tensor([[1.0, 1000.0, 0.0, 0.0], [2.0, 1000.0, 0.0, 0.0]]),
        torch.tensor([[1.0, 2.0, 0.0, 0.0], [2.0, 2.0, 0.0, 0.0], [0.0, 2.0, 0.0, 0.0]]),
    )
    batch_mask = masks.padding_mask(torch.tensor([4, 2]), 4)
    return [
        Case("two queries, three keys, whole numbers, no mask", (q, k, v)),
        Case("the same with a mask: True means may attend", (q, k, v, hidden)),
        Case("3 queries, 5 keys, d_k = 4, d_v = 2", qkv(3, 5, 4, 2)),
        Case("a random mask", (*qkv(4, 5, 3, 6), some_mask(generator, 4, 5))),
        Case("all sizes equal", qkv(4, 4, 4, 4)),
        Case("all sizes equal, causal mask", (*qkv(4, 4, 4, 4), masks.causal_mask(4))),
        Case("every query may attend to one key only", (*qkv(3, 3, 2, 2), torch.eye(3).bool())),
        Case("a batch of 2", qkv(3, 4, 5, 2, 2)),
        Case("a batch of 2 with a mask for each", (*qkv(3, 4, 2, 3, 2), batch_mask)),
        Case(
            "a batch of 2 with 3 heads and one mask for all", (*qkv(4, 4, 2, 5, 2, 3), masks.causal_mask(4))
        ),
        Case("large numbers", qkv(3, 4, 8, 2, scale=20.0)),
        Case("tiny numbers", qkv(3, 4, 8, 2, scale=1e-2)),
        Case("tensors that are not stored row by row", (*map(scattered, qkv(3, 5, 4, 2)),)),
        Case(
            "a batch of 2 with one mask for all, 2 queries, 4 keys",
            (*qkv(2, 4, 3, 2, 2), some_mask(generator, 2, 4)),
        ),
        Case("scores around a thousand", (*high, normal(generator, 3, 2))),
    ]


def _scaled(q: Tensor, k: Tensor) -> Tensor:
    return q @ k.mT / math.sqrt(q.shape[-1])


def _hidden(scores: Tensor, mask: Mask) -> Tensor:
    return scores if mask is None else scores.masked_fill(~mask, -math.inf)


def _attend(scores: Tensor, v: Tensor, mask: Mask) -> Two:
    weights = _hidden(scores, mask).softmax(-1)
    return weights @ v, weights


@exercise.mistake(
    "You do not divide the scores by sqrt(d_k).",
    "Each score is a sum of d_k products. How does the spread of the scores grow with d_k?",
)
def no_scale(q: Tensor, k: Tensor, v: Tensor, mask: Mask = None) -> Two:
    return _attend(q @ k.mT, v, mask)


@exercise.mistake(
    "You divide by d_k, not by its square root, so the weights become too equal.",
    "The variance of the scores is d_k. What is their standard deviation?",
)
def divided_by_d_k(q: Tensor, k: Tensor, v: Tensor, mask: Mask = None) -> Two:
    return _attend(q @ k.mT / q.shape[-1], v, mask)


@exercise.mistake(
    "You divide by the square root of the number of words. But the number under the root has to be d_k, the "
    "width of a query.",
    "Over which dimension does one dot product run: over words, or over the numbers of a word?",
)
def root_of_n(q: Tensor, k: Tensor, v: Tensor, mask: Mask = None) -> Two:
    return _attend(q @ k.mT / math.sqrt(k.shape[-2]), v, mask)


@exercise.mistake(
    "You divide by the square root of d_v. But a score is the dot product of a query and a key, so the "
    "width of the values does not matter.",
    "Which vectors have the width d_k?",
)
def root_of_d_v(q: Tensor, k: Tensor, v: Tensor, mask: Mask = None) -> Two:
    return _attend(q @ k.mT / math.sqrt(v.shape[-1]), v, mask)


@exercise.mistake(
    "You multiply by sqrt(d_k). But the scores need to shrink, not to grow.",
    "Wide keys make large scores. What do large scores do to the weights?",
)
def multiplied(q: Tensor, k: Tensor, v: Tensor, mask: Mask = None) -> Two:
    return _attend(q @ k.mT * math.sqrt(q.shape[-1]), v, mask)


@exercise.mistake(
    "Your softmax runs over the queries, so your columns sum to one. But each query has to divide its own "
    "attention among the keys.",
    "In the score matrix, which dimension counts the keys?",
)
def softmax_over_queries(q: Tensor, k: Tensor, v: Tensor, mask: Mask = None) -> Two:
    weights = _hidden(_scaled(q, k), mask).softmax(-2)
    return weights @ v, weights


@exercise.mistake(
    "You compare the queries with each other, and never use the keys.",
    "With 3 queries and 5 keys, what shape should the scores have?",
)
def queries_with_queries(q: Tensor, k: Tensor, v: Tensor, mask: Mask = None) -> Two:
    return _attend(_scaled(q, q), v, mask)


@exercise.mistake(
    "You scale only after softmax. So softmax gets the unscaled scores, and the rows no longer sum to one.",
    "If softmax gives one key almost all the weight, can a division after softmax make the weights more "
    "equal?",
)
def scaled_too_late(q: Tensor, k: Tensor, v: Tensor, mask: Mask = None) -> Two:
    _, weights = _attend(q @ k.mT, v, mask)
    weights = weights / math.sqrt(q.shape[-1])
    return weights @ v, weights


@exercise.mistake(
    "Your mask is inverted: you hide the keys that a query may attend to. But here True means *may attend*.",
    "`masked_fill(m, ...)` fills where m is True. Where do you want to fill?",
)
def mask_inverted(q: Tensor, k: Tensor, v: Tensor, mask: Mask = None) -> Two:
    return _attend(_scaled(q, k), v, None if mask is None else ~mask)


@exercise.mistake(
    "Your mask is inverted: you put a large negative number where a query may attend. But here True means "
    "*may attend*.",
    "`masked_fill(m, ...)` fills where m is True. Where do you want to fill?",
)
def mask_inverted_by_a_large_number(q: Tensor, k: Tensor, v: Tensor, mask: Mask = None) -> Two:
    scores = _scaled(q, k)
    return _attend(scores if mask is None else scores.masked_fill(mask, -1e9), v, None)


@exercise.mistake(
    "You never use the mask.",
    "What should the weight of a key be where the mask is False?",
)
def mask_ignored(q: Tensor, k: Tensor, v: Tensor, mask: Mask = None) -> Two:
    return _attend(_scaled(q, k), v, None)


@exercise.mistake(
    "You use the mask even when there is none. Then `mask` is None, which is not a tensor.",
    "What should your function do with the scores when `mask` is None?",
)
def mask_always_used(q: Tensor, k: Tensor, v: Tensor, mask: Mask = None) -> Two:
    return _attend(_scaled(q, k).masked_fill(~cast(Tensor, mask), -math.inf), v, None)


@exercise.mistake(
    "You apply the mask after softmax. The hidden weights are zero, but the other weights no longer sum to "
    "one.",
    "If the hidden scores were minus infinity before softmax, what would the other weights sum to?",
)
def mask_after_softmax(q: Tensor, k: Tensor, v: Tensor, mask: Mask = None) -> Two:
    weights = _scaled(q, k).softmax(-1)
    if mask is not None:
        weights = weights * mask
    return weights @ v, weights


@exercise.mistake(
    "Your hidden scores are 0, or very close to 0. But exp(0) is 1, so softmax still gives the hidden keys "
    "some weight.",
    "For which number is the exponential 0?",
)
def mask_with_zero(q: Tensor, k: Tensor, v: Tensor, mask: Mask = None) -> Two:
    scores = _scaled(q, k)
    if mask is not None:
        scores = scores * mask
    return _attend(scores, v, None)


@exercise.mistake(
    "You add the mask to the scores. True counts as 1, so visible keys get a little more weight, but nothing "
    "is hidden.",
    "Which number has to be added to a score so that its exponential becomes 0?",
)
def mask_added(q: Tensor, k: Tensor, v: Tensor, mask: Mask = None) -> Two:
    return _attend(_scaled(q, k) + (0 if mask is None else mask.to(q.dtype)), v, None)


@exercise.mistake(
    "You blend the keys. But once you have the weights, you no longer need the keys.",
    "Which of q, k and v does your function never read?",
)
def keys_blended(q: Tensor, k: Tensor, v: Tensor, mask: Mask = None) -> Two:
    return _attend(_scaled(q, k), k, mask)


@exercise.mistake(
    "Your output is right, but you return the scores with it, not the weights.",
    "What should each row of the second result sum to, and what does your row sum to?",
)
def scores_returned(q: Tensor, k: Tensor, v: Tensor, mask: Mask = None) -> Two:
    scores = _hidden(_scaled(q, k), mask)
    return scores.softmax(-1) @ v, scores


@exercise.mistake(
    "Your output is right, but the weights you return are transposed. Row i should belong to query i.",
    "With 3 queries and 5 keys, what shape should the weights have?",
)
def weights_transposed(q: Tensor, k: Tensor, v: Tensor, mask: Mask = None) -> Two:
    output, weights = _attend(_scaled(q, k), v, mask)
    return output, weights.mT


@exercise.mistake(
    "You return the weights first, and then the output.",
    "In which order does the docstring name the two results?",
)
def results_swapped(q: Tensor, k: Tensor, v: Tensor, mask: Mask = None) -> Two:
    output, weights = _attend(_scaled(q, k), v, mask)
    return weights, output


@exercise.mistake(
    "You return only the output. Return the weights, too.",
    "How does a Python function return two results?",
)
def output_only(q: Tensor, k: Tensor, v: Tensor, mask: Mask = None) -> Tensor:
    return _attend(_scaled(q, k), v, mask)[0]


@exercise.mistake(
    "`.T` works for a single matrix, but on a batch it reverses all dimensions, even the batch dimension.",
    "Which two dimensions of k should be swapped, and which dimension should stay where it is?",
)
def dot_t_on_a_batch(q: Tensor, k: Tensor, v: Tensor, mask: Mask = None) -> Two:
    return _attend(q @ k.T / math.sqrt(q.shape[-1]), v, mask)


@exercise.alternative
def _by_loops(q: Tensor, k: Tensor, v: Tensor, mask: Mask = None) -> Any:
    if q.ndim > 2:
        mask = None if mask is None else mask.expand(*q.shape[:-1], k.shape[-2])
        parts = [_by_loops(q[i], k[i], v[i], None if mask is None else mask[i]) for i in range(len(q))]
        return torch.stack([p[0] for p in parts]), torch.stack([p[1] for p in parts])
    weights = torch.zeros(len(q), len(k))
    for i in range(len(q)):
        seen = [j for j in range(len(k)) if mask is None or mask[i, j]]
        scores = [float(q[i] @ k[j]) / q.shape[1] ** 0.5 for j in seen]
        e = [math.exp(s - max(scores)) for s in scores]
        for j, x in zip(seen, e, strict=True):
            weights[i, j] = x / sum(e)
    return weights @ v, weights


@exercise.alternative
def _by_einsum(q: Tensor, k: Tensor, v: Tensor, mask: Mask = None) -> Two:
    scores = torch.einsum("...id,...jd->...ij", q, k) * q.shape[-1] ** -0.5
    if mask is not None:
        scores = torch.where(mask, scores, torch.tensor(-1e9))
    weights = torch.softmax(scores, dim=-1)
    return torch.einsum("...ij,...jv->...iv", weights, v), weights


@exercise.alternative
def _masked_and_divided(q: Tensor, k: Tensor, v: Tensor, mask: Mask = None) -> Two:
    """After softmax, but the rows are made to sum to one again."""
    scores = (q / math.sqrt(q.size(-1))).matmul(k.transpose(-2, -1))
    e = (scores - scores.amax(-1, keepdim=True)).exp()
    if mask is not None:
        e = e * mask
    e /= e.sum(-1, keepdim=True)
    return e.matmul(v), e


@exercise.alternative
def _by_torch(q: Tensor, k: Tensor, v: Tensor, mask: Mask = None) -> Two:
    one_each = torch.eye(k.shape[-2]).expand(*k.shape[:-1], -1)
    return (
        F.scaled_dot_product_attention(q, k, v, attn_mask=mask),
        F.scaled_dot_product_attention(q, k, one_each, attn_mask=mask),
    )
