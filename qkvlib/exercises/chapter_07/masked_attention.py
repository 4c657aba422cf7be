"""Attention that sees neither the future nor the padding."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812 (torch's own name for it)

from qkvlib.attention import scaled_dot_product_attention
from qkvlib.exercises.kit.exercise import Case, ExerciseBuilder
from qkvlib.exercises.kit.random_inputs import normal
from qkvlib.masks import causal_mask, combine_masks, padding_mask

exercise = ExerciseBuilder(
    points=2,
    builds_on=("causal_mask", "padding_mask", "scaled_dot_product_attention"),
    returns=("output", "weights"),
    hints=(
        "There are two masks, and a word may be seen only where both masks allow it.",
        "`&` combines boolean masks and broadcasts [n, n] with [b, 1, n]. Also think of a sentence of length "
        "0: what does softmax do to a row of minus infinities?",
        "mask = causal and padding; attention with that mask; weights 0 where a row is empty",
    ),
)

Two = tuple[Tensor, Tensor]


@exercise.reference
def masked_attention(q: Tensor, k: Tensor, v: Tensor, lengths: Tensor) -> Two:
    """Attention in a decoder: no word sees a later word, or the padding.

    q, k are [b n d_k], v is [b n d_v], and lengths [b] says how many words each sentence has. A
    word that may see nobody, in a sentence of length 0, gets weights 0 and the output 0.
    """
    n = q.shape[-2]
    mask = combine_masks(causal_mask(n), padding_mask(lengths, n))
    return scaled_dot_product_attention(q, k, v, mask)


@exercise.cases
def cases(generator: torch.Generator) -> list[Case]:
    def case(n: int, d_k: int, d_v: int, *lengths: int) -> tuple[Any, ...]:
        b = len(lengths)
        q, k = normal(generator, b, n, d_k), normal(generator, b, n, d_k)
        return q, k, normal(generator, b, n, d_v), torch.tensor(lengths)

    return [
        Case("one sentence of 2 words and one position of padding", case(3, 2, 2, 2)),
        Case("2 sentences, one shorter", case(4, 3, 5, 4, 2)),
        Case("as many sentences as positions as numbers", case(3, 3, 3, 3, 1, 2)),
        Case("no padding at all", case(4, 2, 3, 4, 4)),
        Case("a sentence of one word", case(5, 4, 2, 1, 5)),
        Case("a sentence of length 0: nothing to attend to", case(4, 3, 2, 0, 3)),
        Case("6 sentences", case(6, 4, 4, 6, 5, 4, 3, 2, 1)),
    ]


def _allowed(lengths: Tensor, n: int) -> Tensor:
    return causal_mask(n) & padding_mask(lengths, n)


@exercise.mistake(
    "You hide later words, but the padding is still visible.",
    "Where does your function use `lengths`?",
)
def causal_only(q: Tensor, k: Tensor, v: Tensor, lengths: Tensor) -> Two:
    return scaled_dot_product_attention(q, k, v, causal_mask(q.shape[-2]))


@exercise.mistake(
    "You hide the padding, but words still see later words.",
    "Which mask keeps word 0 from seeing word 1?",
)
def padding_only(q: Tensor, k: Tensor, v: Tensor, lengths: Tensor) -> Two:
    return scaled_dot_product_attention(q, k, v, padding_mask(lengths, q.shape[-2]))


@exercise.mistake(
    "You combine the two masks with *or*: a key is visible if either mask allows it. But both masks have to "
    "allow it.",
    "If a later word is not padding, which of the two masks hides it?",
)
def joined_with_or(q: Tensor, k: Tensor, v: Tensor, lengths: Tensor) -> Two:
    n = q.shape[-2]
    return scaled_dot_product_attention(q, k, v, causal_mask(n) | padding_mask(lengths, n))


@exercise.mistake(
    "A word that has nothing to attend to gets NaN, because softmax of only minus infinity divides 0 by 0. "
    "In training, one NaN spoils every parameter.",
    "What should the weights of such a word be, so that its output is 0?",
)
def nan_in_empty_rows(q: Tensor, k: Tensor, v: Tensor, lengths: Tensor) -> Two:
    scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~_allowed(lengths, q.shape[-2]), -math.inf)
    weights = scores.softmax(-1)
    return weights @ v, weights


@exercise.mistake(
    "A word that has nothing to attend to spreads its weight evenly over everything, even the padding. A "
    "large negative number instead of minus infinity makes all scores of this word equal.",
    "What should the weights of such a word be, so that its output is 0?",
)
def even_in_empty_rows(q: Tensor, k: Tensor, v: Tensor, lengths: Tensor) -> Two:
    scores = torch.where(
        _allowed(lengths, q.shape[-2]), q @ k.mT / math.sqrt(q.shape[-1]), torch.tensor(-1e9)
    )
    weights = scores.softmax(-1)
    return weights @ v, weights


@exercise.mistake(
    "You hide the padding as queries, so the rows of the padding are empty. Hide the padding only as keys, "
    "so that no word attends to it.",
    "`padding_mask` returns the shape [b, 1, n]. Which of these dimensions counts the keys?",
)
def padding_hidden_as_queries(q: Tensor, k: Tensor, v: Tensor, lengths: Tensor) -> Two:
    n = q.shape[-2]
    return scaled_dot_product_attention(q, k, v, causal_mask(n) & padding_mask(lengths, n).mT)


@exercise.mistake(
    "You apply the mask after softmax. The hidden weights are zero, but the other weights no longer sum to "
    "one, because the hidden words were in the sum.",
    "If the hidden scores were minus infinity before softmax, what would the other weights sum to?",
)
def mask_after_softmax(q: Tensor, k: Tensor, v: Tensor, lengths: Tensor) -> Two:
    _, weights = scaled_dot_product_attention(q, k, v)
    weights = weights * _allowed(lengths, q.shape[-2])
    return weights @ v, weights


@exercise.mistake(
    "Your mask is upside down: words see later words.",
    "Row i is the word that looks. May word 0 look at word 2?",
)
def sees_the_future(q: Tensor, k: Tensor, v: Tensor, lengths: Tensor) -> Two:
    n = q.shape[-2]
    return scaled_dot_product_attention(q, k, v, causal_mask(n).T & padding_mask(lengths, n))


@exercise.mistake(
    "Your mask is inverted: you show what should be hidden.",
    "Here True means *may attend*. What does your mask say about a word looking at itself?",
)
def mask_inverted(q: Tensor, k: Tensor, v: Tensor, lengths: Tensor) -> Two:
    return scaled_dot_product_attention(q, k, v, ~_allowed(lengths, q.shape[-2]))


@exercise.alternative
def _cleaned_afterwards(q: Tensor, k: Tensor, v: Tensor, lengths: Tensor) -> Two:
    _, weights = nan_in_empty_rows.program(q, k, v, lengths)
    weights = weights.nan_to_num(0.0)
    return weights @ v, weights


@exercise.alternative
def _by_loops(q: Tensor, k: Tensor, v: Tensor, lengths: Tensor) -> Any:
    b, n, d = q.shape
    weights = torch.zeros(b, n, n)
    for s in range(b):
        for i in range(n):
            seen = min(i + 1, int(lengths[s]))
            if seen:
                weights[s, i, :seen] = torch.softmax(k[s, :seen] @ q[s, i] / d**0.5, dim=0)
    return torch.bmm(weights, v), weights


@exercise.alternative
def _by_torch(q: Tensor, k: Tensor, v: Tensor, lengths: Tensor) -> Two:
    n = q.shape[1]
    places = torch.arange(n)
    mask = (places <= places[:, None]) & (places < lengths[:, None, None])
    mask = mask & mask.any(-1, keepdim=True)
    scores = torch.einsum("bid,bjd->bij", q, k) / q.shape[2] ** 0.5
    weights = F.softmax(scores.masked_fill(~mask, -1e30), dim=-1) * mask
    return weights @ v, weights
