"""Silence a head."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from qkvlib import multi_head as many
from qkvlib.attention import scaled_dot_product_attention
from qkvlib.exercises.kit.exercise import Case, ExerciseBuilder
from qkvlib.exercises.kit.random_inputs import normal

exercise = ExerciseBuilder(
    points=2,
    builds_on=("multi_head_attention", "head_contributions"),
    hints=(
        "The output is a sum with one term per head. One of these terms should be zero.",
        "A head is silent when its values, or its rows of w_o, are zero.",
        "compute all heads; set the given head to zero; merge the heads; multiply by w_o",
    ),
)


@exercise.reference
def ablate_head(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, n_heads: int, head: int
) -> Tensor:
    """The output of multi-head attention when one head says nothing. x is [b n d]."""
    heads = _heads(x, w_q, w_k, w_v, n_heads)
    heads[:, head] = 0
    return many.merge_heads(heads) @ w_o


def _heads(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, n_heads: int) -> Tensor:
    q, k, v = (many.split_heads(x @ w, n_heads) for w in (w_q, w_k, w_v))
    return scaled_dot_product_attention(q, k, v)[0]


@exercise.cases
def cases(generator: torch.Generator) -> list[Case]:
    def layer(b: int, n: int, d: int, h: int, d_k: int, head: int, wider: int = 0) -> tuple[Any, ...]:
        d_v = d_k + wider
        weights = (normal(generator, d, h * width) for width in (d_k, d_k, d_v))
        return (normal(generator, b, n, d), *weights, normal(generator, h * d_v, d), h, head)

    return [
        Case("2 heads, head 0 is silent", layer(1, 2, 2, 2, 1, 0)),
        Case("2 heads, head 1 is silent", layer(2, 3, 4, 2, 2, 1)),
        Case("the middle one of 3 heads", layer(1, 3, 6, 3, 3, 1)),
        Case("the last one of 4 heads", layer(2, 4, 8, 4, 2, 3)),
        Case("a single head: nothing is left", layer(1, 3, 3, 1, 3, 0)),
        Case("the third one of 4 heads of one number", layer(1, 5, 4, 4, 1, 2)),
        Case("values wider than keys", layer(1, 3, 4, 2, 2, 1, wider=1)),
    ]


def _slice(w: Tensor, n_heads: int, head: int) -> slice:
    """The rows of w that belong to this head."""
    own = len(w) // n_heads
    return slice(head * own, (head + 1) * own)


@exercise.mistake(
    "Zeros in the head's columns of w_q or w_k do not silence this head, because it still returns a blend of "
    "its values.",
    "If all scores of a row are 0, what are the weights of this row?",
)
def queries_zeroed(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, n_heads: int, head: int
) -> Tensor:
    w_q = w_q.clone()
    w_q[:, _slice(w_q.T, n_heads, head)] = 0
    return many.multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads)[0]


@exercise.mistake(
    "You keep the head that should be silent, and silence all the other heads.",
    "After ablating 1 of 4 heads, how many heads still contribute?",
)
def others_silenced(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, n_heads: int, head: int
) -> Tensor:
    heads = _heads(x, w_q, w_k, w_v, n_heads)
    return many.head_contributions(heads, w_o)[:, head]


@exercise.mistake(
    "You silence the head, but then you make the other heads larger to replace it. An ablation leaves the "
    "other heads as they are.",
    "How should the other heads' contributions compare with their contributions before the ablation?",
)
def others_stretched(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, n_heads: int, head: int
) -> Tensor:
    output = ablate_head(x, w_q, w_k, w_v, w_o, n_heads, head)
    return output * n_heads / max(n_heads - 1, 1)


@exercise.mistake(
    "You silence the head before the given head, because you count heads from 1. Python counts from 0.",
    "Which head does your program silence when `head` is 0?",
)
def counted_from_one(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, n_heads: int, head: int
) -> Tensor:
    return ablate_head(x, w_q, w_k, w_v, w_o, n_heads, head - 1)


@exercise.mistake(
    "You silence no head. Your result is the output of the whole layer.",
    "Where does your function use `head`?",
)
def nothing_silenced(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, n_heads: int, head: int
) -> Tensor:
    return many.multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads)[0]


@exercise.mistake(
    "You set every h-th row of w_o, or every h-th number of the merged heads, to zero. But the numbers of a "
    "head are next to each other.",
    "With 3 heads of 2 numbers, which of the 6 numbers of a merged row belong to head 1?",
)
def every_hth_row(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, n_heads: int, head: int
) -> Tensor:
    w_o = w_o.clone()
    w_o[head::n_heads] = 0
    return many.multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads)[0]


@exercise.mistake(
    "You set columns of w_o to zero. That makes columns of the output zero, but silences no head.",
    "In a product a @ w, is column 0 of a multiplied by row 0 of w, or by column 0 of w?",
)
def columns_of_w_o(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, n_heads: int, head: int
) -> Tensor:
    w_o = w_o.clone()
    w_o[:, _slice(w_o, n_heads, head)] = 0
    return many.multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads)[0]


@exercise.mistake(
    "The result is right, but you wrote zeros into the caller's weights, so the head stays silent in every "
    "later call.",
    "How do you make a copy of a matrix before you write into it?",
)
def silenced_for_good(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, n_heads: int, head: int
) -> Tensor:
    w_o[_slice(w_o, n_heads, head)] = 0
    return many.multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads)[0]


@exercise.mistake(
    "The head is silent, but you return the joined heads, without multiplying them by w_o.",
    "What does w_o do with the numbers of different heads?",
)
def without_w_o(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, n_heads: int, head: int
) -> Tensor:
    heads = _heads(x, w_q, w_k, w_v, n_heads)
    heads[:, head] = 0
    return many.merge_heads(heads)


@exercise.mistake(
    "You silence only one number of the head: one row of w_o, or one column of w_v. But each number of the "
    "head has its own row and column.",
    "Which rows of w_o belong to head 1, when each head has 3 numbers?",
)
def one_row_only(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, n_heads: int, head: int
) -> Tensor:
    w_o = w_o.clone()
    w_o[head] = 0
    return many.multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads)[0]


@exercise.mistake(
    "You replace the head with the average of all heads. But a silent head contributes nothing.",
    "Which numbers must a head contain, so that it adds nothing to the output?",
)
def averaged_for_silent(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, n_heads: int, head: int
) -> Tensor:
    heads = _heads(x, w_q, w_k, w_v, n_heads)
    heads[:, head] = heads.mean(1)
    return many.merge_heads(heads) @ w_o


@exercise.mistake(
    "You silence a whole sentence of the batch, not a head.",
    "In [b, h, n, d_v], which dimension counts the heads, and which dimension counts the sentences?",
)
def sentence_for_head(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, n_heads: int, head: int
) -> Tensor:
    heads = _heads(x, w_q, w_k, w_v, n_heads)
    heads[head] = 0
    return many.merge_heads(heads) @ w_o


@exercise.mistake(
    "You silence a word in all heads, not a whole head.",
    "In [b, h, n, d_v], which dimension counts the heads, and which dimension counts the words?",
)
def word_for_head(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, n_heads: int, head: int
) -> Tensor:
    heads = _heads(x, w_q, w_k, w_v, n_heads)
    heads[:, :, head] = 0
    return many.merge_heads(heads) @ w_o


@exercise.mistake(
    "You silence the head before the given head, and for head 0 you silence nothing, because you count "
    "heads from 1. Python counts from 0.",
    "Which rows of w_o belong to head 0?",
)
def slices_counted_from_one(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, n_heads: int, head: int
) -> Tensor:
    w_o = w_o.clone()
    own = len(w_o) // n_heads
    w_o[(head - 1) * own : head * own] = 0
    return many.multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads)[0]


@exercise.alternative
def _ablate_in_w_o(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, n_heads: int, head: int
) -> Tensor:
    w_o = w_o.clone()
    w_o[_slice(w_o, n_heads, head)] = 0
    return many.multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads)[0]


@exercise.alternative
def _ablate_in_w_v(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, n_heads: int, head: int
) -> Tensor:
    keep = torch.ones(w_v.shape[1])
    keep[_slice(w_o, n_heads, head)] = 0
    return many.multi_head_attention(x, w_q, w_k, w_v * keep, w_o, n_heads)[0]


@exercise.alternative
def _ablate_by_subtraction(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, n_heads: int, head: int
) -> Tensor:
    said = many.head_contributions(_heads(x, w_q, w_k, w_v, n_heads), w_o)
    return said.sum(1) - said[:, head]
