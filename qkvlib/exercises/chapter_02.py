"""Chapter 2, Soft lookup: softmax, a blend of values, and weights that stay readable."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812 (torch's own name for it)

from qkvlib import attention
from qkvlib.exercises.drawing import normal, scattered
from qkvlib.exercises.exercise import Case, Exercise, mistake

# --- softmax --------------------------------------------------------------------------------


def _softmax_cases(generator: torch.Generator) -> list[Case]:
    def scores(*shape: int, scale: float = 1.0) -> Tensor:
        return normal(generator, *shape, scale=scale)

    return [
        Case("two rows of small whole numbers",
             (torch.tensor([[0.0, 1.0, 2.0], [3.0, 1.0, 1.0]]),)),
        Case("a single vector", (scores(4),)),
        Case("as many rows as columns", (scores(3, 3),)),
        Case("4 rows of 5 random numbers", (scores(4, 5, scale=2.0),)),
        Case("two batches of 3 rows", (scores(2, 3, 4),)),
        Case("numbers around a thousand", (1000 + scores(2, 3),)),
        Case("one row around 200, one around -200",
             (scores(2, 4) + torch.tensor([[200.0], [-200.0]]),)),
        Case("numbers that lie far apart",
             (torch.tensor([[0.0, 5.0, -300.0, 4.0]]) + scores(1, 4),)),
        Case("one score is minus infinity",
             (torch.tensor([[1.0, -math.inf, 2.0]]) + scores(1, 3),)),
        Case("tiny numbers", (scores(3, 4, scale=1e-3),)),
        Case("numbers of float64", (scores(3, 4).double(),)),
        Case("numbers that are not stored row by row", (scattered(scores(3, 5)),)),
    ]  # fmt: skip


@mistake(
    "You take the exponential of the numbers as they are. "
    "exp(1000) is too large for a computer, and infinity divided by infinity is not a number.",
    "What happens to the weights when the same number is taken away from every score of a row?",
)
def unstable(scores: Tensor) -> Tensor:
    return scores.exp() / scores.exp().sum(-1, keepdim=True)


@mistake(
    "Your columns sum to one. Each row is one decision, so each row has to.",
    "Which `dim` runs along a row of a matrix, 0 or -1?",
)
def over_columns(scores: Tensor) -> Tensor:
    return torch.softmax(scores, 0)


@mistake(
    "You divide by the sum over the whole tensor. Each row needs a sum of its own.",
    "With two rows, what should all the weights together sum to?",
)
def over_everything(scores: Tensor) -> Tensor:
    return torch.softmax(scores.flatten(), 0).reshape(scores.shape)


@mistake(
    "You take the same maximum away from every row. In a row far below it, every "
    "exponential becomes 0, and 0 divided by 0 is not a number.",
    "Whose maximum keeps a row's own largest exponential at exp(0) = 1?",
)
def one_maximum_for_all(scores: Tensor) -> Tensor:
    e = (scores - scores.max()).exp()
    return e / e.sum(-1, keepdim=True)


@mistake(
    "You take the mean away, not the maximum. A score far above the mean still overflows.",
    "After which subtraction is no number in the row greater than 0?",
)
def mean_taken_away(scores: Tensor) -> Tensor:
    e = (scores - scores.mean(-1, keepdim=True)).exp()
    return e / e.sum(-1, keepdim=True)


@mistake(
    "You return the logarithms of the weights.",
    "Weights lie between 0 and 1. Between which numbers do yours lie?",
)
def log_softmax(scores: Tensor) -> Tensor:
    return torch.log_softmax(scores, -1)


@mistake(
    "You divide the scores by their sum, without exponentials. "
    "A negative score would get a negative weight.",
    "Which function makes every number positive, also a negative one, and keeps their order?",
)
def no_exponential(scores: Tensor) -> Tensor:
    return scores / scores.sum(-1, keepdim=True)


@mistake(
    "You squash each score by itself (a sigmoid). "
    "Softmax makes the scores of a row share one total.",
    "If one score of a row grows, what should happen to the weights of the others?",
)
def sigmoid(scores: Tensor) -> Tensor:
    return torch.sigmoid(scores)


@mistake(
    "You give everything to the largest score. That is the hard choice; softmax gives every "
    "score a share.",
    "Scores 2.0 and 1.9 are nearly equal. How different should their weights be?",
)
def hard_choice(scores: Tensor) -> Tensor:
    return F.one_hot(scores.argmax(-1), scores.shape[-1]).to(scores.dtype)


@mistake(
    "The row sums lost a dimension, so torch divides by them in the wrong direction.",
    "What shape has `x.sum(-1)` for x of shape [3, 3], and what does `keepdim=True` change?",
)
def keepdim_forgotten(scores: Tensor) -> Tensor:
    e = (scores - scores.amax(-1, keepdim=True)).exp()
    return e / e.sum(-1)


@mistake(
    "You use powers of 2. The weights sum to one, but softmax is made with e = 2.718...",
    "Which torch function is the exponential function with base e?",
)
def powers_of_two(scores: Tensor) -> Tensor:
    return torch.softmax(scores * math.log(2), -1)


@mistake(
    "You stop after the exponentials. Nothing makes the row sum to one yet.",
    "By what do you have to divide each exponential?",
)
def not_divided(scores: Tensor) -> Tensor:
    return (scores - scores.amax(-1, keepdim=True)).exp()


@mistake(
    "The weights are right, but you wrote into the scores: `-=` changes the tensor "
    "that the caller still holds.",
    "What is the difference between `x -= 1` and `x = x - 1`?",
)
def input_overwritten(scores: Tensor) -> Tensor:
    scores -= scores.amax(-1, keepdim=True)
    e = scores.exp()
    return e / e.sum(-1, keepdim=True)


def _softmax_by_loops(scores: Tensor) -> Tensor:
    rows = []
    for row in scores.reshape(-1, scores.shape[-1]):
        largest = max(row.tolist())
        e = [math.exp(s - largest) for s in row.tolist()]
        rows.append(torch.tensor([x / sum(e) for x in e]))
    return torch.stack(rows).reshape(scores.shape)


def _softmax_by_logs(scores: Tensor) -> Tensor:
    return (scores - scores.logsumexp(-1, keepdim=True)).exp()


def _softmax_in_place(scores: Tensor) -> Tensor:
    e = scores.clone()
    e -= e.max(dim=-1, keepdim=True).values
    e.exp_()
    e /= e.sum(dim=-1, keepdim=True)
    return e


def _softmax_by_torch(scores: Tensor) -> Tensor:
    return F.softmax(scores, dim=-1)


SOFTMAX = Exercise(
    chapter=2,
    points=2,
    reference=attention.softmax,
    cases=_softmax_cases,
    mistakes=(
        unstable,
        over_columns,
        over_everything,
        one_maximum_for_all,
        mean_taken_away,
        log_softmax,
        no_exponential,
        sigmoid,
        hard_choice,
        keepdim_forgotten,
        powers_of_two,
        not_divided,
        input_overwritten,
    ),
    alternatives=(_softmax_by_loops, _softmax_by_logs, _softmax_in_place, _softmax_by_torch),
    hints=(
        "Every score becomes a positive number, and each row is then divided by its own sum.",
        "`sum(-1, keepdim=True)` sums each row and keeps the shape that the division needs. "
        "Take each row's maximum away first, so that nothing overflows.",
        "take from each row its maximum; take the exponential; divide each row by its sum",
    ),
)

# --- soft_lookup ----------------------------------------------------------------------------


def _lookup_cases(generator: torch.Generator) -> list[Case]:
    def library(n: int, d: int, d_v: int, scale: float = 1.0) -> tuple[Tensor, Tensor, Tensor]:
        query = normal(generator, d, scale=scale)
        keys = normal(generator, n, d)
        return query, keys, normal(generator, n, d_v)

    whole = (
        torch.tensor([1.0, 0.0]),
        torch.tensor([[2.0, 0.0], [0.0, 2.0]]),
        torch.tensor([[10.0, 0.0, 0.0], [0.0, 10.0, 20.0]]),
    )
    query, keys, values = library(4, 3, 3)
    long = (normal(generator, 4, scale=30.0), normal(generator, 5, 4), normal(generator, 5, 2))
    return [
        Case("two keys, values of three numbers", whole),
        Case("3 keys of 4 numbers, values of 2", library(3, 4, 2)),
        Case("keys and values of the same size", (query, keys, values)),
        Case("as many keys as numbers in each", library(4, 4, 4)),
        Case("a single key", library(1, 3, 2)),
        Case("a long query, which nearly makes a hard choice", long),
        Case("a tiny query, which blends all alike", library(6, 5, 3, 1e-3)),
        Case("values far from zero", (query, keys, 100 + values)),
        Case("tensors that are not stored row by row",
             tuple(scattered(x) for x in library(5, 3, 4))),
    ]  # fmt: skip


@mistake(
    "You return the value of the best key alone. That is the hard lookup; "
    "the soft one blends all values.",
    "When two keys fit almost equally well, what should happen to the second one's value?",
)
def hard_lookup(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    return values[(keys @ query).argmax()]


@mistake(
    "You blend with the raw scores. They can be negative and do not sum to one.",
    "Which function of this chapter turns scores into weights?",
)
def raw_scores(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    return (keys @ query) @ values


@mistake(
    "Every value gets the same weight: your result is their average, whatever the query is.",
    "Where does your function compare the query with the keys?",
)
def query_ignored(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    return values.mean(0)


@mistake(
    "You blend the keys. Keys are there to be found; what is handed out are the values.",
    "Your weights are right. Which matrix do you multiply them with?",
)
def keys_blended(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    return torch.softmax(keys @ query, 0) @ keys


@mistake(
    "You compare the query with the values. It is the keys that say where something is found.",
    "In a library, do you search the catalogue or read every book?",
)
def matched_with_values(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    return torch.softmax(values @ query, 0) @ values


@mistake(
    "Keys and values have changed places: you search the values and hand out the keys.",
    "Which of the two is compared with the query?",
)
def keys_and_values_swapped(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    return torch.softmax(values @ query, 0) @ keys


@mistake(
    "You multiply in the other order, so each row of the values meets the weights. The weights "
    "come first: each of them belongs to a row of the values.",
    "The weights are [n] and the values [n, d_v]. In which order do the two n stand side by side?",
)
def values_first(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    return values @ torch.softmax(keys @ query, 0)


@mistake(
    "The best key gets the smallest weight: there is a minus sign too many.",
    "Should a larger dot product mean a larger or a smaller weight?",
)
def sign_flipped(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    return torch.softmax(-(keys @ query), 0) @ values


@mistake(
    "You divide the scores by the square root of d. That comes later in this chapter; "
    "`soft_lookup` uses the dot products as they are.",
    "What does the formula softmax(K q) V do to the scores before softmax?",
)
def scaled_already(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    return torch.softmax(keys @ query / math.sqrt(len(query)), 0) @ values


@mistake(
    "Your weights are exponentials that nobody divided by their sum.",
    "With one key only, its weight should be 1. What is yours?",
)
def not_normalised(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    return (keys @ query).exp() @ values


@mistake(
    "You average the weighted values. The weights sum to one already, so add, do not divide again.",
    "If all values are equal to 10, what should the blend be, and what is yours?",
)
def mean_for_sum(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    return (torch.softmax(keys @ query, 0)[:, None] * values).mean(0)


@mistake(
    "You return the weighted values one by one. The blend is their sum, one vector.",
    "How many numbers has one value, and how many has your result?",
)
def not_summed(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    return torch.softmax(keys @ query, 0)[:, None] * values


@mistake(
    "You return the weights. They say how much of each value to take; now take it.",
    "What is multiplied with the weights in the formula?",
)
def weights_returned(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    return torch.softmax(keys @ query, 0)


@mistake(
    "You compare by cosine. Here the dot product counts, lengths included.",
    "If the query becomes ten times as long, should the choice become sharper?",
)
def cosines_for_products(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    return torch.softmax(F.cosine_similarity(keys, query[None], dim=1), 0) @ values


def _lookup_by_loop(query: Tensor, keys: Tensor, values: Tensor) -> Any:
    scores = [float(key @ query) for key in keys]
    e = [math.exp(s - max(scores)) for s in scores]
    blend: Any = 0
    for weight, value in zip(e, values, strict=True):
        blend = blend + weight / sum(e) * value
    return blend


def _lookup_by_einsum(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    weights = torch.einsum("nd,d->n", keys, query).softmax(0)
    return torch.einsum("n,nv->v", weights, values)


def _lookup_by_broadcast(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    weights = F.softmax((keys * query).sum(1), dim=0)
    return (weights.unsqueeze(1) * values).sum(dim=0)


SOFT_LOOKUP = Exercise(
    chapter=2,
    points=2,
    reference=attention.soft_lookup,
    cases=_lookup_cases,
    mistakes=(
        hard_lookup,
        raw_scores,
        query_ignored,
        keys_blended,
        matched_with_values,
        keys_and_values_swapped,
        values_first,
        sign_flipped,
        scaled_already,
        not_normalised,
        mean_for_sum,
        not_summed,
        weights_returned,
        cosines_for_products,
    ),
    alternatives=(
        attention.soft_lookup_sum,
        _lookup_by_loop,
        _lookup_by_einsum,
        _lookup_by_broadcast,
    ),
    hints=(
        "Three steps: compare, turn into weights, blend.",
        "`keys @ query` compares the query with every key at once. You have `softmax` already.",
        "scores = each key's dot product with the query; weights = softmax of the scores; "
        "add up weight times value",
    ),
    builds_on=("dot", "softmax"),
)

EXERCISES = (SOFTMAX, SOFT_LOOKUP)
