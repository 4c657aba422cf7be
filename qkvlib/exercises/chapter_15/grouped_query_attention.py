"""Heads that share keys and values in groups."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from qkvlib import cached
from qkvlib.attention import scaled_dot_product_attention
from qkvlib.exercises.kit.exercise import Case, ExerciseBuilder
from qkvlib.exercises.kit.random_inputs import normal

exercise = ExerciseBuilder(
    points=3,
    builds_on=("scaled_dot_product_attention",),
    hints=(
        "With 6 query heads and 2 key heads, query heads 0, 1 and 2 use the first key head, and query heads "
        "3, 4 and 5 use the second. In general, how many query heads share a key head?",
        "Give every query head its own copy of the keys and values. Then q, k and v have the same number of "
        "heads. `repeat_interleave` repeats a, b as a, a, b, b, and `repeat` as a, b, a, b. Use a negative "
        "`dim`, because there may be batch dimensions.",
        "times = heads of q divided by heads of k; k and v, each head repeated that many times, the copies "
        "next to each other; the attention of q over these copies, only the output",
    ),
)

exercise.reference(cached.grouped_query_attention)


@exercise.cases
def cases(generator: torch.Generator) -> list[Case]:
    def case(h: int, g: int, n: int, m: int, d_k: int, d_v: int, *b: int) -> tuple[Tensor, ...]:
        return (
            normal(generator, *b, h, n, d_k),
            normal(generator, *b, g, m, d_k),
            normal(generator, *b, g, m, d_v),
        )

    counted = (
        torch.zeros(4, 1, 1),
        torch.ones(2, 2, 1),
        torch.tensor([[[2.0], [4.0]], [[10.0], [30.0]]]),
    )
    return [
        Case("queries of 0, so each head gets the mean of the values of its group", counted),
        Case("4 heads, 2 of keys and values", case(4, 2, 3, 5, 2, 4)),
        Case("6 heads, 2 of keys and values", case(6, 2, 2, 4, 3, 2)),
        Case("6 heads, 3 of keys and values", case(6, 3, 3, 4, 4, 2)),
        Case("one head of keys and values for all", case(4, 1, 2, 5, 3, 4)),
        Case("as many heads of keys as of queries", case(3, 3, 4, 2, 2, 5)),
        Case("all sizes equal except the groups", case(4, 2, 4, 4, 4, 4)),
        Case("a single query, as when a model writes", case(8, 2, 1, 6, 4, 4)),
        Case("a batch of 3", case(4, 2, 5, 3, 2, 6, 3)),
    ]


def _repeated(q: Tensor, k: Tensor) -> Tensor:
    return k.repeat_interleave(q.shape[-3] // k.shape[-3], dim=-3)


def _dealt(q: Tensor, k: Tensor) -> Tensor:
    """The first keys for head 0, the second for head 1, and then from the start again."""
    return torch.cat([k] * (q.shape[-3] // k.shape[-3]), dim=-3)


@exercise.mistake(
    "You assign the heads to the groups in turn: a, b, a, b. But neighbouring heads share a group: "
    "a, a, b, b.",
    "What is the difference between `repeat` and `repeat_interleave`?",
)
def dealt_in_turn(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return scaled_dot_product_attention(q, _dealt(q, k), _dealt(q, v))[0]


@exercise.mistake(
    "Neighbouring heads share keys, but you assign the values in turn, so a head uses the keys of one group "
    "and the values of another.",
    "With 6 heads and 2 groups, which values does head 1 use in your program?",
)
def values_dealt_in_turn(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return scaled_dot_product_attention(q, _repeated(q, k), _dealt(q, v))[0]


@exercise.mistake(
    "All heads look at the first group's keys and values. But each group has its own keys and values.",
    "What do you do with the second head of k?",
)
def first_for_all(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    first_k, first_v = (one[..., :1, :, :].expand(*q.shape[:-2], -1, -1) for one in (k, v))
    return scaled_dot_product_attention(q, first_k, first_v)[0]


@exercise.mistake(
    "`repeat` assigns the groups in turn: a, b, a, b. But neighbouring heads share a group: a, a, b, b. "
    "With a batch, your `repeat` also has too few numbers, because k then has one more dimension.",
    "With 6 heads and 2 groups, which keys does head 1 use?",
)
def repeated_in_turn(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    times = q.shape[-3] // k.shape[-3]
    k, v = k.repeat(times, 1, 1), v.repeat(times, 1, 1)
    return scaled_dot_product_attention(q, k, v)[0]


@exercise.mistake(
    "You repeat dimension 0. Without a batch, that dimension counts the heads; with a batch, it counts the "
    "texts.",
    "Counted from the end, which dimension counts the heads?",
)
def first_dimension_repeated(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    times = q.shape[-3] // k.shape[-3]
    k, v = k.repeat_interleave(times, dim=0), v.repeat_interleave(times, dim=0)
    return scaled_dot_product_attention(q, k, v)[0]


@exercise.mistake(
    "You average keys and values over the groups, and give all heads the same average.",
    "With two groups, how many different keys does a token have?",
)
def groups_averaged(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    mean_k, mean_v = (one.mean(-3, keepdim=True).expand(*q.shape[:-2], -1, -1) for one in (k, v))
    return scaled_dot_product_attention(q, mean_k, mean_v)[0]


@exercise.mistake(
    "You average the queries of a group. Then all heads of the group look at the same thing, and one head "
    "would be enough.",
    "The heads of a group share keys and values. What is left that can differ between these heads?",
)
def queries_averaged(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    h, g = q.shape[-3], k.shape[-3]
    grouped = q.reshape(*q.shape[:-3], g, h // g, *q.shape[-2:]).mean(-3)
    return _repeated(q, scaled_dot_product_attention(grouped, k, v)[0])


@exercise.mistake(
    "You leave heads out: your output has only as many heads as k. But every query head has an output.",
    "How many heads does q have, and how many does your output have?",
)
def one_head_for_each_group(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return scaled_dot_product_attention(q[..., :: q.shape[-3] // k.shape[-3], :, :], k, v)[0]


@exercise.mistake(
    "You do not divide the scores by sqrt(d_k).",
    "How does the standard deviation of a score grow with d_k?",
)
def no_scale(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return (q @ _repeated(q, k).mT).softmax(-1) @ _repeated(q, v)


@exercise.mistake(
    "Your softmax runs over the queries, so your columns sum to one.",
    "Which weights should sum to one: the weights that a query gives, or the weights that a key gets?",
)
def over_queries(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    scores = q @ _repeated(q, k).mT / math.sqrt(q.shape[-1])
    return scores.softmax(-2) @ _repeated(q, v)


@exercise.mistake(
    "You return the weights as well. Return only the output.",
    "Which of your two results has a column for each key?",
)
def weights_too(q: Tensor, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
    return scaled_dot_product_attention(q, _repeated(q, k), _repeated(q, v))


@exercise.mistake(
    "Your q has more heads than your k. Each query head needs its own copy of its group's keys.",
    "When you compute the scores, how many heads does q have, and how many does k have?",
)
def keys_not_repeated(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return scaled_dot_product_attention(q, k, v)[0]


@exercise.mistake(
    "You copy the keys for each query head, but not the values, so v has fewer heads than k.",
    "Each head of a group blends the group's values. How many heads must v have for that?",
)
def values_not_repeated(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return scaled_dot_product_attention(q, _repeated(q, k), v)[0]


@exercise.mistake(
    "You multiply two tensors with different numbers of heads: q, and k or v. Repeat both k and v "
    "along the dimension of the heads.",
    "How many heads do q, k and v have when you multiply them?",
)
def as_many_heads_as_before(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1) @ v


@exercise.mistake(
    "Your groups have the wrong size, because you divide a head's index by the number of groups. Divide the "
    "index by the number of heads in a group.",
    "With 6 heads and 2 groups, which heads look at the first keys?",
)
def number_of_groups_for_their_size(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    h, g = q.shape[-3], k.shape[-3]
    own = torch.arange(h).div(g, rounding_mode="floor").clamp(max=g - 1)
    return scaled_dot_product_attention(q, k[..., own, :, :], v[..., own, :, :])[0]


@exercise.mistake(
    "You join the heads. Return the output of each head: [..., h, n, d_v].",
    "How many dimensions does q have, and how many does your result have?",
)
def heads_joined(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    output, _ = scaled_dot_product_attention(q, _repeated(q, k), _repeated(q, v))
    return output.transpose(-3, -2).flatten(-2)


@exercise.mistake(
    "Your result has one dimension too many: groups, and heads within a group. Put the heads of all "
    "groups in one dimension, as in q.",
    "Which two dimensions does `.flatten(-4, -3)` join?",
)
def left_in_groups(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    grouped = cached.grouped_query_attention(q, k, v)
    return grouped.unflatten(-3, (k.shape[-3], -1))


@exercise.mistake(
    "Your result is right only without a batch. You stack the heads along the first dimension, but they "
    "belong in the third dimension from the end.",
    "Which dimension of q counts the heads, when a batch comes before it?",
)
def stacked_in_front(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return torch.stack(cached.grouped_query_attention(q, k, v).unbind(-3))


@exercise.alternative
def _grouped_by_loop(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    share = q.shape[-3] // k.shape[-3]
    heads = []
    for i in range(q.shape[-3]):
        own, group = q[..., i, :, :], i // share
        scores = own @ k[..., group, :, :].mT / math.sqrt(own.shape[-1])
        heads.append(torch.softmax(scores, dim=-1) @ v[..., group, :, :])
    return torch.stack(heads, dim=-3)


@exercise.alternative
def _grouped_by_more_rows(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """To a group's keys, the queries of all its heads are rows of one matrix: nothing is copied."""
    *b, _, _, d_k = q.shape
    rows = q.reshape(*b, k.shape[-3], -1, d_k)
    output = torch.softmax(rows @ k.mT * d_k**-0.5, dim=-1) @ v
    return output.reshape(*q.shape[:-1], v.shape[-1])


@exercise.alternative
def _grouped_by_einsum(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    pieces = q.unflatten(-3, (k.size(-3), -1))
    weights = torch.einsum("...gind,...gmd->...ginm", pieces, k).div(q.size(-1) ** 0.5).softmax(-1)
    return torch.einsum("...ginm,...gmd->...gind", weights, v).flatten(-4, -3)
