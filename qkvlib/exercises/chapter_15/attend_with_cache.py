"""The newest token attends over keys and values that were kept."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from qkvlib import cached
from qkvlib.attention import scaled_dot_product_attention
from qkvlib.exercises.kit.exercise import Case, ExerciseBuilder
from qkvlib.exercises.kit.random_inputs import normal

exercise = ExerciseBuilder(
    points=3,
    needed_later=("float64",),
    builds_on=("scaled_dot_product_attention",),
    returns=("output", "k", "v"),
    hints=(
        "Compute three rows from x: a query, a key and a value. Which two of these rows do you keep?",
        "The new token may look at itself. So put its own key and value below the kept rows before its query "
        "is compared with the keys. `torch.cat([k, row])` puts a row below the others.",
        "k with x times w_k below it; v with x times w_v below it; the attention of x times w_q over these "
        "rows; return its output, and the longer k and v",
    ),
)

exercise.reference(cached.attend_with_cache)

Three = tuple[Tensor, Tensor, Tensor]


@exercise.cases
def cases(generator: torch.Generator) -> list[Case]:
    def case(m: int, d: int, d_k: int, d_v: int) -> tuple[Tensor, ...]:
        return (
            normal(generator, 1, d),
            normal(generator, d, d_k),
            normal(generator, d, d_k),
            normal(generator, d, d_v),
            normal(generator, m, d_k),
            normal(generator, m, d_v),
        )

    counted = (
        torch.tensor([[1.0, 2.0]]),
        torch.tensor([[0.0], [0.0]]),
        torch.tensor([[1.0], [1.0]]),
        torch.tensor([[2.0, 0.0], [0.0, 3.0]]),
        torch.tensor([[7.0]]),
        torch.tensor([[4.0, 0.0]]),
    )
    return [
        Case("a query of 0, so the kept row and the new one weigh a half each", counted),
        Case("the first token: nothing is kept yet", case(0, 3, 2, 4)),
        Case("3 rows are kept", case(3, 5, 2, 4)),
        Case("one row is kept", case(1, 4, 3, 2)),
        Case("all sizes equal", case(4, 4, 4, 4)),
        Case("7 rows are kept, keys wider than values", case(7, 3, 6, 2)),
        Case("numbers of float64", tuple(part.double() for part in case(3, 5, 2, 4))),
    ]


def _rows(x: Tensor, w_k: Tensor, w_v: Tensor, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
    return torch.cat([k, x @ w_k]), torch.cat([v, x @ w_v])


@exercise.mistake(
    "The output is right, but you return the rows that you were given. The new key and value are lost, so "
    "the next token will not see this token.",
    "How many rows of k does the next call get, and how many should it get?",
)
def nothing_kept(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, k: Tensor, v: Tensor) -> Three:
    output, _, _ = cached.attend_with_cache(x, w_q, w_k, w_v, k, v)
    return output, k, v


@exercise.mistake(
    "You return only the new rows. Return the kept rows, too, or the next token will see only this token.",
    "After five tokens, how many rows should k have, and how many does your k have?",
)
def new_rows_alone(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, k: Tensor, v: Tensor) -> Three:
    output, _, _ = cached.attend_with_cache(x, w_q, w_k, w_v, k, v)
    return output, x @ w_k, x @ w_v


@exercise.mistake(
    "Your first result is a tuple of two tensors, the output and the weights of attention. Return only the "
    "output in its place.",
    "When a function returns two results, how do you keep only the first?",
)
def weights_with_the_output(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, k: Tensor, v: Tensor
) -> tuple[tuple[Tensor, Tensor], Tensor, Tensor]:
    k, v = _rows(x, w_k, w_v, k, v)
    return scaled_dot_product_attention(x @ w_q, k, v), k, v


@exercise.mistake(
    "You attend first and append afterwards, so the new token does not see itself.",
    "In a causal mask, is the diagonal true or false?",
)
def itself_not_seen(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, k: Tensor, v: Tensor) -> Three:
    output, _ = scaled_dot_product_attention(x @ w_q, k, v)
    return output, *_rows(x, w_k, w_v, k, v)


@exercise.mistake(
    "The new token sees only itself, but it should also look at the kept rows.",
    "How many weights should the new query have?",
)
def itself_alone(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, k: Tensor, v: Tensor) -> Three:
    return x @ w_v, *_rows(x, w_k, w_v, k, v)


@exercise.mistake(
    "You put the new row on top. Attention without positions gives the same output, but the cache keeps its "
    "rows in the order of the tokens.",
    "Which matrix is on top in `torch.cat([a, b])`: a or b?",
)
def put_on_top(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, k: Tensor, v: Tensor) -> Three:
    k, v = torch.cat([x @ w_k, k]), torch.cat([x @ w_v, v])
    return scaled_dot_product_attention(x @ w_q, k, v)[0], k, v


@exercise.mistake(
    "You compute the new row of k with w_q, so you keep a query among the keys.",
    "Which matrix makes the rows that later queries are compared with?",
)
def query_kept(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, k: Tensor, v: Tensor) -> Three:
    return cached.attend_with_cache(x, w_q, w_q, w_v, k, v)


@exercise.mistake(
    "The new row replaces the last kept row, so k and v never grow.",
    "After five tokens, how many rows should k have?",
)
def last_replaced(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, k: Tensor, v: Tensor) -> Three:
    return cached.attend_with_cache(x, w_q, w_k, w_v, k[:-1], v[:-1])


@exercise.mistake(
    "You mask with the first row of a causal mask, so your token sees only the first key. (torch does this "
    "if you use `is_causal=True` with a single query.) But the newest token may see all rows.",
    "Which row of the mask belongs to the newest token, and is any entry of that row False?",
)
def first_row_of_the_mask(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, k: Tensor, v: Tensor) -> Three:
    k, v = _rows(x, w_k, w_v, k, v)
    return v[:1].clone(), k, v


@exercise.mistake(
    "You do not divide the scores by sqrt(d_k).",
    "How does the standard deviation of a score grow with d_k?",
)
def no_scale(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, k: Tensor, v: Tensor) -> Three:
    k, v = _rows(x, w_k, w_v, k, v)
    return (x @ w_q @ k.T).softmax(-1) @ v, k, v


@exercise.mistake(
    "You divide the scores by the root of the number of rows, not by the root of d_k. So the "
    "more rows are kept, the more even the weights become.",
    "Which of `k.shape[0]` and `k.shape[1]` is d_k?",
)
def scaled_by_length(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, k: Tensor, v: Tensor) -> Three:
    k, v = _rows(x, w_k, w_v, k, v)
    return (x @ w_q @ k.T / math.sqrt(len(k))).softmax(-1) @ v, k, v


@exercise.mistake(
    "You return only the output. Return the longer k and v, too, because they are stored nowhere else.",
    "Where does the next call get its k and v?",
)
def output_alone(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return cached.attend_with_cache(x, w_q, w_k, w_v, k, v)[0]


@exercise.mistake(
    "You keep x itself. Keep the key and the value instead: x times w_k and x times w_v.",
    "What are the rows of k from earlier tokens?",
)
def x_kept(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, k: Tensor, v: Tensor) -> Three:
    k, v = torch.cat([k, x]), torch.cat([v, x])
    return scaled_dot_product_attention(x @ w_q, k, v)[0], k, v


@exercise.mistake(
    "You use x itself as the query.",
    "Which of the three weight matrices do you not use?",
)
def query_not_projected(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, k: Tensor, v: Tensor) -> Three:
    k, v = _rows(x, w_k, w_v, k, v)
    return scaled_dot_product_attention(x, k, v)[0], k, v


@exercise.mistake(
    "You compute the new row of v with w_k.",
    "Which of the three weight matrices do you not use?",
)
def value_by_w_k(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, k: Tensor, v: Tensor) -> Three:
    return cached.attend_with_cache(x, w_q, w_k, w_k, k, v)


@exercise.mistake(
    "You swapped w_q and w_k: you ask with a key, and keep a query.",
    "Do later tokens look at a token's query or at its key?",
)
def queries_and_keys_changed(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, k: Tensor, v: Tensor) -> Three:
    return cached.attend_with_cache(x, w_k, w_q, w_v, k, v)


@exercise.mistake(
    "Everything is right except the order: you return v before k.",
    "In which order does the next call expect k and v?",
)
def k_and_v_changed(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, k: Tensor, v: Tensor) -> Three:
    output, k, v = cached.attend_with_cache(x, w_q, w_k, w_v, k, v)
    return output, v, k


@exercise.mistake(
    "`torch.cat` joins tensors with the same number of dimensions. But the kept rows are a matrix, and your "
    "new row is a vector. Make the new row a matrix of one row, such as [1, d_k].",
    "What is the shape of x @ w_k, and what is the shape of the row that you join to k?",
)
def row_without_brackets(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, k: Tensor, v: Tensor) -> Three:
    row = torch.cat([k, (x @ w_k)[0]])
    return scaled_dot_product_attention(x @ w_q, row, v)[0], row, v


@exercise.mistake(
    "The kept rows are already keys and values, but you multiply these rows by w_k and w_v again.",
    "In a text of five tokens, how many times should the first token's x be multiplied by w_k?",
)
def kept_rows_projected(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, k: Tensor, v: Tensor) -> Three:
    k, v = torch.cat([k @ w_k, x @ w_k]), torch.cat([v @ w_v, x @ w_v])
    return scaled_dot_product_attention(x @ w_q, k, v)[0], k, v


@exercise.mistake(
    "You transpose the weight matrices. Multiply x by the matrices as they are: x @ w_q.",
    "w_q has d_model rows. How many columns does x have?",
)
def tables_on_their_side(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, k: Tensor, v: Tensor) -> Three:
    k, v = _rows(x, w_k.mT, w_v.mT, k, v)
    return scaled_dot_product_attention(x @ w_q.mT, k, v)[0], k, v


@exercise.mistake(
    "Attention gets more keys than values: k has its new row, but v does not.",
    "How many rows do k and v have when you pass them to attention?",
)
def values_not_appended(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, k: Tensor, v: Tensor) -> Three:
    k, _ = _rows(x, w_k, w_v, k, v)
    return scaled_dot_product_attention(x @ w_q, k, v)[0], k, v


@exercise.mistake(
    "You add the new key to every kept row. The new key should be a separate row, below the others.",
    "How many rows does k have before the call, and how many should it have after the call?",
)
def added_to_each_row(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, k: Tensor, v: Tensor) -> Three:
    k, v = k + x @ w_k, v + x @ w_v
    return scaled_dot_product_attention(x @ w_q, k, v)[0], k, v


@exercise.mistake(
    "Everything is right, but your output has lost a dimension. It should be a matrix of one row, [1, d_v].",
    "What is the shape of x, and what is the shape of your output?",
)
def output_without_its_row(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, k: Tensor, v: Tensor) -> Three:
    output, k, v = cached.attend_with_cache(x, w_q, w_k, w_v, k, v)
    return output[0], k, v


@exercise.alternative
def _cached_by_torch(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, k: Tensor, v: Tensor) -> Three:
    k, v = torch.vstack([k, x @ w_k]), torch.vstack([v, x @ w_v])
    output = torch.nn.functional.scaled_dot_product_attention((x @ w_q)[None], k[None], v[None])
    return output.squeeze(0), k, v


@exercise.alternative
def _cached_by_loop(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, k: Tensor, v: Tensor) -> Three:
    row = x.flatten()
    query, keys, values = row @ w_q, [*k, row @ w_k], [*v, row @ w_v]
    scores = torch.stack([(query * key).sum() for key in keys]) / math.sqrt(len(query))
    output = torch.zeros_like(values[0])
    for weight, value in zip(torch.softmax(scores, 0), values, strict=True):
        output = output + weight * value
    return output[None], torch.stack(keys), torch.stack(values)


@exercise.alternative
def _cached_by_room(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, k: Tensor, v: Tensor) -> Three:
    """Allocate first, then fill, as a program does when it knows how long the text may become."""
    longer_k = torch.nn.functional.pad(k, (0, 0, 0, 1))
    longer_v = torch.nn.functional.pad(v, (0, 0, 0, 1))
    longer_k[-1], longer_v[-1] = x @ w_k, x @ w_v
    weights = torch.softmax(x @ w_q @ longer_k.mT * k.shape[1] ** -0.5, dim=-1)
    return weights @ longer_v, longer_k, longer_v
