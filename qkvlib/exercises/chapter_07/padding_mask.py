"""The mask that hides the padding."""

from __future__ import annotations

import torch
from torch import Tensor

from qkvlib import masks
from qkvlib.exercises.kit.exercise import Case, ExerciseBuilder

exercise = ExerciseBuilder(
    points=1,
    builds_on=("causal_mask",),
    hints=(
        "For each sentence: which of the positions 0 to n - 1 have a word?",
        "`torch.arange(n)` gives the positions, [n]. Compare the positions with the lengths, as [b, 1]. The "
        "result, [b, n], still lacks a dimension.",
        "entry [b, 0, j] is True when j is less than the length of sentence b",
    ),
)

exercise.reference(masks.padding_mask)


@exercise.cases
def cases(generator: torch.Generator) -> list[Case]:
    def lengths(b: int, n: int) -> tuple[Tensor, int]:
        return torch.randint(1, n + 1, (b,), generator=generator), n

    return [
        Case("two sentences of 3 and 1 words, n = 4", (torch.tensor([3, 1]), 4)),
        Case("one full, one shorter", (torch.tensor([3, 2]), 3)),
        Case("as many sentences as positions", (torch.tensor([1, 3, 2]), 3)),
        Case("a single sentence", lengths(1, 5)),
        Case("a sentence of length 0", (torch.tensor([0, 2, 4]), 4)),
        Case("a batch of 6", lengths(6, 7)),
        Case("a batch of 9", lengths(9, 30)),
    ]


@exercise.mistake(
    "The mask is inverted: True marks the padding. But here True means *may attend*.",
    "Is position 0 of a sentence of 3 words a word or padding?",
)
def padding_shown(lengths: Tensor, n: int) -> Tensor:
    return ~masks.padding_mask(lengths, n)


@exercise.mistake(
    "You hide the padding as queries: your shape is [b, n, 1]. Hide the padding as keys, so that no word "
    "looks at it.",
    "A mask is [queries, keys]. Which of these dimensions should have size 1?",
)
def queries_hidden(lengths: Tensor, n: int) -> Tensor:
    return masks.padding_mask(lengths, n).mT


@exercise.mistake(
    "The dimension of the queries is missing, so torch would read your shape [b, n] as [queries, keys].",
    "How does `mask[:, None, :]` change the shape?",
)
def axis_missing(lengths: Tensor, n: int) -> Tensor:
    return masks.padding_mask(lengths, n)[:, 0]


@exercise.mistake(
    "Your mask uses one length for all sentences, but each sentence has its own length.",
    "What should the row of the shortest sentence look like?",
)
def one_length_for_all(lengths: Tensor, n: int) -> Tensor:
    return masks.padding_mask(lengths.max().expand(len(lengths)), n)


@exercise.mistake(
    "In your mask each sentence shows one position too many.",
    "A sentence of 3 words has the positions 0, 1 and 2. Is `3 <= 3` true, and should position 3 be visible?",
)
def one_place_too_many(lengths: Tensor, n: int) -> Tensor:
    return (torch.arange(n) <= lengths[:, None])[:, None]


@exercise.mistake(
    "You return the numbers 0 and 1. But here a mask is boolean: True and False.",
    "What is the dtype of a comparison such as `a < b`?",
)
def floats_returned(lengths: Tensor, n: int) -> Tensor:
    return masks.padding_mask(lengths, n).float()


@exercise.mistake(
    "You hide the padding as queries, too, so your shape is [b, n, n], not [b, 1, n]. Then the rows of the "
    "padding are empty, and softmax turns an empty row into NaN.",
    "Does it matter what the padding looks at, if no word looks at the padding?",
)
def hidden_both_ways(lengths: Tensor, n: int) -> Tensor:
    mask = masks.padding_mask(lengths, n)
    return mask & mask.mT


@exercise.mistake(
    "Your mask shows the last positions and hides the first positions. But the padding is at the end.",
    "A sentence of 3 words is in a row of 5 positions. At which positions are the words?",
)
def padding_at_the_start(lengths: Tensor, n: int) -> Tensor:
    return masks.padding_mask(lengths, n).flip(-1)


@exercise.alternative
def _padding_by_loops(lengths: Tensor, n: int) -> Tensor:
    return torch.tensor([[[j < length for j in range(n)]] for length in lengths.tolist()])


@exercise.alternative
def _padding_in_place(lengths: Tensor, n: int) -> Tensor:
    mask = torch.zeros(len(lengths), 1, n, dtype=torch.bool)
    for i, length in enumerate(lengths):
        mask[i, 0, :length] = True
    return mask


@exercise.alternative
def _padding_by_view(lengths: Tensor, n: int) -> Tensor:
    return torch.arange(n).expand(len(lengths), 1, n).lt(lengths.view(-1, 1, 1))
