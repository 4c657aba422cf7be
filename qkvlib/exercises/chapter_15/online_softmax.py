"""One more block of scores and values, added to a softmax that is in progress."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from qkvlib import cached
from qkvlib.exercises.kit.exercise import Case, ExerciseBuilder
from qkvlib.exercises.kit.random_inputs import normal

exercise = ExerciseBuilder(
    points=3,
    needed_later=("float64",),
    builds_on=("softmax",),
    returns=("largest", "total", "blend"),
    hints=(
        "First find the new maximum: either the old maximum, or a score of this block. The earlier sums "
        "contain exp(score - old maximum). By which factor does each of these exponentials change when the "
        "new maximum replaces the old one?",
        "exp(s - new) = exp(s - old) times exp(old - new). The same factor corrects everything "
        "in total and in blend.",
        "new = the larger of largest and the block's maximum; shrink = exp(largest - new); e = exp(scores - "
        "new); total times shrink plus the sum of e; blend times shrink plus e times v",
    ),
)

exercise.reference(cached.online_softmax)

Three = tuple[Tensor, Tensor, Tensor]


@exercise.cases
def cases(generator: torch.Generator) -> list[Case]:
    def scores(n: int, block: int, around: float = 0.0) -> Tensor:
        return around + normal(generator, n, block, scale=2.0)

    def values(block: int, d_v: int) -> Tensor:
        return normal(generator, block, d_v)

    def start(n: int, d_v: int) -> Three:
        return torch.full((n, 1), -math.inf), torch.zeros(n, 1), torch.zeros(n, d_v)

    def under_way(n: int, d_v: int, around: float = 0.0) -> Three:
        """The state after three blocks of two scores."""
        state = start(n, d_v)
        for _ in range(3):
            state = cached.online_softmax(scores(n, 2, around), values(2, d_v), *state)
        return state

    counted = (
        torch.tensor([[0.0, 0.0]]),
        torch.tensor([[1.0], [2.0]]),
        torch.tensor([[0.0]]),
        torch.tensor([[3.0]]),
        torch.tensor([[12.0]]),
    )
    return [
        Case("all scores are 0, so every exponential is 1", counted),
        Case("the first block", (scores(2, 3), values(3, 2), *start(2, 2))),
        Case(
            "a block in which every score is larger than before",
            (scores(2, 3, 8.0), values(3, 4), *under_way(2, 4)),
        ),
        Case("a block in which every score is smaller", (scores(2, 3, -8.0), values(3, 4), *under_way(2, 4))),
        Case("some larger, some smaller", (scores(5, 2), values(2, 3), *under_way(5, 3))),
        Case("a block of a single score", (scores(3, 1), values(1, 4), *under_way(3, 4))),
        Case("as many queries as scores as values are wide", (scores(3, 3), values(3, 3), *under_way(3, 3))),
        Case("numbers around a thousand", (scores(2, 4, 1000.0), values(4, 3), *under_way(2, 3, 1000.0))),
        Case(
            "one row far above the other",
            (scores(2, 3) + torch.tensor([[200.0], [-200.0]]), values(3, 2), *start(2, 2)),
        ),
        Case(
            "numbers of float64",
            tuple(part.double() for part in (scores(2, 3), values(3, 2), *under_way(2, 2))),
        ),
    ]


def _parts(scores: Tensor, largest: Tensor) -> Three:
    """The new largest, the factor for what was before, and the block's exponentials."""
    new = torch.maximum(largest, scores.amax(-1, keepdim=True))
    return new, (largest - new).exp(), (scores - new).exp()


@exercise.mistake(
    "You do not shrink the earlier total when a larger score comes. But you can add exponentials only if the "
    "same maximum was subtracted in all of them.",
    "By which factor does exp(s - maximum) change when the maximum changes?",
)
def total_not_shrunk(scores: Tensor, v: Tensor, largest: Tensor, total: Tensor, blend: Tensor) -> Three:
    new, shrink, e = _parts(scores, largest)
    return new, total + e.sum(-1, keepdim=True), blend * shrink + e @ v


@exercise.mistake(
    "The total is right, but you do not shrink the blend. The exponentials in the earlier blend still have "
    "the old maximum subtracted.",
    "By which factor does exp(s - maximum) change when the maximum changes?",
)
def blend_not_shrunk(scores: Tensor, v: Tensor, largest: Tensor, total: Tensor, blend: Tensor) -> Three:
    new, shrink, e = _parts(scores, largest)
    return new, total * shrink + e.sum(-1, keepdim=True), blend + e @ v


@exercise.mistake(
    "You shrink neither total nor blend when a larger score comes. But you can add old and new exponentials "
    "only if the same maximum was subtracted in all of them.",
    "By which factor does exp(s - maximum) change when the maximum changes?",
)
def nothing_shrunk(scores: Tensor, v: Tensor, largest: Tensor, total: Tensor, blend: Tensor) -> Three:
    new, _, e = _parts(scores, largest)
    return new, total + e.sum(-1, keepdim=True), blend + e @ v


