"""Chapter 3, Projections: Q, K and V from one x, chosen weights, and the form behind the scores."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 (torch's own name for it)

from qkvlib import attention
from qkvlib.exercises.kit.exercise import Case, Exercise, mistake
from qkvlib.exercises.kit.random_inputs import normal, scattered

# --- project_qkv ----------------------------------------------------------------------------

Three = tuple[Tensor, Tensor, Tensor]


def _project_cases(generator: torch.Generator) -> list[Case]:
    def weights(d: int, d_k: int, d_v: int) -> Three:
        return (normal(generator, d, d_k), normal(generator, d, d_k), normal(generator, d, d_v))

    x = torch.tensor([[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]])
    w_q = torch.tensor([[1.0, 0.0, 2.0], [0.0, 1.0, -1.0]])
    w_k = torch.tensor([[0.0, 3.0, 1.0], [1.0, 0.0, 0.0]])
    w_v = torch.tensor([[2.0], [5.0]])
    return [
        Case("three words of 2 whole numbers", (x, w_q, w_k, w_v)),
        Case("3 words of 5 numbers, d_k = 4, d_v = 2",
             (normal(generator, 3, 5), *weights(5, 4, 2))),
        Case("all sizes equal", (normal(generator, 4, 4), *weights(4, 4, 4))),
        Case("a single word", (normal(generator, 1, 3), *weights(3, 2, 4))),
        Case("a batch of 2 sentences", (normal(generator, 2, 3, 4), *weights(4, 3, 5))),
        Case("large numbers", (normal(generator, 3, 4, scale=1e3), *weights(4, 2, 3))),
        Case("tiny numbers", (normal(generator, 3, 4, scale=1e-3), *weights(4, 2, 3))),
        Case("tensors that are not stored row by row",
             (scattered(normal(generator, 3, 4)), *(scattered(w) for w in weights(4, 3, 2)))),
    ]  # fmt: skip


@mistake(
    "Queries and keys are made with the same matrix, w_q. Then what a word asks for is what it "
    "offers, and w_k would never be trained.",
    "Which of the three weights does not appear in your function?",
)
def w_q_used_twice(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Three:
    return x @ w_q, x @ w_q, x @ w_v


@mistake(
    "Values are made with w_k. What a word offers to be found by and what it hands out are "
    "two different things.",
    "Which of the three weights does not appear in your function?",
)
def w_k_used_twice(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Three:
    return x @ w_q, x @ w_k, x @ w_k


@mistake(
    "Queries and keys have changed places: w_q makes the queries, and they come first.",
    "In which order does the exercise want the three results?",
)
def queries_and_keys_swapped(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Three:
    return x @ w_k, x @ w_q, x @ w_v


@mistake(
    "Keys and values have changed places.",
    "In which order does the exercise want the three results?",
)
def keys_and_values_swapped(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Three:
    return x @ w_q, x @ w_v, x @ w_k


@mistake(
    "You multiply with transposed weights. Here a weight has a row for each number that comes in "
    "and a column for each that goes out.",
    "x has 5 columns and w_q has 5 rows. Which product fits without turning anything?",
)
def weights_transposed(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Three:
    return x @ w_q.T, x @ w_k.T, x @ w_v.T


@mistake(
    "You return x three times. Queries, keys and values are three different views of x, each "
    "through its own matrix.",
    "What would w_q have to be, so that x @ w_q equals x?",
)
def not_projected(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Three:
    return x, x, x


@mistake(
    "You make the keys from the queries, and so on in a chain. All three start from x.",
    "What goes into w_k: x, or what came out of w_q?",
)
def chained(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Three:
    q = x @ w_q
    k = q @ w_k
    return q, k, k @ w_v


@mistake(
    "You multiply entry by entry. A projection is a matrix product, `@`.",
    "What is the difference between `*` and `@` for two matrices?",
)
def entry_by_entry(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Three:
    return x * w_q, x * w_k, x * w_v


@mistake(
    "The weights stand on the left, so they mix the words. A projection mixes the numbers "
    "inside each word and treats every word alike.",
    "If you change only the first word, which rows of q may change?",
)
def weights_on_the_left(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Three:
    return w_q @ x, w_k @ x, w_v @ x


@mistake(
    "The values are x itself, not projected. w_v decides what a word hands out when it is found.",
    "Which of the three weights does not appear in your function?",
)
def values_not_projected(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Three:
    return x @ w_q, x @ w_k, x


@mistake(
    "You return one long tensor. The exercise wants three results: q, k, v.",
    "How does a Python function return three things?",
)
def side_by_side(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Tensor:
    return x @ torch.cat([w_q, w_k, w_v], dim=1)


def _project_by_loops(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Any:
    def times(w: Tensor) -> Tensor:
        words = [sum(f * row for f, row in zip(word, w, strict=True))
                 for word in x.reshape(-1, x.shape[-1])]  # fmt: skip
        return torch.stack(words).reshape(*x.shape[:-1], w.shape[1])

    return [times(w_q), times(w_k), times(w_v)]


def _project_by_einsum(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Three:
    q, k, v = (torch.einsum("...d,de->...e", x, w) for w in (w_q, w_k, w_v))
    return q, k, v


def _project_by_one_product(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Any:
    widths = [w_q.shape[1], w_k.shape[1], w_v.shape[1]]
    return torch.split(x @ torch.cat([w_q, w_k, w_v], dim=1), widths, dim=-1)


def _project_by_linear(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Any:
    layer = nn.Linear(w_q.shape[0], w_q.shape[1], bias=False)
    layer.weight = nn.Parameter(w_q.T)
    return layer(x), F.linear(x, w_k.T), torch.matmul(x, w_v)


PROJECT_QKV = Exercise(
    chapter=3,
    points=2,
    reference=attention.project_qkv,
    cases=_project_cases,
    mistakes=(
        w_q_used_twice,
        w_k_used_twice,
        queries_and_keys_swapped,
        keys_and_values_swapped,
        weights_transposed,
        not_projected,
        chained,
        entry_by_entry,
        weights_on_the_left,
        values_not_projected,
        side_by_side,
    ),
    alternatives=(
        _project_by_loops,
        _project_by_einsum,
        _project_by_one_product,
        _project_by_linear,
    ),
    hints=(
        "The same x goes through three matrices.",
        "`x @ w` multiplies every word of x with w. The order of the results is q, k, v.",
        "q is x times w_q; k is x times w_k; v is x times w_v; return all three",
    ),
    returns=("q", "k", "v"),
)

# --- bilinear_form --------------------------------------------------------------------------


def _bilinear_cases(generator: torch.Generator) -> list[Case]:
    def pair(d: int, d_k: int, scale: float = 1.0) -> tuple[Tensor, Tensor]:
        return normal(generator, d, d_k, scale=scale), normal(generator, d, d_k, scale=scale)

    whole = (torch.tensor([[1.0, 2.0], [0.0, 1.0], [3.0, 0.0]]),
             torch.tensor([[0.0, 1.0], [2.0, 0.0], [1.0, 1.0]]))  # fmt: skip
    return [
        Case("3 rows of 2 whole numbers", whole),
        Case("5 rows of 3 random numbers", pair(5, 3)),
        Case("square weights", pair(4, 4)),
        Case("wide weights", pair(2, 6)),
        Case("a single column", pair(3, 1)),
        Case("large numbers", pair(4, 2, 1e3)),
        Case("tiny numbers", pair(4, 2, 1e-3)),
        Case("tensors that are not stored row by row", (*map(scattered, pair(4, 3)),)),
    ]


@mistake(
    "Your matrix is transposed. Its entry [a, b] belongs to feature a of the word that asks and "
    "feature b of the word that is found.",
    "In x_i M x_j, on which side does the query stand, and so which weight comes first?",
)
def keys_first(w_q: Tensor, w_k: Tensor) -> Tensor:
    return w_k @ w_q.T


@mistake(
    "You multiply along the rows: w_q^T w_k is [d_k, d_k]. "
    "The form takes two words, so it is [d_model, d_model].",
    "Write q . k as x_i w_q (x_j w_k)^T. What does the transposition do to x_j w_k?",
)
def inner_product(w_q: Tensor, w_k: Tensor) -> Tensor:
    return w_q.T @ w_k


@mistake(
    "You multiply without a transposition. Each query number meets the key number of the same "
    "column, so the columns have to be summed over.",
    "Which sizes stand next to each other in w_q @ w_k, and which should?",
)
def not_transposed(w_q: Tensor, w_k: Tensor) -> Tensor:
    return w_q @ w_k


@mistake(
    "You multiply entry by entry.",
    "The form takes a word on each side. What shape does it need, if a word has d_model numbers?",
)
def entries_multiplied(w_q: Tensor, w_k: Tensor) -> Tensor:
    return w_q * w_k


@mistake(
    "You use w_q twice. The form is then symmetric, and A looks at B exactly as B looks at A.",
    "Which of the two weights does your function never read?",
)
def w_q_with_itself(w_q: Tensor, w_k: Tensor) -> Tensor:
    return w_q @ w_q.T


@mistake(
    "You divide by sqrt(d_k). The scores are scaled, but the form itself is just the product.",
    "What does the formula x_i (W_Q W_K^T) x_j put between the two words?",
)
def scaled_form(w_q: Tensor, w_k: Tensor) -> Tensor:
    return w_q @ w_k.T / w_q.shape[1] ** 0.5


@mistake(
    "You average the form with its transpose. That makes it symmetric, and what makes attention "
    "one-sided is lost.",
    "Should *its* looking at *law* force *law* to look at *its*?",
)
def made_symmetric(w_q: Tensor, w_k: Tensor) -> Tensor:
    form = w_q @ w_k.T
    return (form + form.T) / 2


def _bilinear_by_columns(w_q: Tensor, w_k: Tensor) -> Any:
    return sum(torch.outer(a, b) for a, b in zip(w_q.T, w_k.T, strict=True))


def _bilinear_by_loops(w_q: Tensor, w_k: Tensor) -> Tensor:
    form = torch.zeros(len(w_q), len(w_k))
    for a in range(len(w_q)):
        for b in range(len(w_k)):
            form[a, b] = (w_q[a] * w_k[b]).sum()
    return form


def _bilinear_by_einsum(w_q: Tensor, w_k: Tensor) -> Tensor:
    return torch.einsum("ac,bc->ab", w_q, w_k)


BILINEAR_FORM = Exercise(
    chapter=3,
    points=1,
    reference=attention.bilinear_form,
    cases=_bilinear_cases,
    mistakes=(
        keys_first,
        inner_product,
        not_transposed,
        entries_multiplied,
        w_q_with_itself,
        scaled_form,
        made_symmetric,
    ),
    alternatives=(_bilinear_by_columns, _bilinear_by_loops, _bilinear_by_einsum),
    hints=(
        "Write the score of two words in full: (x_i w_q) times (x_j w_k) transposed.",
        "Transposing a product turns its order around: (A B)^T = B^T A^T.",
        "everything between x_i and x_j transposed is w_q times w_k transposed",
    ),
    builds_on=("project_qkv",),
)

EXERCISES = (PROJECT_QKV, BILINEAR_FORM)
