"""Keep the fewest tokens, likeliest first, that together have p."""

from __future__ import annotations

import torch
from torch import Tensor

from qkvlib import sampling
from qkvlib.exercises.kit.exercise import Case, ExerciseBuilder
from qkvlib.exercises.kit.random_inputs import normal

exercise = ExerciseBuilder(
    points=2,
    hints=(
        "Sort the probabilities, largest first, and add them up as you go. To decide whether a token stays, "
        "use the sum of the tokens *before* it rather than the sum that includes it.",
        "`probabilities.sort(descending=True)` gives the sorted numbers and their positions in the input, "
        "and `cumsum(0)` gives running sums. A token stays if the sum before it is below p.",
        "sorted, order = sort, descending; stays = cumsum minus sorted is below p; put sorted "
        "times stays into zeros at the positions in order; divide by the sum",
    ),
)


@exercise.reference
def top_p(probabilities: Tensor, p: float) -> Tensor:
    """Keep the fewest tokens, likeliest first, that together have at least p; the others get 0.

    probabilities [n] -> [n], each in its own place, with a sum of 1 again
    """
    return sampling.top_p(probabilities, p)


@exercise.cases
def cases(generator: torch.Generator) -> list[Case]:
    def drawn(n: int, spread: float = 1.5) -> Tensor:
        return normal(generator, n, scale=spread).softmax(-1)

    def between(probabilities: Tensor, kept: int) -> float:
        """A p that needs this many of them, and is far from every boundary."""
        ordered = probabilities.sort(descending=True).values.cumsum(0)
        below = float(ordered[kept - 2]) if kept > 1 else 0.0
        return (below + float(ordered[kept - 1])) / 2

    four, five, six, sure, flat = drawn(4), drawn(5), drawn(6), drawn(7, 4.0), drawn(7, 0.5)
    halves = torch.tensor([0.125, 0.5, 0.25, 0.0625, 0.0625])  # exact in binary, too
    small = torch.tensor([0.125, 0.5, 0.25, 0.075, 0.05])
    return [
        Case("five tokens that are easy to add up, of which two are needed", (small, 0.6)),
        Case("the same five tokens, of which three are needed", (small, 0.8)),
        Case("the first two tokens have p exactly", (halves, 0.75), exact=True),
        Case("the likeliest token has more than p by itself", (small, 0.3)),
        # here those that each have less than p are not those that `sort` puts first
        Case(
            "five tokens that are almost equal, of which three are needed",
            (torch.tensor([0.2, 0.25, 0.15, 0.3, 0.1]), 0.6),
        ),
        Case("4 random tokens, of which 2 are needed", (four, between(four, 2))),
        Case("5 random tokens, of which 3 are needed", (five, between(five, 3))),
        Case("6 random tokens, of which 4 are needed", (six, between(six, 4))),
        Case("a model that is almost sure", (sure, between(sure, 2))),
        Case("a model that is not sure at all", (flat, between(flat, 5))),
        Case("all tokens but the last are needed", (flat, between(flat, 6))),
        Case("p is 1: all tokens stay", (torch.tensor([0.25, 0.125, 0.5, 0.125]), 1.0)),
        Case("numbers of float64", (five.double(), between(five, 2))),
    ]


def _before(sorted_: Tensor) -> Tensor:
    """For each, the one before it."""
    return torch.cat([sorted_.new_zeros(1), sorted_[:-1]])


def _put_back(sorted_: Tensor, order: Tensor) -> Tensor:
    left = torch.zeros_like(sorted_).scatter(0, order, sorted_)
    return left / left.sum()


@exercise.mistake(
    "The tokens that stay keep their old probabilities, so the sum is no longer 1.",
    "What do the remaining probabilities sum to?",
)
def not_normalised(probabilities: Tensor, p: float) -> Tensor:
    left = sampling.top_p(probabilities, p)
    return probabilities * (left > 0)


@exercise.mistake(
    "You keep each token whose own probability is at least p. But p is a bound for the sum over the tokens "
    "that you keep.",
    "With p = 0.9 and a model that is not sure, how many tokens have a probability of at least 0.9?",
)
def each_alone(probabilities: Tensor, p: float) -> Tensor:
    left = probabilities.masked_fill(probabilities < p, 0)
    return left / left.sum()


@exercise.mistake(
    "You stop one token too early: the token that takes the sum past p is missing, so the tokens that you "
    "keep have less than p together. If the likeliest token has more than p by itself, you keep no token.",
    "With p = 0.6, is a token with 0.5 enough by itself?",
)
def one_too_few(probabilities: Tensor, p: float) -> Tensor:
    sorted_, order = probabilities.sort(descending=True)
    return _put_back(sorted_ * (sorted_.cumsum(0) <= p), order)


