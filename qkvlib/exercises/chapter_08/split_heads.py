"""Cut x into heads."""

from __future__ import annotations

import torch
from torch import Tensor

from qkvlib import multi_head as many
from qkvlib.exercises.kit.exercise import Case, ExerciseBuilder
from qkvlib.exercises.kit.random_inputs import normal

exercise = ExerciseBuilder(
    points=2,
    needed_later=("float64", "gradients"),
    hints=(
        "Cut each word's numbers into n_heads pieces. No number leaves its word.",
        "`x.reshape(b, n, n_heads, d_k)` cuts each word's numbers into pieces. Then the heads have to come "
        "before the words.",
        "b, n, d = the shape; reshape to b, n, heads, d divided by heads; swap dimensions 1 and 2",
    ),
)

exercise.reference(many.split_heads)


@exercise.cases
def cases(generator: torch.Generator) -> list[Case]:
    def case(b: int, n: int, d: int) -> Tensor:
        return normal(generator, b, n, d)

    numbered = torch.arange(12.0).reshape(1, 3, 4)
    return [
        Case("3 words of 4 numbers in sequence, for 2 heads", (numbered, 2)),
        Case("2 sentences of 3 words, 2 heads of 3", (case(2, 3, 6), 2)),
        Case("as many heads as words as numbers in each", (case(2, 3, 9), 3)),
        Case("as many sentences as words as heads", (case(2, 2, 4), 2)),
        Case("a single head", (case(2, 3, 4), 1)),
        Case("heads of a single number", (case(1, 3, 4), 4)),
        Case("a single word", (case(2, 1, 6), 3)),
        Case("8 heads", (case(1, 5, 16), 8)),
        Case("numbers that are not stored word by word", (case(2, 6, 3).mT, 2)),
    ]


@exercise.mistake(
    "You reshape straight to [b, h, n, d_k]. The shape is right, but the words are mixed: head 0 gets "
    "numbers of the first words only, not a part of every word.",
    "x is [b, n, d]. Which dimension has to be cut into pieces, and which dimensions must stay as they are?",
)
def view_without_transpose(x: Tensor, n_heads: int) -> Tensor:
    b, n, d = x.shape
    return x.reshape(b, n_heads, n, d // n_heads)


@exercise.mistake(
    "You `view` straight to [b, h, n, d_k], which mixes the words: head 0 gets numbers of the first words "
    "only, not a part of every word. And for numbers that are stored in a different order, `view` raises an "
    "error.",
    "x is [b, n, d]. Which dimension has to be cut into pieces, and which dimensions must stay as they are?",
)
def viewed_straight(x: Tensor, n_heads: int) -> Tensor:
    b, n, d = x.shape
    return x.view(b, n_heads, n, d // n_heads)


@exercise.mistake(
    "You give head 0 the numbers 0, h, 2h of each word. But each head should get numbers that are next to "
    "each other.",
    "In `view(b, n, ?, ?)`, does the number of heads come before or after d_k?",
)
def interleaved(x: Tensor, n_heads: int) -> Tensor:
    b, n, d = x.shape
    return x.reshape(b, n, d // n_heads, n_heads).permute(0, 3, 1, 2)


@exercise.mistake(
    "Your heads come after the words: [b, n, h, d_k]. Attention multiplies the last two dimensions, so they "
    "have to be n and d_k.",
    "Which two dimensions of [b, n, h, d_k] should be swapped?",
)
def not_transposed(x: Tensor, n_heads: int) -> Tensor:
    b, n, d = x.shape
    return x.reshape(b, n, n_heads, d // n_heads)


@exercise.mistake(
    "Words and numbers are swapped: your last two dimensions are [d_k, n].",
    "After the cut the shape is [b, n, h, d_k]. Which two dimensions do you have to swap to get [b, h, n, "
    "d_k]?",
)
def words_last(x: Tensor, n_heads: int) -> Tensor:
    b, n, d = x.shape
    return x.reshape(b, n, n_heads, d // n_heads).permute(0, 2, 3, 1)


@exercise.mistake(
    "The heads come in reverse order: head 0 gets the last numbers of each word.",
    "Which numbers of a word belong to head 0?",
)
def order_reversed(x: Tensor, n_heads: int) -> Tensor:
    return many.split_heads(x, n_heads).flip(1)


@exercise.mistake(
    "The heads come before the sentences: [h, b, n, d_k].",
    "Which dimension is the batch, and where should it stay?",
)
def heads_first(x: Tensor, n_heads: int) -> Tensor:
    return many.split_heads(x, n_heads).transpose(0, 1)


@exercise.mistake(
    "You use n_heads as the width of a head.",
    "With 16 numbers and 8 heads, how wide is a head?",
)
def heads_for_width(x: Tensor, n_heads: int) -> Tensor:
    b, n, d = x.shape
    return x.reshape(b, n, d // n_heads, n_heads).transpose(1, 2)


@exercise.mistake(
    "You give every head the whole x. But each head gets its own share of the numbers.",
    "How many numbers should all heads together have, and how many does x have?",
)
def whole_x_for_all(x: Tensor, n_heads: int) -> Tensor:
    return torch.stack([x] * n_heads, dim=1)


@exercise.alternative
def _split_by_chunks(x: Tensor, n_heads: int) -> Tensor:
    return torch.stack(x.chunk(n_heads, dim=-1), dim=1)


@exercise.alternative
def _split_by_slices(x: Tensor, n_heads: int) -> Tensor:
    b, n, d = x.shape
    d_k = d // n_heads
    heads = torch.zeros(b, n_heads, n, d_k)
    for i in range(n_heads):
        heads[:, i] = x[:, :, i * d_k : (i + 1) * d_k]
    return heads


@exercise.alternative
def _split_by_permute(x: Tensor, n_heads: int) -> Tensor:
    return x.reshape(*x.shape[:2], n_heads, -1).permute(0, 2, 1, 3)
