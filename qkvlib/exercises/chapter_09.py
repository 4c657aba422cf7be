"""Chapter 9, Why heads differ: silence a head, and ask what each looks at."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from qkvlib import heads as many
from qkvlib.attention import scaled_dot_product_attention
from qkvlib.exercises.drawing import attending, normal
from qkvlib.exercises.exercise import Case, Exercise, mistake

# --- ablate_head ----------------------------------------------------------------------------


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


def _ablate_cases(generator: torch.Generator) -> list[Case]:
    def layer(
        b: int, n: int, d: int, h: int, d_k: int, head: int, wider: int = 0
    ) -> tuple[Any, ...]:
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


@mistake(
    "You set the head's columns of w_q to zero. That does not silence it: all its scores are then "
    "equal, and it hands out an average.",
    "What are the weights of a row of scores that are all zero?",
)
def queries_zeroed(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor,
                   n_heads: int, head: int) -> Tensor:  # fmt: skip
    w_q = w_q.clone()
    w_q[:, _slice(w_q.T, n_heads, head)] = 0
    return many.multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads)[0]


@mistake(
    "You silence all the other heads and keep this one.",
    "After ablating 1 of 4 heads, how many still speak?",
)
def others_silenced(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor,
                    n_heads: int, head: int) -> Tensor:  # fmt: skip
    heads = _heads(x, w_q, w_k, w_v, n_heads)
    return many.head_contributions(heads, w_o)[:, head]


@mistake(
    "You take the head out and stretch the others to make up for it. An ablation takes out and "
    "leaves all else alone.",
    "What should the other heads' contributions be, compared with before?",
)
def others_stretched(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor,
                     n_heads: int, head: int) -> Tensor:  # fmt: skip
    output = ablate_head(x, w_q, w_k, w_v, w_o, n_heads, head)
    return output * n_heads / max(n_heads - 1, 1)


@mistake(
    "You silence the head before: you count heads from 1. Python counts from 0.",
    "Which head is number 0?",
)
def counted_from_one(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor,
                     n_heads: int, head: int) -> Tensor:  # fmt: skip
    return ablate_head(x, w_q, w_k, w_v, w_o, n_heads, head - 1)


@mistake(
    "Nothing is silent: this is the whole layer's output.",
    "Where does your function use `head`?",
)
def nothing_silenced(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor,
                     n_heads: int, head: int) -> Tensor:  # fmt: skip
    return many.multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads)[0]


@mistake(
    "You set rows of w_o to zero, but not the head's own: its rows are neighbours, d_k of them, "
    "and you take every h-th.",
    "In which order does `merge_heads` lay the heads' numbers side by side?",
)
def every_hth_row(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor,
                  n_heads: int, head: int) -> Tensor:  # fmt: skip
    w_o = w_o.clone()
    w_o[head::n_heads] = 0
    return many.multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads)[0]


@mistake(
    "You set columns of w_o to zero. They are features of the output; a head's numbers meet rows.",
    "In a product a @ w, do the columns of a meet the rows or the columns of w?",
)
def columns_of_w_o(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor,
                   n_heads: int, head: int) -> Tensor:  # fmt: skip
    w_o = w_o.clone()
    w_o[:, _slice(w_o, n_heads, head)] = 0
    return many.multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads)[0]


@mistake(
    "The result is right, but you wrote zeros into the weights of the caller. The head is gone "
    "for good.",
    "How do you make a copy of w_o before you write into it?",
)
def silenced_for_good(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor,
                      n_heads: int, head: int) -> Tensor:  # fmt: skip
    w_o[_slice(w_o, n_heads, head)] = 0
    return many.multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads)[0]


def _ablate_in_w_o(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor,
                   n_heads: int, head: int) -> Tensor:  # fmt: skip
    w_o = w_o.clone()
    w_o[_slice(w_o, n_heads, head)] = 0
    return many.multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads)[0]


def _ablate_in_w_v(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor,
                   n_heads: int, head: int) -> Tensor:  # fmt: skip
    keep = torch.ones(w_v.shape[1])
    keep[_slice(w_o, n_heads, head)] = 0
    return many.multi_head_attention(x, w_q, w_k, w_v * keep, w_o, n_heads)[0]


def _ablate_by_subtraction(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor,
                           n_heads: int, head: int) -> Tensor:  # fmt: skip
    said = many.head_contributions(_heads(x, w_q, w_k, w_v, n_heads), w_o)
    return said.sum(1) - said[:, head]


ABLATE_HEAD = Exercise(
    chapter=9,
    points=2,
    reference=ablate_head,
    cases=_ablate_cases,
    mistakes=(
        queries_zeroed,
        others_silenced,
        others_stretched,
        counted_from_one,
        nothing_silenced,
        every_hth_row,
        columns_of_w_o,
        silenced_for_good,
    ),
    alternatives=(_ablate_in_w_o, _ablate_in_w_v, _ablate_by_subtraction),
    hints=(
        "The output is a sum of what each head says. One of them shall say nothing.",
        "A head is silent when its values are zero, or its rows of w_o.",
        "compute all heads; set the one to zero; merge; multiply with w_o",
    ),
    builds_on=("multi_head_attention", "head_contributions"),
)

# --- head_scores ----------------------------------------------------------------------------


def head_scores(weights: Tensor, targets: Tensor) -> Tensor:
    """How much of its attention each head puts where `targets` points, on average over the words.

    weights [h n m], targets [n]: the place that each word should look at, -1 where there is none;
    those words are left out. One number a head, between 0 and 1.
    """
    asked = targets >= 0
    there = weights[:, asked, :].gather(-1, targets[asked].expand(len(weights), -1)[..., None])
    return there[..., 0].mean(-1)


def _score_cases(generator: torch.Generator) -> list[Case]:
    def case(h: int, n: int, m: int, missing: int) -> tuple[Tensor, Tensor]:
        targets = torch.randint(m, (n,), generator=generator)
        targets[torch.randperm(n, generator=generator)[:missing]] = -1
        return attending(generator, h, n, m), targets

    weights = torch.tensor([[[1.0, 0.0], [0.5, 0.5]], [[0.25, 0.75], [0.0, 1.0]]])
    previous = torch.tensor([-1, 0, 1, 2])
    return [
        Case("2 heads, 2 words", (weights, torch.tensor([0, 1]))),
        Case("each word should look at the one before; the first has none",
             (attending(generator, 3, 4, 4), previous)),
        Case("3 heads, 5 words, all asked", case(3, 5, 4, 0)),
        Case("4 heads, 4 words, one not asked", case(4, 4, 4, 1)),
        Case("6 words, three not asked", case(2, 6, 5, 3)),
        Case("a single head", case(1, 3, 5, 1)),
        Case("8 heads", case(8, 7, 7, 2)),
    ]  # fmt: skip


def _there(weights: Tensor, targets: Tensor) -> Tensor:
    return weights[:, torch.arange(len(targets)), targets]


@mistake(
    "You count the words that have no target: -1 is taken for the last place, as "
    "Python counts. Leave these words out.",
    "What does `row[-1]` give in Python?",
)
def minus_one_is_last(weights: Tensor, targets: Tensor) -> Tensor:
    return _there(weights, targets).mean(-1)


@mistake(
    "A word without a target counts as a miss. It should not count at all.",
    "Over how many words do you average, and how many have a target?",
)
def counted_as_misses(weights: Tensor, targets: Tensor) -> Tensor:
    return (_there(weights, targets) * (targets >= 0)).mean(-1)


@mistake(
    "You add the weights up. The exercise wants their average, a number between 0 and 1.",
    "If a head is right in all of 5 words, what should its score be?",
)
def summed(weights: Tensor, targets: Tensor) -> Tensor:
    return (_there(weights, targets) * (targets >= 0)).sum(-1)


@mistake(
    "You count how often the largest weight is at the target. Here the weight itself is wanted, "
    "so that a head that is nearly right gets nearly as much.",
    "What should a head get that always puts 0.4 on the target and 0.6 elsewhere?",
)
def hits_counted(weights: Tensor, targets: Tensor) -> Tensor:
    asked = targets >= 0
    return (weights.argmax(-1)[:, asked] == targets[asked]).float().mean(-1)


@mistake(
    "You average over the heads. Each head gets a score of its own.",
    "With 3 heads, how many scores are there?",
)
def heads_averaged(weights: Tensor, targets: Tensor) -> Tensor:
    return head_scores(weights, targets).mean()


@mistake(
    "You take the largest weight of each word, wherever it is. What counts is the weight at the "
    "target.",
    "Where do you use `targets` to choose a column?",
)
def largest_weight(weights: Tensor, targets: Tensor) -> Tensor:
    return weights[:, targets >= 0].amax(-1).mean(-1)


@mistake(
    "You average over the heads and keep the words apart. It is the other way round.",
    "Which of the two should be left at the end: one number a head, or one a word?",
)
def words_kept(weights: Tensor, targets: Tensor) -> Tensor:
    return _there(weights, targets)[:, targets >= 0].mean(0)


def _scores_by_loops(weights: Tensor, targets: Tensor) -> Tensor:
    scores = []
    for head in weights:
        found = [float(head[i, t]) for i, t in enumerate(targets.tolist()) if t >= 0]
        scores.append(sum(found) / len(found))
    return torch.tensor(scores)


def _scores_by_one_hot(weights: Tensor, targets: Tensor) -> Tensor:
    wanted = (targets[:, None] == torch.arange(weights.shape[-1])).float()
    return torch.einsum("hnm,nm->h", weights, wanted) / wanted.sum()


def _scores_by_index(weights: Tensor, targets: Tensor) -> Tensor:
    rows = (targets >= 0).nonzero()[:, 0]
    return weights[:, rows, targets[rows]].sum(dim=1) / len(rows)


HEAD_SCORES = Exercise(
    chapter=9,
    points=2,
    reference=head_scores,
    cases=_score_cases,
    mistakes=(
        minus_one_is_last,
        counted_as_misses,
        summed,
        hits_counted,
        heads_averaged,
        largest_weight,
        words_kept,
    ),
    alternatives=(_scores_by_loops, _scores_by_one_hot, _scores_by_index),
    hints=(
        "For each word read one number of its row: the one at its target.",
        "`targets >= 0` says which words are asked. `weights[:, rows, columns]` reads one number "
        "for each pair of a row and a column.",
        "for each head: the weights at [word, target] of all words that have one; their mean",
    ),
)

EXERCISES = (ABLATE_HEAD, HEAD_SCORES)
