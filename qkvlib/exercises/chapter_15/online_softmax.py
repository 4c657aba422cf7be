"""One more block of scores and values, taken into a softmax that is under way."""

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
        "First find the new largest: it is the old one, or one of the block's. What was summed "
        "before was summed with exp(score - old largest). By which factor does each such number "
        "change when the old largest becomes the new?",
        "exp(s - new) = exp(s - old) times exp(old - new). The same factor serves every number "
        "that is in total, and every one that is in blend.",
        "new = the larger of largest and the block's largest; shrink = exp(largest - new); "
        "e = exp(scores - new); total times shrink plus the sum of e; blend times shrink plus e "
        "times v",
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
        """What three blocks of two scores have left."""
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
    "The total of the blocks before is not made smaller when a larger score comes. Its "
    "exponentials were made with the old largest taken away, those of this block with the new one.",
    "By which factor does exp(s - largest) change when the largest becomes another?",
)
def total_not_shrunk(scores: Tensor, v: Tensor, largest: Tensor, total: Tensor, blend: Tensor) -> Three:
    new, shrink, e = _parts(scores, largest)
    return new, total + e.sum(-1, keepdim=True), blend * shrink + e @ v


@exercise.mistake(
    "The total is right. The blend is a sum of the same exponentials, each times a value, and it "
    "has to be made smaller by the same factor.",
    "What stands before each value in the blend?",
)
def blend_not_shrunk(scores: Tensor, v: Tensor, largest: Tensor, total: Tensor, blend: Tensor) -> Three:
    new, shrink, e = _parts(scores, largest)
    return new, total * shrink + e.sum(-1, keepdim=True), blend + e @ v


@exercise.mistake(
    "Neither total nor blend is made smaller when a larger score comes. Old and new exponentials "
    "have different numbers taken away, so they cannot be added.",
    "By which factor does exp(s - largest) change when the largest becomes another?",
)
def nothing_shrunk(scores: Tensor, v: Tensor, largest: Tensor, total: Tensor, blend: Tensor) -> Three:
    new, _, e = _parts(scores, largest)
    return new, total + e.sum(-1, keepdim=True), blend + e @ v


@exercise.mistake(
    "The sum of the exponentials has lost its column: beside total, which is [n, 1], it is taken "
    "for a row, and a matrix comes out. `keepdim=True` keeps the column.",
    "Which shape has `exponentials.sum(-1)`, and which has `total`?",
)
def column_lost(scores: Tensor, v: Tensor, largest: Tensor, total: Tensor, blend: Tensor) -> Three:
    new, shrink, e = _parts(scores, largest)
    return new, total * shrink + e.sum(-1), blend * shrink + e @ v


@exercise.mistake(
    "You take softmax of the block. That divides by the block's own sum already, and the sum is "
    "what has to be carried along.",
    "What do the weights of a block sum to after softmax, and what is added to total?",
)
def softmax_of_the_block(scores: Tensor, v: Tensor, largest: Tensor, total: Tensor, blend: Tensor) -> Three:
    new, shrink, _ = _parts(scores, largest)
    e = scores.softmax(-1)
    return new, total * shrink + e.sum(-1, keepdim=True), blend * shrink + e @ v


@exercise.mistake(
    "The exponentials of the block have the old largest taken away. All that is added up needs the "
    "same number taken away, the new one; before the first block the old one is minus infinity.",
    "After this block, which number is taken away from every score in total?",
)
def less_the_old_largest(scores: Tensor, v: Tensor, largest: Tensor, total: Tensor, blend: Tensor) -> Three:
    new, shrink, _ = _parts(scores, largest)
    e = (scores - largest).exp()
    return new, total * shrink + e.sum(-1, keepdim=True), blend * shrink + e @ v


@exercise.mistake(
    "You make everything smaller by the factor, this block's exponentials, too. They have the new "
    "largest taken away already; the factor is for what came before.",
    "In the example by hand, what was multiplied by e^(3 - 5)?",
)
def all_shrunk(scores: Tensor, v: Tensor, largest: Tensor, total: Tensor, blend: Tensor) -> Three:
    new, shrink, e = _parts(scores, largest)
    return new, (total + e.sum(-1, keepdim=True)) * shrink, (blend + e @ v) * shrink


@exercise.mistake(
    "Your factor is the wrong way round: exp(new - old) makes what was before larger.",
    "A larger score has come. Should the weights of the earlier ones grow or shrink?",
)
def grown_for_shrunk(scores: Tensor, v: Tensor, largest: Tensor, total: Tensor, blend: Tensor) -> Three:
    new, shrink, e = _parts(scores, largest)
    return new, total / shrink + e.sum(-1, keepdim=True), blend / shrink + e @ v


@exercise.mistake(
    "You take the largest of this block for the largest of all. After a block of low scores the "
    "factor exp(old - new) can overflow.",
    "An earlier block had a larger score. What is the largest so far?",
)
def largest_of_the_block(scores: Tensor, v: Tensor, largest: Tensor, total: Tensor, blend: Tensor) -> Three:
    new = scores.amax(-1, keepdim=True)
    shrink, e = (largest - new).exp(), (scores - new).exp()
    return new, total * shrink + e.sum(-1, keepdim=True), blend * shrink + e @ v