@exercise.mistake(
    "The sum of the exponentials has lost a dimension, so torch treats it as a row. Added to total, which "
    "is a column [n, 1], this row gives a matrix. `keepdim=True` keeps the dimension.",
    "What is the shape of `exponentials.sum(-1)`, and what is the shape of `total`?",
)
def column_lost(scores: Tensor, v: Tensor, largest: Tensor, total: Tensor, blend: Tensor) -> Three:
    new, shrink, e = _parts(scores, largest)
    return new, total * shrink + e.sum(-1), blend * shrink + e @ v


@exercise.mistake(
    "You take softmax of the block. Softmax divides by the block's own sum, but you need this sum for total.",
    "What do the weights of a block sum to after softmax, and what should you add to total?",
)
def softmax_of_the_block(scores: Tensor, v: Tensor, largest: Tensor, total: Tensor, blend: Tensor) -> Three:
    new, shrink, _ = _parts(scores, largest)
    e = scores.softmax(-1)
    return new, total * shrink + e.sum(-1, keepdim=True), blend * shrink + e @ v


@exercise.mistake(
    "In the exponentials of the block you subtract the old maximum. Subtract the new maximum from every "
    "score instead. Before the first block, the old maximum is minus infinity.",
    "After this block, which number was subtracted from every score in total?",
)
def less_the_old_largest(scores: Tensor, v: Tensor, largest: Tensor, total: Tensor, blend: Tensor) -> Three:
    new, shrink, _ = _parts(scores, largest)
    e = (scores - largest).exp()
    return new, total * shrink + e.sum(-1, keepdim=True), blend * shrink + e @ v


@exercise.mistake(
    "You multiply everything by the factor, even this block's exponentials, which already contain the new "
    "maximum. But the factor is only for the earlier sums.",
    "In the example by hand, what did we multiply by e^(3 - 5)?",
)
def all_shrunk(scores: Tensor, v: Tensor, largest: Tensor, total: Tensor, blend: Tensor) -> Three:
    new, shrink, e = _parts(scores, largest)
    return new, (total + e.sum(-1, keepdim=True)) * shrink, (blend + e @ v) * shrink


@exercise.mistake(
    "Your factor is upside down: exp(new - old) makes the earlier sums larger.",
    "When a larger score comes, should the weights of the earlier scores grow or shrink?",
)
def grown_for_shrunk(scores: Tensor, v: Tensor, largest: Tensor, total: Tensor, blend: Tensor) -> Three:
    new, shrink, e = _parts(scores, largest)
    return new, total / shrink + e.sum(-1, keepdim=True), blend / shrink + e @ v


@exercise.mistake(
    "You use this block's maximum as the maximum so far. After a block of low scores the factor exp(old - "
    "new) can overflow.",
    "An earlier block had a larger score. What is the maximum so far?",
)
def largest_of_the_block(scores: Tensor, v: Tensor, largest: Tensor, total: Tensor, blend: Tensor) -> Three:
    new = scores.amax(-1, keepdim=True)
    shrink, e = (largest - new).exp(), (scores - new).exp()
    return new, total * shrink + e.sum(-1, keepdim=True), blend * shrink + e @ v


@exercise.mistake(
    "You start again with each block, so the earlier blocks are missing from two of your results.",
    "Which two of the five inputs do you not use?",
)
def begun_anew(scores: Tensor, v: Tensor, largest: Tensor, total: Tensor, blend: Tensor) -> Three:
    new, _, e = _parts(scores, largest)
    return new, e.sum(-1, keepdim=True), e @ v


@exercise.mistake(
    "In the exponentials of the block you subtract the block's own maximum. But such exponentials cannot be "
    "added to the earlier exponentials.",
    "Which number must you subtract from all scores, old and new?",
)
def less_the_block_s_own(scores: Tensor, v: Tensor, largest: Tensor, total: Tensor, blend: Tensor) -> Three:
    new, shrink, _ = _parts(scores, largest)
    e = (scores - scores.amax(-1, keepdim=True)).exp()
    return new, total * shrink + e.sum(-1, keepdim=True), blend * shrink + e @ v


@exercise.mistake(
    "You take the exponential of the scores as they are. But exp(1000) is too large for a computer, and "
    "these exponentials do not fit the earlier sums.",
    "What was subtracted from the scores that are already in total?",
)
def nothing_taken_away(scores: Tensor, v: Tensor, largest: Tensor, total: Tensor, blend: Tensor) -> Three:
    new, shrink, _ = _parts(scores, largest)
    e = scores.exp()
    return new, total * shrink + e.sum(-1, keepdim=True), blend * shrink + e @ v


