"""Scores that grow when there are more keys than in training."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from qkvlib import attention
from qkvlib.exercises.kit.exercise import Case, ExerciseBuilder
from qkvlib.exercises.kit.random_inputs import normal

exercise = ExerciseBuilder(
    points=2,
    builds_on=("attention_weights",),
    hints=(
        "Divide the scores of chapter 2 by sqrt(d_k), and multiply them by one more number. With as many "
        "keys as in training, this number is 1.",
        "The number of keys is the number of rows of k. `log`, from Python's math, takes the logarithm of a "
        "number.",
        "q times k transposed, divided by sqrt(d_k), times log of the number of keys, divided by the log of "
        "trained_on",
    ),
)

exercise.reference(attention.scores_that_know_length)


@exercise.cases
def cases(generator: torch.Generator) -> list[Case]:
    def case(n: int, m: int, d_k: int, trained_on: int, *b: int) -> tuple[Tensor, Tensor, int]:
        return normal(generator, *b, n, d_k), normal(generator, *b, m, d_k), trained_on

    counted = (torch.tensor([[2.0]]), torch.tensor([[1.0], [0.0], [-1.0], [3.0]]), 2)
    return [
        Case("d_k = 1, trained on 2 keys, used with 4: every score twice as large", counted),
        Case("as many keys as in training", case(3, 6, 4, 6)),
        Case("3 queries, 5 keys, trained on 3", case(3, 5, 4, 3)),
        Case("fewer keys than in training", case(2, 3, 4, 9)),
        Case("a single query and 40 keys, trained on 6", case(1, 40, 2, 6)),
        Case("as many queries as keys", case(5, 5, 3, 2)),
        Case("a batch of 2", case(3, 7, 5, 4, 2)),
        Case("a batch of 2 with 3 heads", case(2, 9, 4, 5, 2, 3)),
        Case("wide queries", case(3, 8, 64, 6)),
    ]


def _plain(q: Tensor, k: Tensor) -> Tensor:
    return q @ k.mT / math.sqrt(q.shape[-1])


@exercise.mistake(
    "You return the usual scores. But these scores do not depend on the number of keys.",
    "What do you do with `trained_on`?",
)
def length_ignored(q: Tensor, k: Tensor, trained_on: int) -> Tensor:
    return _plain(q, k)


@exercise.mistake(
    "You multiply only by the logarithm of the number of keys. Then your scores differ from the scores in "
    "training even when there are as many keys as in training.",
    "What must this logarithm be divided by, so that the result is one for as many keys as in training?",
)
def log_n_alone(q: Tensor, k: Tensor, trained_on: int) -> Tensor:
    return _plain(q, k) * math.log(k.shape[-2])


@exercise.mistake(
    "Your ratio is upside down, so with more keys your scores shrink.",
    "Among more keys, should the scores be farther apart, or closer together?",
)
def upside_down(q: Tensor, k: Tensor, trained_on: int) -> Tensor:
    return _plain(q, k) * (math.log(trained_on) / math.log(k.shape[-2]))


@exercise.mistake(
    "You take the ratio of the numbers of keys, without logarithms. But ten times as many keys do not need "
    "scores ten times as large.",
    "What is log 36, as a multiple of log 6?",
)
def without_logarithms(q: Tensor, k: Tensor, trained_on: int) -> Tensor:
    return _plain(q, k) * (k.shape[-2] / trained_on)


@exercise.mistake(
    "You take the logarithm of the ratio. With as many keys as in training, all your scores become 0.",
    "What is log(6 / 6), and what is log 6 / log 6?",
)
def log_of_the_ratio(q: Tensor, k: Tensor, trained_on: int) -> Tensor:
    return _plain(q, k) * math.log(k.shape[-2] / trained_on)


@exercise.mistake(
    "You add the ratio of the logarithms to the scores. But the ratio is a factor.",
    "What happens to the weights when all scores of a row grow by the same number?",
)
def added(q: Tensor, k: Tensor, trained_on: int) -> Tensor:
    return _plain(q, k) + math.log(k.shape[-2]) / math.log(trained_on)


@exercise.mistake(
    "You count the queries. But the blur depends on the number of keys.",
    "Which dimension of which input counts the keys?",
)
def queries_counted(q: Tensor, k: Tensor, trained_on: int) -> Tensor:
    return _plain(q, k) * (math.log(q.shape[-2]) / math.log(trained_on))


@exercise.mistake(
    "You count the columns of k. But the columns are the numbers of a key.",
    "Which dimension of k counts the keys?",
)
def width_counted(q: Tensor, k: Tensor, trained_on: int) -> Tensor:
    return _plain(q, k) * (math.log(k.shape[-1]) / math.log(trained_on))


@exercise.mistake(
    "`len(k)` and `k.shape[0]` give the size of the first dimension of k. Without a batch, this size is the "
    "number of keys; with a batch, it is the number of texts.",
    "The keys are the rows of a matrix. Counted from the end, which dimension counts the rows?",
)
def first_dimension_counted(q: Tensor, k: Tensor, trained_on: int) -> Tensor:
    return _plain(q, k) * (math.log(len(k)) / math.log(trained_on))


@exercise.mistake(
    "The factor is right, but you do not divide the scores by sqrt(d_k).",
    "How does the standard deviation of a score grow with d_k?",
)
def no_scale(q: Tensor, k: Tensor, trained_on: int) -> Tensor:
    return q @ k.mT * (math.log(k.shape[-2]) / math.log(trained_on))


@exercise.mistake(
    "You return the weights. Return only the scores. Softmax comes later.",
    "What do the rows of your result sum to?",
)
def weights_returned(q: Tensor, k: Tensor, trained_on: int) -> Tensor:
    return attention.softmax(attention.scores_that_know_length(q, k, trained_on))


@exercise.mistake(
    "You multiply the weights, after softmax. So the rows no longer sum to one, and attention is no sharper.",
    "Should your function return scores or weights?",
)
def weights_stretched(q: Tensor, k: Tensor, trained_on: int) -> Tensor:
    return attention.softmax(_plain(q, k)) * (math.log(k.shape[-2]) / math.log(trained_on))


@exercise.mistake(
    "The factor is right, but you divide by d_k itself, not by its square root.",
    "How does the standard deviation of a score grow with d_k?",
)
def divided_by_d_k(q: Tensor, k: Tensor, trained_on: int) -> Tensor:
    return q @ k.mT / q.shape[-1] * (math.log(k.shape[-2]) / math.log(trained_on))


@exercise.mistake(
    "The factor is right, but you divide by the root of the number of keys, not by the root of d_k.",
    "Is d_k the last dimension of k, or the second from the end?",
)
def root_of_the_number_of_keys(q: Tensor, k: Tensor, trained_on: int) -> Tensor:
    return q @ k.mT / math.sqrt(k.shape[-2]) * (math.log(k.shape[-2]) / math.log(trained_on))


@exercise.mistake(
    "You put the ratio into the denominator, under the root with d_k. But the ratio should multiply the "
    "scores after you have divided them by sqrt(d_k).",
    "Among more keys, should the scores be farther apart, or closer together?",
)
def stretched_under_the_root(q: Tensor, k: Tensor, trained_on: int) -> Tensor:
    return q @ k.mT / math.sqrt(q.shape[-1] * math.log(k.shape[-2]) / math.log(trained_on))


@exercise.mistake(
    "You divide by the log of trained_on, but never use the number of keys.",
    "What should the numerator be, so that the ratio is one for as many keys as in training?",
)
def divided_by_log_alone(q: Tensor, k: Tensor, trained_on: int) -> Tensor:
    return _plain(q, k) / math.log(trained_on)


@exercise.mistake(
    "Your scores are right for more keys than in training. For fewer keys you leave the scores as they are, "
    "but they should be multiplied by the ratio there, too.",
    "For fewer keys than in training, is the ratio larger or smaller than one?",
)
def never_less_than_one(q: Tensor, k: Tensor, trained_on: int) -> Tensor:
    return _plain(q, k) * max(1.0, math.log(k.shape[-2]) / math.log(trained_on))


@exercise.alternative
def _by_a_longer_query(q: Tensor, k: Tensor, trained_on: int) -> Tensor:
    """Scaling the scores is scaling the queries."""
    stretched = q * math.log(k.shape[-2], trained_on)
    return torch.matmul(stretched, k.transpose(-2, -1)) / q.shape[-1] ** 0.5


@exercise.alternative
def _by_tensors(q: Tensor, k: Tensor, trained_on: int) -> Tensor:
    n, before = torch.tensor(float(k.size(-2))), torch.tensor(float(trained_on))
    scores = torch.einsum("...id,...jd->...ij", q, k).div(k.size(-1) ** 0.5)
    return scores.mul(n.log() / before.log())


@exercise.alternative
def _by_base_two(q: Tensor, k: Tensor, trained_on: int) -> Tensor:
    """In a ratio of logarithms the base does not matter."""
    stretch = math.log2(k.shape[-2]) / math.log2(trained_on)
    return attention.attention_scores(q, k) * stretch
