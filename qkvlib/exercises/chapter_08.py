"""Chapter 8, Many heads: to the heads and back."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from qkvlib import heads as many
from qkvlib.exercises.kit.exercise import Case, Exercise, mistake
from qkvlib.exercises.kit.random_inputs import normal, scattered

# --- split_heads ----------------------------------------------------------------------------


def _split_cases(generator: torch.Generator) -> list[Case]:
    def case(b: int, n: int, d: int) -> Tensor:
        return normal(generator, b, n, d)

    numbered = torch.arange(12.0).reshape(1, 3, 4)
    return [
        Case("3 words of 4 numbers, counted through, for 2 heads", (numbered, 2)),
        Case("2 sentences of 3 words, 2 heads of 3", (case(2, 3, 6), 2)),
        Case("as many heads as words as numbers in each", (case(2, 3, 9), 3)),
        Case("as many sentences as words as heads", (case(2, 2, 4), 2)),
        Case("a single head", (case(2, 3, 4), 1)),
        Case("heads of a single number", (case(1, 3, 4), 4)),
        Case("a single word", (case(2, 1, 6), 3)),
        Case("8 heads", (case(1, 5, 16), 8)),
        Case("numbers that are not stored word by word", (case(2, 6, 3).mT, 2)),
    ]


@mistake(
    "You `view` straight to [b, h, n, d_k]. The shape is right and the words are mixed: "
    "head 0 gets the first words whole, not a part of every word.",
    "Which dimensions does `view` have to cut into pieces here, and which must it leave alone?",
)
def view_without_transpose(x: Tensor, n_heads: int) -> Tensor:
    b, n, d = x.shape
    return x.reshape(b, n_heads, n, d // n_heads)


@mistake(
    "You `view` straight to [b, h, n, d_k]. That mixes the words: head 0 gets the first words "
    "whole, not a part of every word. And where the numbers are stored otherwise, it raises.",
    "Which dimensions does `view` have to cut into pieces here, and which must it leave alone?",
)
def viewed_straight(x: Tensor, n_heads: int) -> Tensor:
    b, n, d = x.shape
    return x.view(b, n_heads, n, d // n_heads)


@mistake(
    "You deal the numbers out one by one, like cards: head 0 gets the numbers 0, h, 2h. "
    "Each head gets a run of neighbours.",
    "In `view(b, n, ?, ?)`, does the number of heads come before or after d_k?",
)
def interleaved(x: Tensor, n_heads: int) -> Tensor:
    b, n, d = x.shape
    return x.reshape(b, n, d // n_heads, n_heads).permute(0, 3, 1, 2)


@mistake(
    "The heads stand behind the words: [b, n, h, d_k]. Attention multiplies the last two "
    "dimensions, so these have to be words and numbers.",
    "Which two dimensions should change places after `view`?",
)
def not_transposed(x: Tensor, n_heads: int) -> Tensor:
    b, n, d = x.shape
    return x.reshape(b, n, n_heads, d // n_heads)


@mistake(
    "Words and numbers have changed places: your last two dimensions are [d_k, n].",
    "After `view` the shape is [b, n, h, d_k]. Which two change places in [b, h, n, d_k]?",
)
def words_last(x: Tensor, n_heads: int) -> Tensor:
    b, n, d = x.shape
    return x.reshape(b, n, n_heads, d // n_heads).permute(0, 2, 3, 1)


@mistake(
    "The heads come in reverse order: head 0 gets the last numbers of each word.",
    "Which numbers of a word belong to head 0?",
)
def order_reversed(x: Tensor, n_heads: int) -> Tensor:
    return many.split_heads(x, n_heads).flip(1)


@mistake(
    "The heads come before the sentences: [h, b, n, d_k].",
    "Which dimension is the batch, and where should it stay?",
)
def heads_first(x: Tensor, n_heads: int) -> Tensor:
    return many.split_heads(x, n_heads).transpose(0, 1)


@mistake(
    "n_heads is taken for the width of a head.",
    "With 16 numbers and 8 heads, how wide is a head?",
)
def heads_for_width(x: Tensor, n_heads: int) -> Tensor:
    b, n, d = x.shape
    return x.reshape(b, n, d // n_heads, n_heads).transpose(1, 2)


@mistake(
    "You give every head the whole x. Each head gets its own share of the numbers.",
    "How many numbers do all heads together hold, and how many does x?",
)
def whole_x_for_all(x: Tensor, n_heads: int) -> Tensor:
    return torch.stack([x] * n_heads, dim=1)


def _split_by_chunks(x: Tensor, n_heads: int) -> Tensor:
    return torch.stack(x.chunk(n_heads, dim=-1), dim=1)


def _split_by_slices(x: Tensor, n_heads: int) -> Tensor:
    b, n, d = x.shape
    d_k = d // n_heads
    heads = torch.zeros(b, n_heads, n, d_k)
    for i in range(n_heads):
        heads[:, i] = x[:, :, i * d_k : (i + 1) * d_k]
    return heads


def _split_by_permute(x: Tensor, n_heads: int) -> Tensor:
    return x.reshape(*x.shape[:2], n_heads, -1).permute(0, 2, 1, 3)


SPLIT_HEADS = Exercise(
    chapter=8,
    points=2,
    reference=many.split_heads,
    cases=_split_cases,
    mistakes=(
        view_without_transpose,
        viewed_straight,
        interleaved,
        not_transposed,
        words_last,
        order_reversed,
        heads_first,
        heads_for_width,
        whole_x_for_all,
    ),
    alternatives=(_split_by_chunks, _split_by_slices, _split_by_permute),
    hints=(
        "Each word's numbers are cut into n_heads pieces. No number leaves its word.",
        "`x.reshape(b, n, n_heads, d_k)` cuts. Then the heads have to come before the words.",
        "b, n, d = the shape; reshape to b, n, heads, d divided by heads; swap dimensions 1 and 2",
    ),
)

# --- merge_heads ----------------------------------------------------------------------------


def _merge_cases(generator: torch.Generator) -> list[Case]:
    def case(b: int, h: int, n: int, d: int) -> Tensor:
        return normal(generator, b, h, n, d)

    numbered = torch.arange(12.0).reshape(1, 2, 3, 2)
    return [
        Case("2 heads, 3 words, counted through", (numbered,)),
        Case("2 sentences, 2 heads, 3 words, width 4", (case(2, 2, 3, 4),)),
        Case("all sizes equal", (case(3, 3, 3, 3),)),
        Case("a single head", (case(2, 1, 3, 4),)),
        Case("heads of a single number", (case(2, 4, 3, 1),)),
        Case("a single word", (case(2, 3, 1, 2),)),
        Case("8 heads", (case(1, 8, 4, 2),)),
        Case("numbers that are not stored in order", (scattered(case(2, 3, 4, 2)),)),
    ]


@mistake(
    "You reshape without bringing the heads back behind the words. The shape is right, and every "
    "word gets pieces of other words.",
    "What was the last step of `split_heads`, and so what is the first step back?",
)
def merged_without_transpose(heads: Tensor) -> Tensor:
    b, h, n, d = heads.shape
    return heads.reshape(b, n, h * d)


@mistake(
    "The heads' numbers are shuffled into each other like cards. They belong side by side: first "
    "all of head 0, then all of head 1.",
    "In which order do h and d_v have to stand when the last two dimensions are joined?",
)
def interleaved_back(heads: Tensor) -> Tensor:
    return heads.permute(0, 2, 3, 1).flatten(-2)


@mistake(
    "You add the heads up. Side by side, each keeps its own numbers, and W_O mixes them later.",
    "With 2 heads of width 4, how wide should the result be?",
)
def heads_summed(heads: Tensor) -> Tensor:
    return heads.sum(1)


@mistake(
    "You average the heads. What one head found would be watered down by the others.",
    "With 2 heads of width 4, how wide should the result be?",
)
def heads_averaged(heads: Tensor) -> Tensor:
    return heads.mean(1)


@mistake(
    "You put the heads below each other, as if they were more words.",
    "How many rows should a sentence of 3 words have after merging?",
)
def heads_as_words(heads: Tensor) -> Tensor:
    return heads.flatten(1, 2)


@mistake(
    "The heads come in reverse order.",
    "If you split and merge again, should you get back what you had?",
)
def reversed_back(heads: Tensor) -> Tensor:
    return many.merge_heads(heads.flip(1))


@mistake(
    "You use the first head only.",
    "How many heads are there, and how many appear in your result?",
)
def first_head_only(heads: Tensor) -> Tensor:
    return heads[:, 0]


@mistake(
    "`view` reads the numbers as they are stored, and `transpose` has not moved them. "
    "That is what the error says.",
    "Which method does what `view` does, and copies when it has to?",
)
def view_after_transpose(heads: Tensor) -> Tensor:
    b, h, n, d = heads.shape
    return heads.transpose(1, 2).view(b, n, h * d)


def _merge_by_cat(heads: Tensor) -> Tensor:
    return torch.cat(list(heads.unbind(1)), dim=-1)


def _merge_contiguous(heads: Tensor) -> Tensor:
    b, h, n, d = heads.shape
    return heads.transpose(1, 2).contiguous().view(b, n, h * d)


def _merge_by_slices(heads: Tensor) -> Any:
    b, h, n, d = heads.shape
    merged = torch.empty(b, n, h * d)
    for i in range(h):
        merged[..., i * d : (i + 1) * d] = heads[:, i]
    return merged


MERGE_HEADS = Exercise(
    chapter=8,
    points=1,
    reference=many.merge_heads,
    cases=_merge_cases,
    mistakes=(
        merged_without_transpose,
        interleaved_back,
        heads_summed,
        heads_averaged,
        heads_as_words,
        reversed_back,
        first_head_only,
        view_after_transpose,
    ),
    alternatives=(_merge_by_cat, _merge_contiguous, _merge_by_slices),
    hints=(
        "It is `split_heads` backwards, step by step.",
        "First swap heads and words back; then join the last two dimensions with `reshape`.",
        "b, h, n, d = the shape; swap dimensions 1 and 2; reshape to b, n, h times d",
    ),
    builds_on=("split_heads",),
)

EXERCISES = (SPLIT_HEADS, MERGE_HEADS)