@exercise.mistake(
    "You begin anew with each block: what came before is not in your total, nor in your blend.",
    "Which two of your five inputs do you not use?",
)
def begun_anew(scores: Tensor, v: Tensor, largest: Tensor, total: Tensor, blend: Tensor) -> Three:
    new, _, e = _parts(scores, largest)
    return new, e.sum(-1, keepdim=True), e @ v


@exercise.mistake(
    "The exponentials of the block have the block's own largest taken away, not the largest so "
    "far. They cannot be added to the others.",
    "Which number has to be taken away from all scores, old and new?",
)
def less_the_block_s_own(scores: Tensor, v: Tensor, largest: Tensor, total: Tensor, blend: Tensor) -> Three:
    new, shrink, _ = _parts(scores, largest)
    e = (scores - scores.amax(-1, keepdim=True)).exp()
    return new, total * shrink + e.sum(-1, keepdim=True), blend * shrink + e @ v


@exercise.mistake(
    "You take the exponential of the scores as they are. exp(1000) is too large for a computer, "
    "and what came before has a number taken away.",
    "What was taken away from the scores that are in total already?",
)
def nothing_taken_away(scores: Tensor, v: Tensor, largest: Tensor, total: Tensor, blend: Tensor) -> Three:
    new, shrink, _ = _parts(scores, largest)
    e = scores.exp()
    return new, total * shrink + e.sum(-1, keepdim=True), blend * shrink + e @ v


@exercise.mistake(
    "You divide by the total already. There are more blocks to come, and they would be added to "
    "something that has been divided. The division is done once, after the last block.",
    "What would the next block do with a blend that is divided?",
)
def divided_already(scores: Tensor, v: Tensor, largest: Tensor, total: Tensor, blend: Tensor) -> Three:
    new, total, blend = cached.online_softmax(scores, v, largest, total, blend)
    return new, total, blend / total


@exercise.mistake(
    "Total and blend are right, but you hand back the old largest. The next block would take away "
    "another number than you did.",
    "From which number will the next block compute its factor?",
)
def old_largest_returned(scores: Tensor, v: Tensor, largest: Tensor, total: Tensor, blend: Tensor) -> Three:
    _, total, blend = cached.online_softmax(scores, v, largest, total, blend)
    return largest, total, blend


@exercise.mistake(
    "You take one largest for all queries. Each row has its own; a row far below it would have "
    "nothing but zeros.",
    "With two queries, how many largest scores are there?",
)
def one_largest_for_all(scores: Tensor, v: Tensor, largest: Tensor, total: Tensor, blend: Tensor) -> Three:
    new = torch.maximum(largest, scores.max()).amax().expand_as(largest)
    shrink, e = (largest - new).exp(), (scores - new).exp()
    return new, total * shrink + e.sum(-1, keepdim=True), blend * shrink + e @ v


@exercise.mistake(
    "You take the largest score of the whole block. Each row has its own: `scores.max()` is one "
    "number for all queries.",
    "With two queries, how many largest scores has a block?",
)
def largest_of_the_whole_block(
    scores: Tensor, v: Tensor, largest: Tensor, total: Tensor, blend: Tensor
) -> Three:
    new = torch.maximum(largest, scores.max())
    shrink, e = (largest - new).exp(), (scores - new).exp()
    return new, total * shrink + e.sum(-1, keepdim=True), blend * shrink + e @ v


@exercise.mistake(
    "You multiply by old largest minus new largest. The factor is the exponential of that.",
    "If the largest stays the same, by which factor should total be multiplied?",
)
def shrink_without_exp(scores: Tensor, v: Tensor, largest: Tensor, total: Tensor, blend: Tensor) -> Three:
    new, _, e = _parts(scores, largest)
    shrink = largest - new
    return new, total * shrink + e.sum(-1, keepdim=True), blend * shrink + e @ v


@exercise.mistake(
    "All three are right, but total and blend have changed places in what you return.",
    "Which of the two has a column for each column of v?",
)
def total_and_blend_changed(
    scores: Tensor, v: Tensor, largest: Tensor, total: Tensor, blend: Tensor
) -> Three:
    new, shrink, e = _parts(scores, largest)
    return new, blend * shrink + e @ v, total * shrink + e.sum(-1, keepdim=True)


@exercise.mistake(
    "You sum the exponentials down the columns, over the queries. Each query has a total of its own.",
    "What is `dim` in `e.sum(dim, keepdim=True)`, so that a row becomes one number?",
)
def total_over_the_rows(scores: Tensor, v: Tensor, largest: Tensor, total: Tensor, blend: Tensor) -> Three:
    new, shrink, e = _parts(scores, largest)
    return new, total * shrink + e.sum(0, keepdim=True), blend * shrink + e @ v


@exercise.alternative
def _online_with_a_column_more(
    scores: Tensor, v: Tensor, largest: Tensor, total: Tensor, blend: Tensor
) -> Three:
    """All that was before is one score more: the largest, which weighs as much as its total."""
    together = torch.cat([largest, scores], dim=1)
    new = together.max(dim=1, keepdim=True).values
    e = torch.exp(together - new)
    before, block = e[:, :1], e[:, 1:]
    return new, before * total + block.sum(1, keepdim=True), before * blend + block @ v


@exercise.alternative
def _online_by_torch_softmax(
    scores: Tensor, v: Tensor, largest: Tensor, total: Tensor, blend: Tensor
) -> Three:
    """The block's own softmax, which is then made as large as it is beside the others."""
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
