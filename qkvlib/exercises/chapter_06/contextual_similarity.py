"""One word in two sentences, compared after attention."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812 (torch's own name for it)

from qkvlib import attention
from qkvlib.exercises.kit.exercise import Case, ExerciseBuilder
from qkvlib.exercises.kit.random_inputs import normal

exercise = ExerciseBuilder(
    points=2,
    builds_on=("project_qkv", "scaled_dot_product_attention", "cosine_similarity"),
    hints=(
        "A word's contextual vector is its row of attention's output.",
        "Run attention on x and on y separately. Then use `cosine_similarity`.",
        "out_x = attention of x with x; out_y = attention of y with y; "
        "cosine of row i of out_x and row j of out_y",
    ),
)


@exercise.reference
def contextual_similarity(
    x: Tensor, y: Tensor, i: int, j: int, w_q: Tensor, w_k: Tensor, w_v: Tensor
) -> Tensor:
    """How alike word i of sentence x and word j of sentence y are after attention.

    Each sentence is attended to by itself. The cosine of output i of x and output j of y.
    """
    out_x, out_y = (
        attention.scaled_dot_product_attention(*attention.project_qkv(s, w_q, w_k, w_v))[0] for s in (x, y)
    )
    return attention.cosine_similarity(out_x[i : i + 1], out_y[j : j + 1])[0, 0]


Sim = Any


@exercise.cases
def cases(generator: torch.Generator) -> list[Case]:
    def case(n: int, m: int, i: int, j: int, d: int, d_k: int, d_v: int) -> tuple[Any, ...]:
        weights = (normal(generator, d, size) for size in (d_k, d_k, d_v))
        return normal(generator, n, d), normal(generator, m, d), i, j, *weights

    x, y, _, _, *weights = case(4, 3, 0, 0, 4, 3, 5)
    y[1] = x[2]
    return [
        Case("two words of sentences of 2 and 3 words", case(2, 3, 1, 0, 3, 3, 2)),
        Case("the same word, *bank*, in two sentences", (x, y, 2, 1, *weights)),
        Case("two sentences of the same length", case(3, 3, 0, 2, 4, 2, 4)),
        Case("the first word of each", case(4, 5, 0, 0, 5, 5, 5)),
        Case("the last word of each", case(3, 5, 2, 4, 4, 4, 4)),
        Case("a word with itself", (x, x, 1, 1, *weights)),
        Case("a longer sentence", case(8, 6, 5, 3, 6, 3, 4)),
    ]


def _outputs(x: Tensor, weights: tuple[Tensor, ...]) -> Tensor:
    q, k, v = attention.project_qkv(x, *weights)
    return attention.scaled_dot_product_attention(q, k, v)[0]


def _cosine(a: Tensor, b: Tensor) -> Tensor:
    return F.cosine_similarity(a, b, dim=-1)


@exercise.mistake(
    "You compare the input vectors, which are the same for *bank* in every sentence. But only the output of "
    "attention depends on the context.",
    "If word i and word j are the same word, should the result always be 1?",
)
def before_attention(x: Tensor, y: Tensor, i: int, j: int, *weights: Tensor) -> Sim:
    return _cosine(x[i], y[j])


@exercise.mistake(
    "You return the dot product. Divide it by both lengths, because only the direction counts.",
    "What should a word compared with itself give?",
)
def dot_for_cosine(x: Tensor, y: Tensor, i: int, j: int, *weights: Tensor) -> Sim:
    return _outputs(x, weights)[i] @ _outputs(y, weights)[j]


@exercise.mistake(
    "You join the two sentences, so that their words attend to each other. But each sentence should attend "
    "only to itself.",
    "If only sentence y changes, should the output of word i in sentence x change?",
)
def sentences_joined(x: Tensor, y: Tensor, i: int, j: int, *weights: Tensor) -> Sim:
    out = _outputs(torch.cat([x, y]), weights)
    return _cosine(out[i], out[len(x) + j])


@exercise.mistake(
    "You compare the averages of the sentences. But the question is about word i and word j.",
    "Where does your function use i and j?",
)
def sentences_averaged(x: Tensor, y: Tensor, i: int, j: int, *weights: Tensor) -> Sim:
    return _cosine(_outputs(x, weights).mean(0), _outputs(y, weights).mean(0))


@exercise.mistake(
    "You compare the values, x w_v. But values are not blended yet, so they do not depend on the context.",
    "Which step lets a word take something from its neighbours?",
)
def values_compared(x: Tensor, y: Tensor, i: int, j: int, *weights: Tensor) -> Sim:
    return _cosine(x[i] @ weights[2], y[j] @ weights[2])


@exercise.mistake(
    "You take word i in both sentences.",
    "Which argument is the position of the word in the second sentence?",
)
def i_in_both(x: Tensor, y: Tensor, i: int, j: int, *weights: Tensor) -> Sim:
    return _cosine(_outputs(x, weights)[i], _outputs(y, weights)[i])


@exercise.mistake(
    "i and j are swapped: you take word j of x and word i of y.",
    "Does i count the words of x or the words of y?",
)
def i_and_j_swapped(x: Tensor, y: Tensor, i: int, j: int, *weights: Tensor) -> Sim:
    return _cosine(_outputs(x, weights)[j], _outputs(y, weights)[i])


@exercise.mistake(
    "The words of x look at y, and the words of y look at x. That is cross-attention, but here each "
    "sentence looks at itself.",
    "For the outputs of x, where should the keys come from?",
)
def across_sentences(x: Tensor, y: Tensor, i: int, j: int, *weights: Tensor) -> Sim:
    w_q, w_k, w_v = weights
    out_x, _ = attention.cross_attention(x, y, w_q, w_k, w_v)
    out_y, _ = attention.cross_attention(y, x, w_q, w_k, w_v)
    return _cosine(out_x[i], out_y[j])


@exercise.mistake(
    "You return the whole matrix of cosines. Return only the number for word i and word j.",
    "In which row and which column of the matrix is that number?",
)
def whole_table(x: Tensor, y: Tensor, i: int, j: int, *weights: Tensor) -> Sim:
    return attention.cosine_similarity(_outputs(x, weights), _outputs(y, weights))


@exercise.mistake(
    "The number is right, but it is in a matrix with one row and one column.",
    "How do you take a number out of a matrix, by its row and its column?",
)
def table_of_one(x: Tensor, y: Tensor, i: int, j: int, *weights: Tensor) -> Sim:
    return contextual_similarity(x, y, i, j, *weights).reshape(1, 1)


@exercise.mistake(
    "You do not divide the scores by sqrt(d_k).",
    "Which of your functions computes all of attention, including the square root?",
)
def no_scale(x: Tensor, y: Tensor, i: int, j: int, *weights: Tensor) -> Sim:
    w_q, w_k, w_v = weights
    return contextual_similarity(x, y, i, j, w_q * w_k.shape[-1] ** 0.5, w_k, w_v)


@exercise.alternative
def _similarity_by_hand(x: Tensor, y: Tensor, i: int, j: int, *w: Tensor) -> Sim:
    def output(s: Tensor, place: int) -> Tensor:
        scores = (s @ w[1]) @ (s[place] @ w[0]) / w[0].shape[1] ** 0.5
        return scores.softmax(0) @ (s @ w[2])

    a, b = output(x, i), output(y, j)
    return (a @ b / (a.norm() * b.norm())).item()


@exercise.alternative
def _similarity_by_torch(x: Tensor, y: Tensor, i: int, j: int, *w: Tensor) -> Sim:
    a = F.scaled_dot_product_attention(x @ w[0], x @ w[1], x @ w[2])[i]
    b = F.scaled_dot_product_attention(y @ w[0], y @ w[1], y @ w[2])[j]
    return F.cosine_similarity(a[None], b[None])[0]


@exercise.alternative
def _similarity_of_unit_vectors(x: Tensor, y: Tensor, i: int, j: int, *w: Tensor) -> Sim:
    a = F.normalize(_outputs(x, w), dim=-1)
    b = F.normalize(_outputs(y, w), dim=-1)
    return (a @ b.T)[i, j]