@exercise.mistake(
    "You stop one token too early: the tokens whose sum is still below p stay, and the token that takes the "
    "sum to p is missing. If the likeliest token has p by itself, you keep no token.",
    "With p = 0.6, is a token with 0.5 enough by itself?",
)
def one_too_few_of_all(probabilities: Tensor, p: float) -> Tensor:
    sorted_, order = probabilities.sort(descending=True)
    return _put_back(sorted_ * (sorted_.cumsum(0) < p), order)


@exercise.mistake(
    "You divide by p. The tokens that you keep have at least p together, and usually more, so the sum is "
    "not 1.",
    "With p = 0.6, two tokens with 0.5 and 0.25 stay. When you divide these two numbers by p, what do they "
    "sum to?",
)
def divided_by_p(probabilities: Tensor, p: float) -> Tensor:
    left = sampling.top_p(probabilities, p)
    return probabilities * (left > 0) / p


@exercise.mistake(
    "The tokens that you removed are missing from your result. They should get 0 and keep their positions, "
    "so that the result is as long as the input.",
    "Five numbers came in. How many numbers do you return?",
)
def others_left_away(probabilities: Tensor, p: float) -> Tensor:
    left = sampling.top_p(probabilities, p).sort(descending=True).values
    return left[left > 0]


@exercise.mistake(
    "You stop one token too early: you drop the token that takes the sum past p. You handle the case where "
    "the first token already has more than p, but not the other cases.",
    "With probabilities 0.5 and 0.25, and p = 0.6: how many tokens do you need to reach at least 0.6?",
)
def one_too_few_but_the_first(probabilities: Tensor, p: float) -> Tensor:
    sorted_, order = probabilities.sort(descending=True)
    stays = sorted_.cumsum(0) <= p
    stays[0] = True
    return _put_back(sorted_ * stays, order)


@exercise.mistake(
    "You begin with the *least* likely tokens: these stay, and the likeliest tokens are removed.",
    "What does `sort` put first by default?",
)
def least_likely_first(probabilities: Tensor, p: float) -> Tensor:
    sorted_, order = probabilities.sort()
    return _put_back(sorted_ * (sorted_.cumsum(0) - sorted_ < p), order)


@exercise.mistake(
    "You return the probabilities sorted. Each probability has to stay at its own position, because "
    "otherwise it belongs to a different token.",
    "Which token does the first number of your result belong to?",
)
def left_sorted(probabilities: Tensor, p: float) -> Tensor:
    return sampling.top_p(probabilities, p).sort(descending=True).values


@exercise.mistake(
    "You add up the probabilities in the order of the input. But the largest probabilities have to come "
    "first.",
    "If the likeliest token comes last, when does your sum reach this token?",
)
def not_sorted(probabilities: Tensor, p: float) -> Tensor:
    left = probabilities * (probabilities.cumsum(0) - probabilities < p)
    return left / left.sum()


@exercise.mistake(
    "You mark positions in the sorted probabilities, but apply the marks to the unsorted probabilities.",
    "The first mark belongs to the likeliest token. Where is this token in the input?",
)
def marks_not_put_back(probabilities: Tensor, p: float) -> Tensor:
    sorted_ = probabilities.sort(descending=True).values
    left = probabilities * (sorted_.cumsum(0) - sorted_ < p)
    return left / left.sum()


@exercise.mistake(
    "You put the sorted numbers back with the wrong indices: you apply the same reordering a second time, "
    "which does not undo the sorting.",
    "The first index that `sort` gives is the likeliest token's position in the input. Where in the result "
    "should the probability of this token go?",
)
def put_back_the_wrong_way(probabilities: Tensor, p: float) -> Tensor:
    sorted_, order = probabilities.sort(descending=True)
    left = (sorted_ * (sorted_.cumsum(0) - sorted_ < p))[order]
    return left / left.sum()


@exercise.mistake(
    "You give equal probabilities to all the tokens that you keep. But a likelier token should still be "
    "sampled more often.",
    "One token has the probability 0.5, and another has 0.25. How much more often should the first token be "
    "sampled?",
)
def shared_evenly(probabilities: Tensor, p: float) -> Tensor:
    stays = (sampling.top_p(probabilities, p) > 0).to(probabilities.dtype)
    return stays / stays.sum()


@exercise.mistake(
    "You make the sum 1 with another softmax. This softmax brings back the removed tokens, because exp(0) "
    "is 1, and changes the proportions.",
    "How do you make some numbers sum to 1 and keep their proportions?",
)
def softmax_again(probabilities: Tensor, p: float) -> Tensor:
    left = sampling.top_p(probabilities, p)
    return (probabilities * (left > 0)).softmax(0)


