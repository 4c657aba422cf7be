"""Softmax with one more in the denominator."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from qkvlib import attention
from qkvlib.exercises.kit.exercise import Case, ExerciseBuilder
from qkvlib.exercises.kit.random_inputs import normal, scattered

exercise = ExerciseBuilder(
    points=2,
    builds_on=("softmax",),
    hints=(
        "Imagine one extra score, a zero, in the softmax of each row. Which number do you subtract from "
        "every score so that nothing overflows, and what happens to the zero?",
        "The extra 1 is exp(0), the exponential of the zero. If you subtract the maximum from every score, "
        "subtract the maximum from the zero, too.",
        "maximum = the maximum of each row, or 0 where 0 is larger; exponentials of scores minus maximum; "
        "divide by their sum plus exp(-maximum)",
    ),
)

exercise.reference(attention.softmax_with_a_sink)


@exercise.cases
def cases(generator: torch.Generator) -> list[Case]:
    def scores(*shape: int, scale: float = 1.0) -> Tensor:
        return normal(generator, *shape, scale=scale)

    return [
        Case("two rows of small whole numbers", (torch.tensor([[0.0, 1.0, 2.0], [-3.0, -1.0, -2.0]]),)),
        Case("a single vector", (scores(4),)),
        Case("as many rows as columns", (scores(3, 3),)),
        Case("4 rows of 5 random numbers", (scores(4, 5, scale=2.0),)),
        Case("two batches of 3 rows", (scores(2, 3, 4),)),
        Case("numbers around a thousand", (1000 + scores(2, 3),)),
        Case("one row around 200, one around -200", (scores(2, 4) + torch.tensor([[200.0], [-200.0]]),)),
        Case("one score is minus infinity", (torch.tensor([[1.0, -math.inf, 2.0]]) + scores(1, 3),)),
        Case(
            "a row in which every score is minus infinity",
            (torch.tensor([[-math.inf] * 3, [0.0, 1.0, 2.0]]) + scores(2, 3),),
        ),
        Case("tiny numbers", (scores(3, 4, scale=1e-3),)),
        Case("numbers of float64", (scores(3, 4).double(),)),
        Case("numbers that are not stored row by row", (scattered(scores(3, 5)),)),
        Case("a single score in each row", (scores(3, 1),)),
    ]


def _shrunk(scores: Tensor) -> tuple[Tensor, Tensor]:
    """The exponentials of the scores, and that of the zero, each times the same factor."""
    largest = scores.amax(-1, keepdim=True).clamp(min=0)
    return (scores - largest).exp(), (-largest).exp()


@exercise.mistake(
    "You take the exponential of the numbers as they are. exp(1000) is too large for a computer, "
    "and infinity divided by infinity is not a number.",
    "Which factor, in the numerator and in all of the denominator, prevents the overflow?",
)
def unstable(scores: Tensor) -> Tensor:
    return scores.exp() / (1 + scores.exp().sum(-1, keepdim=True))


@exercise.mistake(
    "You subtract the maximum from every score, and then add 1. But the 1 is an exponential, too: exp(0).",
    "Every exponential is multiplied by exp(-maximum). What should happen to the extra 1?",
)
def one_not_shrunk(scores: Tensor) -> Tensor:
    e = (scores - scores.amax(-1, keepdim=True)).exp()
    return e / (1 + e.sum(-1, keepdim=True))


@exercise.mistake(
    "You subtract the larger of 0 and the maximum from every score, and then add 1. But the 1 is an "
    "exponential, too: exp(0).",
    "If you subtract c from every score, every exponential is multiplied by exp(-c). What should happen to "
    "the extra 1?",
)
def one_not_shrunk_beside_a_zero(scores: Tensor) -> Tensor:
    e, _ = _shrunk(scores)
    return e / (1 + e.sum(-1, keepdim=True))


@exercise.mistake(
    "That is plain softmax. Each row sums to one, so the keys get all the weight and the sink gets none.",
    "What does the denominator need besides the sum of the exponentials?",
)
def no_sink(scores: Tensor) -> Tensor:
    return attention.softmax(scores)


@exercise.mistake(
    "When every score of a row is minus infinity, you return NaN, because the maximum is minus infinity, "
    "too, and infinity minus infinity is not a number.",
    "The zero is one of the scores. What is the maximum when all other scores are below zero?",
)
def zero_left_out_of_the_largest(scores: Tensor) -> Tensor:
    largest = scores.amax(-1, keepdim=True)
    e = (scores - largest).exp()
    return e / (e.sum(-1, keepdim=True) + (-largest).exp())


@exercise.mistake(
    "You add the extra 1 to each exponential in the numerator, too. The extra 1 belongs only in the "
    "denominator, because no key gets the sink's weight.",
    "How much weight should a key with a score of minus infinity get?",
)
def one_above_too(scores: Tensor) -> Tensor:
    e, one = _shrunk(scores)
    return (e + one) / (e.sum(-1, keepdim=True) + one)


@exercise.mistake(
    "You add an extra 1 for each score, so the denominator grows by the number of keys. But each row has "
    "only one sink.",
    "Do you add the extra 1 before you take the sum, or after?",
)
def one_for_each(scores: Tensor) -> Tensor:
    e, one = _shrunk(scores)
    return e / (e + one).sum(-1, keepdim=True)


@exercise.mistake(
    "You apply a sigmoid to each score separately, so the sum over the row is missing.",
    "If one score of a row grows, what should happen to the weights of the other scores?",
)
def sigmoid(scores: Tensor) -> Tensor:
    return torch.sigmoid(scores)


@exercise.mistake(
    "You divide by one plus the sum of the weights, after softmax. But the weights already sum to one, so "
    "you halve every weight, whatever the scores are.",
    "Should a row with high scores lose as much weight as a row with low scores?",
)
def one_after_softmax(scores: Tensor) -> Tensor:
    weights = attention.softmax(scores)
    return weights / (1 + weights.sum(-1, keepdim=True))


@exercise.mistake(
    "You return the sink's own weight as well, so each row has one number too many.",
    "For a row with 3 keys, how many weights do you return?",
)
def weight_of_the_sink_kept(scores: Tensor) -> Tensor:
    return torch.softmax(torch.cat([scores, torch.zeros_like(scores[..., :1])], -1), -1)


@exercise.mistake(
    "You drop the wrong weight: the last weight of your row belongs to a key.",
    "At which end of each row did you put the zero?",
)
def wrong_one_left_out(scores: Tensor) -> Tensor:
    return torch.softmax(torch.cat([torch.zeros_like(scores[..., :1]), scores], -1), -1)[..., :-1]


@exercise.mistake(
    "You divide by one plus the sum over the *columns*. But each row needs its own sum and its own sink.",
    "Which `dim` runs along a row of a matrix, 0 or -1?",
)
def over_columns(scores: Tensor) -> Tensor:
    return attention.softmax_with_a_sink(scores, 0)


@exercise.mistake(
    "You divide by the sum over the whole tensor. But each row needs its own sum and its own sink.",
    "Which `dim` runs along a row of a matrix, 0 or -1?",
)
def over_everything(scores: Tensor) -> Tensor:
    return attention.softmax_with_a_sink(scores.flatten(), 0).reshape(scores.shape)


@exercise.mistake(
    "You subtract the same number from every row. In a row whose scores are far below that number, every "
    "exponential becomes 0, even the exponential of the sink, and 0 divided by 0 is not a number.",
    "Which maximum must you subtract from a row, so that the largest exponential of this row is exp(0) = 1?",
)
def one_maximum_for_all(scores: Tensor) -> Tensor:
    largest = scores.max().clamp(min=0)
    e = (scores - largest).exp()
    return e / (e.sum(-1, keepdim=True) + (-largest).exp())


@exercise.mistake(
    "The row sums have lost a dimension, so torch matches them with the columns, or raises an error.",
    "What is the shape of `x.sum(-1)` for x of shape [2, 3], and what does `keepdim=True` change?",
)
def keepdim_forgotten(scores: Tensor) -> Tensor:
    e, one = _shrunk(scores)
    return e / (e.sum(-1) + one[..., 0])


@exercise.mistake(
    "The weights are right, but your function changes the scores that it was given.",
    "What is the difference between `x -= 1` and `x = x - 1`?",
)
def input_overwritten(scores: Tensor) -> Tensor:
    largest = scores.amax(-1, keepdim=True).clamp(min=0)
    scores -= largest
    e = scores.exp()
    return e / (e.sum(-1, keepdim=True) + (-largest).exp())


@exercise.mistake(
    "That is plain softmax, so the keys get all the weight and the sink gets none. And if every score of a "
    "row is minus infinity, plain softmax gives NaN.",
    "What does the denominator need besides the sum of the exponentials?",
)
def torchs_softmax(scores: Tensor) -> Tensor:
    return torch.softmax(scores, -1)


@exercise.mistake(
    "Your sink has the score 1. But the 1 in the formula is not the score of the sink: it is the "
    "exponential of this score.",
    "Which number has an exponential of 1?",
)
def score_of_one(scores: Tensor) -> Tensor:
    return attention.softmax_with_a_sink(scores - 1)


@exercise.mistake(
    "You multiply the extra 1 by exp(maximum), but the other exponentials are divided by exp(maximum).",
    "What is exp(0 - maximum): exp(maximum), or 1 / exp(maximum)?",
)
def one_grown(scores: Tensor) -> Tensor:
    largest = scores.amax(-1, keepdim=True)
    e = (scores - largest).exp()
    return e / (e.sum(-1, keepdim=True) + largest.exp())


@exercise.mistake(
    "You divide each exponential only by itself plus the extra 1, which gives a sigmoid. The other scores "
    "of the row are missing in the denominator.",
    "If one score of a row grows, what should happen to the weights of the other scores?",
)
def each_by_itself(scores: Tensor) -> Tensor:
    largest = scores.amax(-1, keepdim=True)
    return (scores - largest).exp() / ((scores - largest).exp() + (-largest).exp())


@exercise.mistake(
    "You subtract the extra 1 in the denominator. Add it instead.",
    "Do the weights of a row with a sink sum to more than one, or to less than one?",
)
def one_taken_away(scores: Tensor) -> Tensor:
    largest = scores.amax(-1, keepdim=True)
    e = (scores - largest).exp()
    return e / (e.sum(-1, keepdim=True) - (-largest).exp())


@exercise.alternative
def _by_one_score_more(scores: Tensor) -> Tensor:
    zero = torch.zeros_like(scores[..., :1])
    return torch.softmax(torch.cat([scores, zero], dim=-1), dim=-1)[..., :-1]


@exercise.alternative
def _by_logs(scores: Tensor) -> Tensor:
    total = torch.logsumexp(scores, dim=-1, keepdim=True)
    return (scores - torch.logaddexp(total, torch.zeros_like(total))).exp()


@exercise.alternative
def _by_loops(scores: Tensor) -> Tensor:
    rows = []
    for row in scores.reshape(-1, scores.shape[-1]).tolist():
        largest = max([0.0, *row])
        e = [math.exp(s - largest) for s in row]
        rows.append([x / (sum(e) + math.exp(-largest)) for x in e])
    return torch.tensor(rows).reshape(scores.shape)


@exercise.alternative
def _by_the_share_that_stays(scores: Tensor) -> Tensor:
    """Plain weights, times what the sink leaves of the row: a sigmoid of all scores together."""
    some = scores > -math.inf
    kept = torch.sigmoid(scores.logsumexp(-1, keepdim=True))
    return torch.where(some, scores.softmax(-1) * kept, 0)
