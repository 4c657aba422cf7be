"""The vector of each token, from the table of words."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812 (torch's own name for it)

from qkvlib.exercises.kit.exercise import Case, ExerciseBuilder
from qkvlib.exercises.kit.random_inputs import normal

exercise = ExerciseBuilder(
    points=1,
    needed_later=("gradients",),
    hints=(
        "Every token is a number, and the table has a row for each number.",
        "You can put a tensor of whole numbers between the brackets: `table[...]`.",
        "for each token: its row of the table; all in the tokens' order",
    ),
)


@exercise.reference
def embed(tokens: Tensor, table: Tensor) -> Tensor:
    """The vector of each token: its row of the table. The same as one-hot rows times the table.

    embed(tokens, table) = one_hot(tokens) @ table
    """
    return table[tokens]


@exercise.cases
def cases(generator: torch.Generator) -> list[Case]:
    def case(n_tokens: int, d: int, *shape: int) -> tuple[Tensor, Tensor]:
        tokens = torch.randint(n_tokens, shape, generator=generator)
        return tokens, normal(generator, n_tokens, d)

    table = torch.tensor([[0.0, 1.0], [10.0, 11.0], [20.0, 21.0]])
    return [
        Case("three tokens, one of them twice", (torch.tensor([2, 0, 2]), table)),
        Case("4 tokens of a vocabulary of 7", case(7, 3, 4)),
        Case("as many tokens as the vocabulary has", case(4, 4, 4)),
        Case("the last token of the table", (torch.tensor([4, 1, 0]), normal(generator, 5, 2))),
        Case("a single token", case(6, 3, 1)),
        Case("2 sentences of 3 tokens", case(6, 4, 2, 3)),
        Case("a large vocabulary", case(200, 5, 6)),
    ]


@exercise.mistake(
    "You take the first rows of the table, whatever the tokens are.",
    "If the first token is number 2, which row should come first?",
)
def rows_by_position(tokens: Tensor, table: Tensor) -> Tensor:
    return table[: tokens.shape[-1]].expand(*tokens.shape, -1)


@exercise.mistake(
    "You take columns of the table. But each token has a row.",
    "A table has 7 tokens with 3 numbers each. What is the shape of the table, and how many numbers does a "
    "token's vector have?",
)
def columns_taken(tokens: Tensor, table: Tensor) -> Tensor:
    return table.T[tokens]


@exercise.mistake(
    "You add up the tokens' vectors. But each token has to keep its own vector, so that a word can attend "
    "to a single token.",
    "If two tokens change places, should the result change, and does your result change?",
)
def bag_of_words(tokens: Tensor, table: Tensor) -> Tensor:
    return table[tokens].sum(-2)


@exercise.mistake(
    "You count the rows from 1. But token 0 has row 0.",
    "Which row do you return for token 0?",
)
def counted_from_one(tokens: Tensor, table: Tensor) -> Tensor:
    return table[tokens - 1]


@exercise.mistake(
    "You return the one-hot rows. But a one-hot row only names its token. You have not used the numbers of "
    "the table yet.",
    "What do you have to multiply the one-hot rows by?",
)
def one_hot_returned(tokens: Tensor, table: Tensor) -> Tensor:
    return F.one_hot(tokens, len(table)).to(table.dtype)


@exercise.mistake(
    "You scale every vector to length one. But an embedding is the row of the table, unchanged.",
    "If a row is (3, 4), what should come out?",
)
def made_length_one(tokens: Tensor, table: Tensor) -> Tensor:
    return F.normalize(table[tokens], dim=-1)


@exercise.mistake(
    "You sort the tokens before you look them up. The rows are right, but they are no longer in the order "
    "of the words.",
    "The tokens are 2 and 0, in this order. Which token's row should come first?",
)
def tokens_sorted(tokens: Tensor, table: Tensor) -> Tensor:
    return table[tokens.sort(-1)[0]]


@exercise.mistake(
    "You look up each word only once. But a word that is in the sentence twice needs its row twice.",
    "How many rows should come out for three tokens, two of which are the same?",
)
def each_word_once(tokens: Tensor, table: Tensor) -> Tensor:
    return table[tokens.unique()]


@exercise.mistake(
    "Your function is right for one list of tokens. But you turn several sentences into a single long "
    "sentence, so the ends of the sentences are lost.",
    "For 2 sentences of 3 tokens, what should the shape of the result begin with?",
)
def sentences_joined(tokens: Tensor, table: Tensor) -> Tensor:
    return table[tokens.flatten()]


@exercise.mistake(
    "You return the whole table, whatever the tokens are.",
    "Where does your function use `tokens`?",
)
def whole_table(tokens: Tensor, table: Tensor) -> Tensor:
    return table


@exercise.mistake(
    "You take the first `len(tokens)` rows of the table. But the tokens say which rows to take.",
    "If the first token is number 2, which row should come first?",
)
def first_rows(tokens: Tensor, table: Tensor) -> Tensor:
    return table[: len(tokens)]


@exercise.mistake(
    "The vectors are transposed: each token has a column, but should have a row.",
    "For 5 tokens and a table of shape [7, 3], what shape should the result have?",
)
def vectors_on_their_side(tokens: Tensor, table: Tensor) -> Tensor:
    return table[tokens].mT


@exercise.mistake(
    "You take columns of the table. But each token has a row, and the first index selects rows.",
    "A table has 7 tokens with 3 numbers each. What is the shape of the table, and how many numbers does a "
    "token's vector have?",
)
def columns_side_by_side(tokens: Tensor, table: Tensor) -> Tensor:
    return table[:, tokens]


@exercise.alternative
def _embed_by_one_hot(tokens: Tensor, table: Tensor) -> Tensor:
    return F.one_hot(tokens, table.shape[0]).float() @ table


@exercise.alternative
def _embed_by_loop(tokens: Tensor, table: Tensor) -> Tensor:
    rows = [table[int(token)] for token in tokens.flatten()]
    return torch.stack(rows).reshape(*tokens.shape, -1)


@exercise.alternative
def _embed_by_torch(tokens: Tensor, table: Tensor) -> Tensor:
    return F.embedding(tokens, table)
