"""How many numbers a model keeps of what it has read."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from qkvlib.exercises.kit.exercise import Case, ExerciseBuilder

exercise = ExerciseBuilder(
    points=1,
    builds_on=("attend_with_cache", "grouped_query_attention"),
    hints=(
        "Begin with one token in one head of one layer. Which two rows are kept, and how wide are they?",
        "How many key heads does a layer have, n_heads or n_kv_heads? Each layer keeps its own keys and "
        "values.",
        "2 rows of d_head numbers, for each head of keys and values, each layer, each token",
    ),
)


@exercise.reference
def count_cache(n_layers: int, n_heads: int, n_kv_heads: int, d_head: int, n_tokens: int) -> int:
    """How many numbers are kept of n_tokens tokens: a key and a value in each head that has them.

    n_heads heads ask, and n_kv_heads heads of keys and values answer.
    """
    return 2 * n_layers * n_kv_heads * d_head * n_tokens


@exercise.cases
def cases(generator: torch.Generator) -> list[Case]:
    def any_size() -> tuple[int, int, int, int, int]:
        layers, share, kv, d, n = torch.randint(2, 60, (5,), generator=generator).tolist()
        return layers, share * kv, kv, d, n

    sizes = [(1, 4, 2, 3, 5), (2, 8, 1, 4, 10), (32, 32, 32, 128, 4096), *(any_size() for _ in range(4))]
    return [
        Case(
            f"{layers} layer{'s' * (layers > 1)}, {h} heads, {kv} of keys and values, d_head {d}, {n} tokens",
            size,
        )
        for size in sizes
        for layers, h, kv, d, n in [size]
    ]


@exercise.mistake(
    "You count only the keys, or only the values.",
    "The weights come from the keys. What do the weights then blend?",
)
def keys_alone(n_layers: int, n_heads: int, n_kv_heads: int, d_head: int, n_tokens: int) -> int:
    return n_layers * n_kv_heads * d_head * n_tokens


@exercise.mistake(
    "You count a key and a value for each query head. But all query heads of a group share one key and one "
    "value.",
    "How many different keys does a token have in a layer?",
)
def one_for_each_query(n_layers: int, n_heads: int, n_kv_heads: int, d_head: int, n_tokens: int) -> int:
    return 2 * n_layers * n_heads * d_head * n_tokens


@exercise.mistake(
    "You count the queries, too, but queries are not kept.",
    "Which token looks at the query of an earlier token?",
)
def queries_too(n_layers: int, n_heads: int, n_kv_heads: int, d_head: int, n_tokens: int) -> int:
    return n_layers * (2 * n_kv_heads + n_heads) * d_head * n_tokens


@exercise.mistake(
    "You count a query, a key and a value for every query head. Queries are not kept, and the heads of a "
    "group share keys and values.",
    "Which rows of a token are kept, and for how many heads?",
)
def all_three_for_each_head(n_layers: int, n_heads: int, n_kv_heads: int, d_head: int, n_tokens: int) -> int:
    return 3 * n_layers * n_heads * d_head * n_tokens


@exercise.mistake(
    "For each head of keys and values you count three rows: a query, a key and a value. But only two of "
    "these rows are kept.",
    "Which token looks at the query of an earlier token?",
)
def three_rows(n_layers: int, n_heads: int, n_kv_heads: int, d_head: int, n_tokens: int) -> int:
    return 3 * n_layers * n_kv_heads * d_head * n_tokens


@exercise.mistake(
    "You multiply n_heads by n_kv_heads. But the number of query heads does not matter here.",
    "With 4 query heads and 2 key heads, how many keys does a token have in one layer?",
)
def heads_multiplied(n_layers: int, n_heads: int, n_kv_heads: int, d_head: int, n_tokens: int) -> int:
    return 2 * n_layers * n_heads * n_kv_heads * d_head * n_tokens


@exercise.mistake(
    "You divide n_heads by n_kv_heads. But the quotient is the number of heads that share a key, not the "
    "number of keys.",
    "With 32 query heads and 8 key heads, what is the quotient, and how many keys does a token have in one "
    "layer?",
)
def heads_of_a_group(n_layers: int, n_heads: int, n_kv_heads: int, d_head: int, n_tokens: int) -> int:
    return 2 * n_layers * (n_heads // n_kv_heads) * d_head * n_tokens


@exercise.mistake(
    "You count only one layer. But each layer has its own x, and so its own keys and values.",
    "With one head of keys and values in each layer, how many keys does a token have in 3 layers?",
)
def one_layer(n_layers: int, n_heads: int, n_kv_heads: int, d_head: int, n_tokens: int) -> int:
    return 2 * n_kv_heads * d_head * n_tokens


@exercise.mistake(
    "You count only one token. But the cache keeps the keys and values of all tokens.",
    "With one more token, how many more rows are kept in each head?",
)
def one_token(n_layers: int, n_heads: int, n_kv_heads: int, d_head: int, n_tokens: int) -> int:
    return 2 * n_layers * n_kv_heads * d_head


@exercise.mistake(
    "You use the square of n_tokens. The score matrix has that size, but no scores are kept.",
    "With one more token, how many more rows are kept in each head?",
)
def square_of_the_length(n_layers: int, n_heads: int, n_kv_heads: int, d_head: int, n_tokens: int) -> int:
    return 2 * n_layers * n_kv_heads * d_head * n_tokens**2


@exercise.mistake(
    "Your result is twice as large as it should be. Did you count bytes? The task asks for numbers, not for "
    "bytes.",
    "How many numbers does one key have, and how many bytes does a number have?",
)
def bytes_counted(n_layers: int, n_heads: int, n_kv_heads: int, d_head: int, n_tokens: int) -> int:
    return 4 * n_layers * n_kv_heads * d_head * n_tokens


@exercise.mistake(
    "You add n_heads and n_kv_heads. But the query heads keep nothing.",
    "How many key heads does a layer have, and how many value heads?",
)
def both_kinds_of_heads_added(
    n_layers: int, n_heads: int, n_kv_heads: int, d_head: int, n_tokens: int
) -> int:
    return n_layers * (n_heads + n_kv_heads) * d_head * n_tokens


@exercise.mistake(
    "You count only one head of keys and values in each layer. But a layer can have several such heads.",
    "With 2 heads of keys and values in a layer, how many rows of a token does this layer keep?",
)
def one_head_of_keys(n_layers: int, n_heads: int, n_kv_heads: int, d_head: int, n_tokens: int) -> int:
    return 2 * n_layers * d_head * n_tokens


@exercise.mistake(
    "There are two mistakes. You count only the keys, or only the values. And you count a row for every "
    "query head, but the heads of a group share keys and values.",
    "How many different keys does a token have in a layer, and how many values?",
)
def keys_alone_for_each_query(
    n_layers: int, n_heads: int, n_kv_heads: int, d_head: int, n_tokens: int
) -> int:
    return n_layers * n_heads * d_head * n_tokens


@exercise.mistake(
    "You count rows, but the task asks for numbers.",
    "You do not need `n_heads`. Which of the other numbers have you not used?",
)
def rows_counted(n_layers: int, n_heads: int, n_kv_heads: int, d_head: int, n_tokens: int) -> int:
    return 2 * n_layers * n_kv_heads * n_tokens


@exercise.mistake(
    "You count one token too few. The newest token keeps its key and value, too.",
    "In `attend_with_cache`, how many rows does k have when the newest token has been read?",
)
def newest_left_out(n_layers: int, n_heads: int, n_kv_heads: int, d_head: int, n_tokens: int) -> int:
    return 2 * n_layers * n_kv_heads * d_head * (n_tokens - 1)


@exercise.alternative
def _cache_by_shapes(n_layers: int, n_heads: int, n_kv_heads: int, d_head: int, n_tokens: int) -> int:
    k = v = (n_layers, n_kv_heads, n_tokens, d_head)
    return math.prod(k) + math.prod(v)


@exercise.alternative
def _cache_by_loop(n_layers: int, n_heads: int, n_kv_heads: int, d_head: int, n_tokens: int) -> int:
    return sum(n_kv_heads * (d_head + d_head) * n_tokens for _ in range(n_layers))


@exercise.alternative
def _cache_by_tensor(n_layers: int, n_heads: int, n_kv_heads: int, d_head: int, n_tokens: int) -> Tensor:
    return torch.tensor([n_layers, n_kv_heads, d_head, n_tokens, 2]).prod()
