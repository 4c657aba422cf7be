"""Attention without softmax, over a memory of fixed size."""

from __future__ import annotations

import torch
from torch import Tensor

from qkvlib import attention
from qkvlib.exercises.kit.exercise import Case, ExerciseBuilder
from qkvlib.exercises.kit.random_inputs import normal

exercise = ExerciseBuilder(
    points=2,
    builds_on=("causal_mask", "scaled_dot_product_attention"),
    hints=(
        "There are two ways. Update the memory in a loop; or use the scores themselves as weights, and set "
        "the scores of later tokens to a number that adds nothing.",
        "The loop: token i first adds its matrix, `k[i]` down and `v[i]` across, and then reads "
        "with `q[i]`. The product: without softmax a hidden score is 0, not minus infinity.",
        "memory = zeros [d_k, d_v]; for each i: memory = memory + k[i][:, None] * v[i]; row i of "
        "the output = q[i] @ memory; stack the rows",
    ),
)

exercise.reference(attention.linear_attention)


@exercise.cases
def cases(generator: torch.Generator) -> list[Case]:
    def case(n: int, d_k: int, d_v: int) -> tuple[Tensor, Tensor, Tensor]:
        return (
            normal(generator, n, d_k),
            normal(generator, n, d_k),
            normal(generator, n, d_v),
        )

    counted = (
        torch.tensor([[1.0, 0.0], [1.0, 1.0], [0.0, 2.0]]),
        torch.tensor([[1.0, 0.0], [0.0, 1.0], [2.0, 1.0]]),
        torch.tensor([[5.0, 0.0], [0.0, 3.0], [1.0, 1.0]]),
    )
    return [
        Case("three tokens with small whole numbers", counted),
        Case("5 tokens, keys of 3 numbers, values of 4", case(5, 3, 4)),
        Case("4 tokens, keys of 4 numbers, values of 2", case(4, 4, 2)),
        Case("a single token", case(1, 3, 2)),
        Case("all sizes equal", case(4, 4, 4)),
        Case("more tokens than the memory has numbers", case(9, 2, 3)),
        Case("numbers of float64", tuple(x.double() for x in case(3, 2, 5))),
    ]


def _scores(q: Tensor, k: Tensor) -> Tensor:
    return (q @ k.mT).tril()