@exercise.mistake(
    "You remove nothing: you return the probabilities unchanged.",
    "With probabilities 0.5, 0.3 and 0.2, and p = 0.6: which of these tokens should get 0?",
)
def nothing_left_out(probabilities: Tensor, p: float) -> Tensor:
    return probabilities / probabilities.sum()


@exercise.mistake(
    "You keep one token too many: without the last of your tokens, the sum already reaches p.",
    "With probabilities 0.5 and 0.25, and p = 0.6: is a third token needed?",
)
def one_too_many(probabilities: Tensor, p: float) -> Tensor:
    sorted_, order = probabilities.sort(descending=True)
    return _put_back(sorted_ * (sorted_.cumsum(0) - sorted_ - _before(sorted_) < p), order)


@exercise.mistake(
    "When the tokens so far add up to exactly p, you keep one more token. But a sum of exactly p is enough.",
    "With probabilities 0.5 and 0.25, and p = 0.75: is a third token needed?",
)
def one_more_than_enough(probabilities: Tensor, p: float) -> Tensor:
    sorted_, order = probabilities.sort(descending=True)
    return _put_back(sorted_ * (sorted_.cumsum(0) - sorted_ <= p), order)


@exercise.mistake(
    "You hide tokens with minus infinity, which is right, but then you take the softmax of *probabilities*. "
    "Probabilities are not scores: their exponentials have different proportions.",
    "How do you make some numbers sum to 1 and keep their proportions?",
)
def softmax_of_the_probabilities(probabilities: Tensor, p: float) -> Tensor:
    out = sampling.top_p(probabilities, p) == 0
    return probabilities.masked_fill(out, -torch.inf).softmax(0)


@exercise.mistake(
    "You keep only the likeliest token. That token usually has less than p by itself, so other tokens have "
    "to stay, too.",
    "With probabilities 0.5 and 0.25, and p = 0.6: which tokens stay?",
)
def likeliest_alone(probabilities: Tensor, p: float) -> Tensor:
    sorted_, order = probabilities.sort(descending=True)
    return torch.zeros_like(probabilities).scatter(0, order[:1], torch.ones_like(sorted_[:1]))


@exercise.mistake(
    "You keep each token that has at least p times the probability of the likeliest token. But p is a bound "
    "for the sum over the tokens that you keep.",
    "With probabilities 0.5 and 0.25, and p = 0.6: what do the probabilities that your program keeps sum to?",
)
def a_share_of_the_likeliest(probabilities: Tensor, p: float) -> Tensor:
    sorted_, order = probabilities.sort(descending=True)
    return _put_back(sorted_ * (sorted_ >= p * sorted_[0]), order)


@exercise.mistake(
    "You keep a share p of the *number* of tokens. But p is a bound for the sum over the tokens that you "
    "keep, however many they are.",
    "A model is almost sure. How many tokens does it need for p = 0.9?",
)
def a_share_of_the_number(probabilities: Tensor, p: float) -> Tensor:
    sorted_, order = probabilities.sort(descending=True)
    return _put_back(sorted_ * (torch.arange(len(sorted_)) < max(1, int(p * len(sorted_)))), order)


@exercise.mistake(
    "You begin to keep tokens at the point where the sum reaches p. But at this point you should stop.",
    "With probabilities 0.5, 0.3 and 0.2, and p = 0.6: which of these tokens does your program keep?",
)
def those_beyond(probabilities: Tensor, p: float) -> Tensor:
    sorted_, order = probabilities.sort(descending=True)
    return _put_back(sorted_ * (sorted_.cumsum(0) >= p), order)


@exercise.alternative
def _by_a_loop(probabilities: Tensor, p: float) -> Tensor:
    left, have = torch.zeros_like(probabilities), 0.0
    for i in probabilities.argsort(descending=True).tolist():
        if have >= p:
            break
        left[i] = probabilities[i]
        have += float(probabilities[i])
    return left / left.sum()


@exercise.alternative
def _by_the_count(probabilities: Tensor, p: float) -> Tensor:
    """How many sums are still below p; one more is needed."""
    sums = probabilities.sort(descending=True).values.cumsum(0)
    chosen = probabilities.topk(min(int((sums < p).sum()) + 1, len(probabilities))).indices
    left = torch.zeros_like(probabilities)
    left[chosen] = probabilities[chosen]
    return left / left.sum()


@exercise.alternative
def _by_masked_logits(probabilities: Tensor, p: float) -> Tensor:
    """As libraries do: what is removed gets the score minus infinity, and softmax does the rest."""
    sorted_, order = torch.sort(probabilities, descending=True)
    out = sorted_.cumsum(0) - sorted_ >= p
    scores = probabilities.log()
    scores[order[out]] = -torch.inf
    return scores.softmax(0)
