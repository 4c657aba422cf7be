"""Chapter 7, Order and masks: who may look at whom, and vectors that tell the place."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from qkvlib import masks, positions
from qkvlib.exercises.exercise import Case, Exercise, mistake

# --- causal_mask ----------------------------------------------------------------------------


def _any_size(generator: torch.Generator, least: int, most: int) -> int:
    return int(torch.randint(least, most, (), generator=generator))


def _causal_cases(generator: torch.Generator) -> list[Case]:
    sizes = [3, 1, 2, 5, _any_size(generator, 6, 40), _any_size(generator, 40, 90)]
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

# --- positional_encoding --------------------------------------------------------------------


def _encoding_cases(generator: torch.Generator) -> list[Case]:
    sizes = [(3, 4), (1, 2), (4, 4), (5, 8), (10, 6)]
    sizes += [(_any_size(generator, 3, 60), 2 * _any_size(generator, 2, 16)) for _ in range(3)]
    return [Case(f"n = {n}, d = {d}", (n, d)) for n, d in sizes]


def _angles(n: int, d: int, base: float = 10_000.0) -> Tensor:
    return torch.arange(n)[:, None] / base ** (torch.arange(0, d, 2) / d)


def _alternating(even: Tensor, odd: Tensor) -> Tensor:
    return torch.stack([even, odd], dim=-1).flatten(1)


@mistake(
    "All sines come first, then all cosines. Here they alternate: each pair of columns is one hand "
    "of a clock. Both are used in the world, and one model must keep to one.",
    "Which columns are `encoding[:, 0::2]`?",
)
def in_halves(n: int, d: int) -> Tensor:
    return torch.cat([_angles(n, d).sin(), _angles(n, d).cos()], dim=1)


@mistake(
    "The exponent is too small by half: pair i has the exponent 2i / d, and you use i / d.",
    "Columns 2 and 3 are pair 1. With d = 4, what is their exponent?",
)
def exponent_i_over_d(n: int, d: int) -> Tensor:
    angles = torch.arange(n)[:, None] / 10_000 ** (torch.arange(d // 2) / d)
    return _alternating(angles.sin(), angles.cos())


@mistake(
    "There are only sines. The cosine beside each sine tells the two halves of a turn apart.",
    "Which angles between 0 and 180 degrees have the same sine?",
)
def sines_only(n: int, d: int) -> Tensor:
    return _alternating(_angles(n, d).sin(), _angles(n, d).sin())


@mistake(
    "You count positions from 1. The first position is 0, all sines 0 and all cosines 1.",
    "What does `torch.arange(n)` begin with?",
)
def counted_from_one(n: int, d: int) -> Tensor:
    return positions.positional_encoding(n + 1, d)[1:]


@mistake(
    "The cosine comes before the sine in each pair.",
    "What should the first two numbers of position 0 be?",
)
def cosine_first(n: int, d: int) -> Tensor:
    return _alternating(_angles(n, d).cos(), _angles(n, d).sin())


@mistake(
    "Your base is 1000; the formula has 10000.",
    "How many zeros has ten thousand?",
)
def another_base(n: int, d: int) -> Tensor:
    return _alternating(_angles(n, d, 1000.0).sin(), _angles(n, d, 1000.0).cos())


@mistake(
    "Every column has a frequency of its own. The two columns of a pair share theirs, or they "
    "would not be one hand of a clock.",
    "Columns 0 and 1 are one pair. What is sin^2 + cos^2 of one angle, and what do you get?",
)
def own_frequency_a_column(n: int, d: int) -> Tensor:
    angles = torch.arange(n)[:, None] / 10_000 ** (torch.arange(d) / d)
    return _alternating(angles[:, 0::2].sin(), angles[:, 1::2].cos())


@mistake(
    "Your table is transposed: positions are rows.",
    "What shape should the table have for n = 3 positions and d = 4?",
)
def table_transposed(n: int, d: int) -> Tensor:
    return positions.positional_encoding(n, d).T


@mistake(
    "You multiply by the power of 10000. The hands should become slower from pair to pair, and "
    "yours become faster.",
    "Which hand of a clock is the slowest, and which pair of columns?",
)
def multiplied(n: int, d: int) -> Tensor:
    angles = torch.arange(n)[:, None] * 10_000 ** (torch.arange(0, d, 2) / d)
    return _alternating(angles.sin(), angles.cos())


def _encoding_by_loops(n: int, d: int) -> Tensor:
    def number(t: int, column: int) -> float:
        angle = t / 10_000 ** ((column - column % 2) / d)
        return math.cos(angle) if column % 2 else math.sin(angle)

    return torch.tensor([[number(t, column) for column in range(d)] for t in range(n)])


def _encoding_by_exp(n: int, d: int) -> Tensor:
    speed = torch.exp(torch.arange(0, d, 2).float() * (-math.log(10_000.0) / d))
    angle = torch.arange(n).float().unsqueeze(1) * speed
    table = torch.zeros(n, d)
    table[:, 0::2] = torch.sin(angle)
    table[:, 1::2] = torch.cos(angle)
    return table


def _encoding_by_shift(n: int, d: int) -> Any:
    """A cosine is a sine a quarter of a turn ahead."""
    pair = torch.arange(d) // 2
    angle = torch.arange(n)[:, None] / torch.pow(torch.tensor(10_000.0), 2 * pair / d)
    return torch.sin(angle + (torch.arange(d) % 2) * (math.pi / 2))


POSITIONAL_ENCODING = Exercise(
    chapter=7,
    points=2,
    reference=positions.positional_encoding,
    cases=_encoding_cases,
    mistakes=(
        in_halves,
        exponent_i_over_d,
        sines_only,
        counted_from_one,
        cosine_first,
        another_base,
        own_frequency_a_column,
        table_transposed,
        multiplied,
    ),
    alternatives=(_encoding_by_loops, _encoding_by_exp, _encoding_by_shift),
    hints=(
        "Each pair of columns is a hand of a clock: its sine and its cosine, one speed.",
        "`torch.arange(0, d, 2)` are the numbers 2i. `table[:, 0::2]` are the even columns.",
        "angle = position divided by 10000 to the power 2i / d; sine in column 2i, cosine next",
    ),
)

EXERCISES = (CAUSAL_MASK, PADDING_MASK, POSITIONAL_ENCODING)