@exercise.mistake(
    "You divide by the total too early. More blocks may come, and you would add them to a blend that is "
    "already divided. Divide once, after the last block.",
    "What would you have to multiply your blend by before you could add the next block?",
)
def divided_already(scores: Tensor, v: Tensor, largest: Tensor, total: Tensor, blend: Tensor) -> Three:
    new, total, blend = cached.online_softmax(scores, v, largest, total, blend)
    return new, total, blend / total


@exercise.mistake(
    "Total and blend are right, but you return the old maximum.",
    "Which maximum do you need to compute the factor of the next block?",
)
def old_largest_returned(scores: Tensor, v: Tensor, largest: Tensor, total: Tensor, blend: Tensor) -> Three:
    _, total, blend = cached.online_softmax(scores, v, largest, total, blend)
    return largest, total, blend


@exercise.mistake(
    "You use one maximum for all queries. But each row has its own maximum.",
    "If the scores of a row lie far below the shared maximum, what do the exponentials of this row become?",
)
def one_largest_for_all(scores: Tensor, v: Tensor, largest: Tensor, total: Tensor, blend: Tensor) -> Three:
    new = torch.maximum(largest, scores.max()).amax().expand_as(largest)
    shrink, e = (largest - new).exp(), (scores - new).exp()
    return new, total * shrink + e.sum(-1, keepdim=True), blend * shrink + e @ v


@exercise.mistake(
    "You use the maximum of the whole block, one number for all queries. But each row has its own maximum.",
    "What shape should the maxima of a block have, so that they fit `largest`?",
)
def largest_of_the_whole_block(
    scores: Tensor, v: Tensor, largest: Tensor, total: Tensor, blend: Tensor
) -> Three:
    new = torch.maximum(largest, scores.max())
    shrink, e = (largest - new).exp(), (scores - new).exp()
    return new, total * shrink + e.sum(-1, keepdim=True), blend * shrink + e @ v


@exercise.mistake(
    "You multiply by the old maximum minus the new maximum. But the factor is the exponential of this "
    "difference.",
    "If the maximum stays the same, by which factor should total be multiplied?",
)
def shrink_without_exp(scores: Tensor, v: Tensor, largest: Tensor, total: Tensor, blend: Tensor) -> Three:
    new, _, e = _parts(scores, largest)
    shrink = largest - new
    return new, total * shrink + e.sum(-1, keepdim=True), blend * shrink + e @ v


@exercise.mistake(
    "All three results are right, but you return blend before total.",
    "Which of total and blend has a column for each column of v?",
)
def total_and_blend_changed(
    scores: Tensor, v: Tensor, largest: Tensor, total: Tensor, blend: Tensor
) -> Three:
    new, shrink, e = _parts(scores, largest)
    return new, blend * shrink + e @ v, total * shrink + e.sum(-1, keepdim=True)


@exercise.mistake(
    "You sum the exponentials down the columns, over the queries. But each query has its own total.",
    "Which `dim` in `e.sum(dim, keepdim=True)` turns each row into one number?",
)
def total_over_the_rows(scores: Tensor, v: Tensor, largest: Tensor, total: Tensor, blend: Tensor) -> Three:
    new, shrink, e = _parts(scores, largest)
    return new, total * shrink + e.sum(0, keepdim=True), blend * shrink + e @ v


@exercise.alternative
def _online_with_a_column_more(
    scores: Tensor, v: Tensor, largest: Tensor, total: Tensor, blend: Tensor
) -> Three:
    """The earlier blocks count as one extra score: the largest, which weighs as much as its total."""
    together = torch.cat([largest, scores], dim=1)
    new = together.max(dim=1, keepdim=True).values
    e = torch.exp(together - new)
    before, block = e[:, :1], e[:, 1:]
    return new, before * total + block.sum(1, keepdim=True), before * blend + block @ v


@exercise.alternative
def _online_by_torch_softmax(
    scores: Tensor, v: Tensor, largest: Tensor, total: Tensor, blend: Tensor
) -> Three:
    """The block's own softmax, which is then scaled to its share of the total."""
    own = scores.logsumexp(-1, keepdim=True)
    new = torch.where(scores.amax(-1, keepdim=True) > largest, scores.amax(-1, True), largest)
    weight = torch.exp(own - new)
    shrink = torch.exp(largest - new)
    return new, shrink * total + weight, shrink * blend + weight * (scores.softmax(-1) @ v)


@exercise.alternative
def _online_score_by_score(scores: Tensor, v: Tensor, largest: Tensor, total: Tensor, blend: Tensor) -> Three:
    for score, value in zip(scores.T, v, strict=True):
        new = torch.maximum(largest, score[:, None])
        total = total * torch.exp(largest - new) + torch.exp(score[:, None] - new)
        blend = blend * torch.exp(largest - new) + torch.exp(score[:, None] - new) * value
        largest = new
    return largest, total, blend