@exercise.mistake(
    "Every token reads a memory that contains all tokens, even later tokens.",
    "Which tokens should be in the memory when the first token reads?",
)
def not_causal(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return q @ (k.mT @ v)


@exercise.mistake(
    "You read before you write, so a token does not see itself, and the first token reads an empty memory.",
    "In a causal mask, may a token look at itself?",
)
def read_before_written(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return _scores(q, k).tril(-1) @ v


@exercise.mistake(
    "Your memory holds only the last token, because you overwrite the memory instead of adding to it.",
    "After the second token, what is left of the first token's matrix?",
)
def overwritten(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return (q * k).sum(-1, keepdim=True) * v


@exercise.mistake(
    "You multiply k[i] and v[i] element by element. But a token's matrix holds every number of the key times "
    "every number of the value, so the key has to be a column.",
    "How many products do a key of 3 numbers and a value of 4 numbers give?",
)
def number_by_number(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    memory, rows = torch.zeros(k.shape[-1], v.shape[-1], dtype=k.dtype), []
    for i in range(len(q)):
        memory = memory + k[i] * v[i]
        rows.append(q[i] @ memory)
    return torch.stack(rows)


@exercise.mistake(
    "`k[i] @ v[i]` is a dot product, a single number. But a token's matrix has every number of the key times "
    "every number of the value.",
    "How many products do a key of 3 numbers and a value of 4 numbers give?",
)
def dot_product_written(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    memory, rows = torch.zeros(k.shape[-1], v.shape[-1], dtype=k.dtype), []
    for i in range(len(q)):
        memory = memory + k[i] @ v[i]
        rows.append(q[i] @ memory)
    return torch.stack(rows)


@exercise.mistake(
    "In your matrices the value runs down and the key runs across. So a query reads a mixture of keys "
    "instead of values.",
    "In `q[i] @ memory`, which dimension of the memory is summed over, and which dimension is left?",
)
def table_on_its_side(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    memory, rows = torch.zeros(k.shape[-1], v.shape[-1], dtype=k.dtype), []
    for i in range(len(q)):
        memory = memory + v[i][:, None] * k[i]
        rows.append(q[i] @ memory)
    return torch.stack(rows)


@exercise.mistake(
    "You mask the memory. But the rows and columns of the memory are the numbers of a key and of a value, "
    "not tokens.",
    "Which matrix has a row for each query and a column for each key?",
)
def memory_masked(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return q @ (k.mT @ v).tril()


@exercise.mistake(
    "Your function still has a softmax. With a softmax you cannot move the brackets, so no memory of fixed "
    "size is enough.",
    "What is left of attention when softmax is taken out?",
)
def softmax_kept(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    mask = torch.ones(len(q), len(q)).tril() == 1
    return attention.scaled_dot_product_attention(q, k, v, mask)[0]


@exercise.mistake(
    "Your function still has a softmax, although it no longer divides by sqrt(d_k). Without softmax, the "
    "scores themselves are the weights.",
    "What is left of attention when softmax is taken out?",
)
def softmax_kept_unscaled(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    hidden = torch.ones(len(q), len(q)).triu(1) == 1
    return (q @ k.mT).masked_fill(hidden, -torch.inf).softmax(-1) @ v


@exercise.mistake(
    "You divide by sqrt(d_k). That division keeps softmax soft, but there is no softmax here.",
    "In chapter 2, what did dividing by the square root prevent?",
)
def scaled(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return _scores(q, k) @ v / k.shape[-1] ** 0.5


@exercise.mistake(
    "You divide by the number of tokens so far, which turns the sum into a mean. But the task asks for the "
    "sum itself.",
    "If all tokens are equal, should the rows of the output be equal, or should they grow?",
)
def mean_for_sum(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return _scores(q, k) @ v / torch.arange(1, len(q) + 1, dtype=q.dtype)[:, None]


@exercise.mistake(
    "You divide each row by the sum of its scores. Scores may be negative, so their sum may be close to "
    "zero, and then the numbers of the row become huge.",
    "Does any line of the formula make the weights sum to one?",
)
def rows_normalised(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    scores = _scores(q, k)
    return scores / scores.sum(-1, keepdim=True) @ v


@exercise.mistake(
    "You write the query into the memory, and read from the memory with the key.",
    "Which vector of an earlier token do later tokens compare their queries with?",
)
def roles_swapped(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return _scores(k, q) @ v


@exercise.mistake(
    "You write keys where the values belong, so each query reads a blend of keys.",
    "What should a query get back when it matches a key?",
)
def keys_handed_out(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return _scores(q, k) @ k


@exercise.mistake(
    "You hide tokens in the wrong direction: each token sees itself and the tokens *after* it.",
    "Are the visible entries of a causal mask below or above the diagonal?",
)
def later_ones_seen(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return (q @ k.mT).triu() @ v


@exercise.mistake(
    "You hide scores with minus infinity. Softmax would turn minus infinity into 0. But without softmax, "
    "minus infinity goes into the sum.",
    "By which number do you multiply a value that should add nothing?",
)
def hidden_by_infinity(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    hidden = torch.ones(len(q), len(q)).triu(1) == 1
    return (q @ k.mT).masked_fill(hidden, -torch.inf) @ v


@exercise.mistake(
    "You return the final memory. Return what each token reads from the memory instead.",
    "Which has one row for each token, the memory or the output?",
)
def memory_returned(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return k.mT @ v


@exercise.mistake(
    "You return only the last token's row.",
    "How many tokens read from the memory?",
)
def last_row_alone(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return q[-1] @ (k.mT @ v)


@exercise.alternative
def _by_a_product(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return torch.tril(q @ k.mT) @ v


@exercise.alternative
def _by_a_mask(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    seen = torch.ones(len(q), len(k), dtype=q.dtype).tril()
    return (torch.einsum("id,jd->ij", q, k) * seen).matmul(v)


@exercise.alternative
def _by_loops(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    rows = []
    for i in range(len(q)):
        row = torch.zeros_like(v[0])
        for j in range(i + 1):
            row = row + (q[i] * k[j]).sum() * v[j]
        rows.append(row)
    return torch.stack(rows)


@exercise.alternative
def _by_all_tables(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Every token's memory at once: fast, but it keeps n matrices where one is enough."""
    memories = (k[:, :, None] * v[:, None, :]).cumsum(0)
    return (q[:, None] @ memories)[:, 0]
