"""Softmax, which turns scores into weights."""

from __future__ import annotations

import math

import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812 (torch's own name for it)

from qkvlib import attention
from qkvlib.exercises.kit.exercise import Case, ExerciseBuilder
from qkvlib.exercises.kit.random_inputs import normal, scattered

exercise = ExerciseBuilder(
    points=2,
    hints=(
        "Every score becomes a positive number, and each row is then divided by its own sum.",
        "`sum(-1, keepdim=True)` sums each row and keeps the shape that the division needs. Subtract each "
        "row's maximum first, so that nothing overflows.",
        "subtract from each row its maximum; take the exponential; divide each row by its sum",
    ),
)

exercise.reference(attention.softmax)


@exercise.cases
def cases(generator: torch.Generator) -> list[Case]:
    def scores(*shape: int, scale: float = 1.0) -> Tensor:
        return normal(generator, *shape, scale=scale)

    return [
        Case("two rows of small whole numbers", (torch.tensor([[0.0, 1.0, 2.0], [3.0, 1.0, 1.0]]),)),
        Case("a single vector", (scores(4),)),
        Case("as many rows as columns", (scores(3, 3),)),
        Case("4 rows of 5 random numbers", (scores(4, 5, scale=2.0),)),
        Case("two batches of 3 rows", (scores(2, 3, 4),)),
        Case("numbers around a thousand", (1000 + scores(2, 3),)),
        Case("one row around 200, one around -200", (scores(2, 4) + torch.tensor([[200.0], [-200.0]]),)),
        Case("numbers that lie far apart", (torch.tensor([[0.0, 5.0, -300.0, 4.0]]) + scores(1, 4),)),
        Case("one score is minus infinity", (torch.tensor([[1.0, -math.inf, 2.0]]) + scores(1, 3),)),
        Case("tiny numbers", (scores(3, 4, scale=1e-3),)),
        Case("numbers of float64", (scores(3, 4).double(),)),
        Case("numbers that are not stored row by row", (scattered(scores(3, 5)),)),
        Case("a single score in each row: all the weight is its own", (scores(3, 1),)),
    ]


@exercise.mistake(
    "You take the exponential of the scores as they are. But exp(1000) is too large for a computer, and "
    "infinity divided by infinity is not a number.",
    "What happens to the weights when you subtract the same number from every score of a row?",
)
def unstable(scores: Tensor) -> Tensor:
    return scores.exp() / scores.exp().sum(-1, keepdim=True)


@exercise.mistake(
    "Your columns sum to one. But each row is one decision, so each row has to sum to one.",
    "Which `dim` runs along a row of a matrix, 0 or -1?",
)
def over_columns(scores: Tensor) -> Tensor:
    return torch.softmax(scores, 0)


@exercise.mistake(
    "You divide by the sum over the whole tensor. But each row needs its own sum.",
    "With two rows, what should all the weights together sum to?",
)
def over_everything(scores: Tensor) -> Tensor:
    return torch.softmax(scores.flatten(), 0).reshape(scores.shape)


@exercise.mistake(
    "You subtract the same maximum from every row. In a row far below that maximum, every exponential "
    "becomes 0, and 0 divided by 0 is not a number.",
    "Which maximum makes the largest exponential of a row exp(0) = 1?",
)
def one_maximum_for_all(scores: Tensor) -> Tensor:
    e = (scores - scores.max()).exp()
    return e / e.sum(-1, keepdim=True)


@exercise.mistake(
    "You subtract the mean, not the maximum. But the exponential of a score far above the mean still "
    "overflows, and one score of minus infinity makes the mean minus infinity.",
    "After which subtraction is no number in the row greater than 0?",
)
def mean_taken_away(scores: Tensor) -> Tensor:
    e = (scores - scores.mean(-1, keepdim=True)).exp()
    return e / e.sum(-1, keepdim=True)


@exercise.mistake(
    "You return the logarithms of the weights.",
    "Weights are between 0 and 1. What sign do your results have?",
)
def log_softmax(scores: Tensor) -> Tensor:
    return torch.log_softmax(scores, -1)


@exercise.mistake(
    "You divide the scores by their sum, without exponentials. Then a weight can be negative.",
    "Which function turns every number into a positive number and keeps the order of the numbers?",
)
def no_exponential(scores: Tensor) -> Tensor:
    return scores / scores.sum(-1, keepdim=True)


@exercise.mistake(
    "You apply a sigmoid to each score separately. But in softmax the weights of a row share a total of one.",
    "If one score of a row grows, what should happen to the weights of the other scores?",
)
def sigmoid(scores: Tensor) -> Tensor:
    return torch.sigmoid(scores)


@exercise.mistake(
    "You give all the weight to the largest score. That is a hard choice, but softmax gives every score a "
    "share.",
    "The scores 2.0 and 1.9 are almost equal. How different should their weights be?",
)
def hard_choice(scores: Tensor) -> Tensor:
    return F.one_hot(scores.argmax(-1), scores.shape[-1]).to(scores.dtype)


@exercise.mistake(
    "Your row sums lost a dimension, so torch lines them up with the columns, or raises an error.",
    "What is the shape of `x.sum(-1)` for x of shape [2, 3], and what does `keepdim=True` change?",
)
def keepdim_forgotten(scores: Tensor) -> Tensor:
    e = (scores - scores.amax(-1, keepdim=True)).exp()
    return e / e.sum(-1)


@exercise.mistake(
    "Your row maxima and row sums lost a dimension, so torch lines them up with the columns, or raises an "
    "error.",
    "What is the shape of `x.amax(-1)` for x of shape [2, 3], and what does `keepdim=True` change?",
)
def keepdim_forgotten_twice(scores: Tensor) -> Tensor:
    e = (scores - scores.amax(-1)).exp()
    return e / e.sum(-1)


@exercise.mistake(
    "Your row sums lost a dimension, so torch lines them up with the columns, or raises an error. Large "
    "scores will show a second problem.",
    "What is the shape of `x.sum(-1)` for x of shape [2, 3], and what does `keepdim=True` change?",
)
def unstable_without_keepdim(scores: Tensor) -> Tensor:
    return scores.exp() / scores.exp().sum(-1)


@exercise.mistake(
    "You use powers of 2. The weights sum to one, but softmax uses powers of e = 2.718...",
    "Which torch function is the exponential function with base e?",
)
def powers_of_two(scores: Tensor) -> Tensor:
    return torch.softmax(scores * math.log(2), -1)


@exercise.mistake(
    "You stop after the exponentials, so the rows do not sum to one yet.",
    "What do you have to divide each exponential by?",
)
def not_divided(scores: Tensor) -> Tensor:
    return (scores - scores.amax(-1, keepdim=True)).exp()


@exercise.mistake(
    "The weights are right, but you wrote into the scores. An in-place operation, such as `-=`, changes the "
    "tensor that the caller still holds.",
    "What is the difference between `x -= 1` and `x = x - 1`?",
)
def input_overwritten(scores: Tensor) -> Tensor:
    scores -= scores.amax(-1, keepdim=True)
    e = scores.exp()
    return e / e.sum(-1, keepdim=True)


@exercise.mistake(
    "You subtract the largest score in the numerator, but not in the denominator. The exponentials in the "
    "sum need the same subtraction.",
    "By what factor do exp(x - 3) and exp(x) differ, and when does this factor cancel in a fraction?",
)
def shifted_above_only(scores: Tensor) -> Tensor:
    largest = scores.amax(-1, keepdim=True)
    return (scores - largest).exp() / scores.exp().sum(-1, keepdim=True)


@exercise.mistake(
    "Your smallest score gets the largest weight, because the sign of the scores is reversed.",
    "If a score grows, should its weight grow or shrink?",
)
def smallest_wins(scores: Tensor) -> Tensor:
    e = (scores.amax(-1, keepdim=True) - scores).exp()
    return e / e.sum(-1, keepdim=True)


@exercise.mistake(
    "You divide the scores by the largest score of their row. Division changes how far apart the scores "
    "are, but subtraction does not.",
    "How far apart are 10 and 20, after you divide both numbers by 20?",
)
def divided_by_the_largest(scores: Tensor) -> Tensor:
    e = (scores / scores.amax(-1, keepdim=True)).exp()
    return e / e.sum(-1, keepdim=True)


@exercise.alternative
def _softmax_by_loops(scores: Tensor) -> Tensor:
    rows = []
    for row in scores.reshape(-1, scores.shape[-1]):
        largest = max(row.tolist())
        e = [math.exp(s - largest) for s in row.tolist()]
        rows.append(torch.tensor([x / sum(e) for x in e]))
    return torch.stack(rows).reshape(scores.shape)


@exercise.alternative
def _softmax_by_logs(scores: Tensor) -> Tensor:
    return (scores - scores.logsumexp(-1, keepdim=True)).exp()


@exercise.alternative
def _softmax_in_place(scores: Tensor) -> Tensor:
    e = scores.clone()
    e -= e.max(dim=-1, keepdim=True).values
    e.exp_()
    e /= e.sum(dim=-1, keepdim=True)
    return e


@exercise.alternative
def _softmax_by_torch(scores: Tensor) -> Tensor:
    return F.softmax(scores, dim=-1)
