"""Chapter 7, Order and masks: the two masks."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from qkvlib import masks
from qkvlib.exercises.kit.exercise import Case, Exercise, mistake
from qkvlib.exercises.kit.random_inputs import any_size

# --- causal_mask ----------------------------------------------------------------------------


def _causal_cases(generator: torch.Generator) -> list[Case]:
    sizes = [3, 1, 2, 5, any_size(generator, 6, 40), any_size(generator, 40, 90)]
    return [Case(f"n = {n}", (n,)) for n in sizes]


@mistake(
    "Your mask is upside down: each word sees itself and what comes after it.",
    "Row i is the word that looks. May word 0 look at word 2?",
)
def upper_triangle(n: int) -> Tensor:
    return torch.ones(n, n).triu().bool()


@mistake(
    "The mask is inverted: True stands where looking is forbidden. Here True means *may attend*.",
    "What should mask[2, 0] be: may word 2 look back at word 0?",
)
def inverted(n: int) -> Tensor:
    return torch.ones(n, n).triu(1).bool()


@mistake(
    "A word may not see itself in your mask. The first word then has nobody to look at.",
    "What should stand on the diagonal?",
)
def diagonal_hidden(n: int) -> Tensor:
    return torch.ones(n, n).tril(-1).bool()


@mistake(
    "Each word may see one word too many: the next one, which it is to predict.",
    "Which is the last word that word 0 may see?",
)
def one_too_many(n: int) -> Tensor:
    return torch.ones(n, n).tril(1).bool()


@mistake(
    "You return 0 and minus infinity, a mask to be added. Here a mask is boolean.",
    "What does a boolean mask hold where a word may be seen?",
)
def additive(n: int) -> Tensor:
    return torch.zeros(n, n).masked_fill(torch.ones(n, n).triu(1).bool(), -math.inf)


@mistake(
    "You return the numbers 0 and 1. Here a mask is boolean: True and False.",
    "Which dtype has the result of a comparison such as `a >= b`?",
)
def numbers_for_booleans(n: int) -> Tensor:
    return torch.ones(n, n).tril()


@mistake(
    "Everybody may see everything in your mask.",
    "May word 0 see word 1, which comes after it?",
)
def nothing_hidden(n: int) -> Tensor:
    return torch.ones(n, n).bool()


@mistake(
    "Each word may see only itself. It may see what came before, too.",
    "What may the last word see?",
)
def only_itself(n: int) -> Tensor:
    return torch.eye(n).bool()


def _causal_by_comparison(n: int) -> Tensor:
    place = torch.arange(n)
    return place[:, None] >= place[None, :]


def _causal_by_loops(n: int) -> Tensor:
    return torch.tensor([[j <= i for j in range(n)] for i in range(n)])


def _causal_by_inverse(n: int) -> Tensor:
    return torch.ones(n, n).triu(diagonal=1) == 0


def _causal_in_place(n: int) -> Tensor:
    mask = torch.zeros(n, n, dtype=torch.bool)
    for i in range(n):
        mask[i, : i + 1] = True
    return mask


CAUSAL_MASK = Exercise(
    chapter=7,
    points=1,
    reference=masks.causal_mask,
    cases=_causal_cases,
    mistakes=(
        upper_triangle,
        inverted,
        diagonal_hidden,
        one_too_many,
        additive,
        numbers_for_booleans,
        nothing_hidden,
        only_itself,
    ),
    alternatives=(
        _causal_by_comparison,
        _causal_by_loops,
        _causal_by_inverse,
        _causal_in_place,
    ),
    hints=(
        "Write the mask for 3 words on paper: a row for each word that looks.",
        "`torch.tril` keeps the lower triangle. The result has to be boolean.",
        "entry [i, j] is True when j is not greater than i",
    ),
)

# --- padding_mask ---------------------------------------------------------------------------


def _padding_cases(generator: torch.Generator) -> list[Case]:
    def lengths(b: int, n: int) -> tuple[Tensor, int]:
        return torch.randint(1, n + 1, (b,), generator=generator), n

    return [
        Case("two sentences of 3 and 1 words, n = 4", (torch.tensor([3, 1]), 4)),
        Case("one full, one shorter", (torch.tensor([3, 2]), 3)),
        Case("as many sentences as places", (torch.tensor([1, 3, 2]), 3)),
        Case("a single sentence", lengths(1, 5)),
        Case("a sentence of length 0", (torch.tensor([0, 2, 4]), 4)),
        Case("a batch of 6", lengths(6, 7)),
        Case("a batch of 9", lengths(9, 30)),
    ]


@mistake(
    "The mask is inverted: True stands at the padding. Here True means *may attend*.",
    "Is place 0 of a sentence of 3 words a word or padding?",
)
def padding_shown(lengths: Tensor, n: int) -> Tensor:
    return ~masks.padding_mask(lengths, n)


@mistake(
    "You hide the padding as queries: your shape is [b, n, 1]. It has to be hidden as keys, so "
    "that no word looks at it.",
    "A mask is [queries, keys]. Which of the two should the 1 stand for?",
)
def queries_hidden(lengths: Tensor, n: int) -> Tensor:
    return masks.padding_mask(lengths, n).mT


@mistake(
    "The axis of the queries is missing: [b, n] would be read as [queries, keys].",
    "How does `mask[:, None, :]` change the shape?",
)
def axis_missing(lengths: Tensor, n: int) -> Tensor:
    return masks.padding_mask(lengths, n)[:, 0]


@mistake(
    "All sentences get one length. Each has its own.",
    "What should the row of the shortest sentence look like?",
)
def one_length_for_all(lengths: Tensor, n: int) -> Tensor:
    return masks.padding_mask(lengths.max().expand(len(lengths)), n)


@mistake(
    "Each sentence shows one place too many.",
    "A sentence of 3 words has the places 0, 1 and 2. Is `3 <= 3` true, and should place 3 show?",
)
def one_place_too_many(lengths: Tensor, n: int) -> Tensor:
    return (torch.arange(n) <= lengths[:, None])[:, None]


@mistake(
    "You return the numbers 0 and 1. Here a mask is boolean: True and False.",
    "Which dtype has the result of a comparison such as `a < b`?",
)
def floats_returned(lengths: Tensor, n: int) -> Tensor:
    return masks.padding_mask(lengths, n).float()


@mistake(
    "You hide the padding as queries too: [b, n, n]. The rows of the padding are then empty, "
    "and an empty row is where NaN comes from. The shape wanted is [b, 1, n].",
    "Does it matter what the padding itself looks at, if nobody looks at the padding?",
)
def hidden_both_ways(lengths: Tensor, n: int) -> Tensor:
    mask = masks.padding_mask(lengths, n)
    return mask & mask.mT


@mistake(
    "Your mask fills up from the right: the last places show and the first are hidden. "
    "The padding stands at the end.",
    "Where are the words of a sentence of 3 in a row of 5 places?",
)
def padding_at_the_start(lengths: Tensor, n: int) -> Tensor:
    return masks.padding_mask(lengths, n).flip(-1)


def _padding_by_loops(lengths: Tensor, n: int) -> Tensor:
    return torch.tensor([[[j < length for j in range(n)]] for length in lengths.tolist()])


def _padding_in_place(lengths: Tensor, n: int) -> Tensor:
    mask = torch.zeros(len(lengths), 1, n, dtype=torch.bool)
    for i, length in enumerate(lengths):
        mask[i, 0, :length] = True
    return mask


def _padding_by_view(lengths: Tensor, n: int) -> Tensor:
    return torch.arange(n).expand(len(lengths), 1, n).lt(lengths.view(-1, 1, 1))


PADDING_MASK = Exercise(
    chapter=7,
    points=1,
    reference=masks.padding_mask,
    cases=_padding_cases,
    mistakes=(
        padding_shown,
        queries_hidden,
        axis_missing,
        one_length_for_all,
        one_place_too_many,
        floats_returned,
        hidden_both_ways,
        padding_at_the_start,
    ),
    alternatives=(_padding_by_loops, _padding_in_place, _padding_by_view),
    hints=(
        "For each sentence: which of the places 0 to n - 1 hold a word?",
        "`torch.arange(n)` are the places. Compare them with each sentence's length, and mind the "
        "shapes: [n] against [b, 1].",
        "entry [b, 0, j] is True when j is less than the length of sentence b",
    ),
    builds_on=("causal_mask",),
)

EXERCISES = (CAUSAL_MASK, PADDING_MASK)
