"""From the gradients of q, k and v to the gradients of their weight matrices."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from qkvlib import gradients
from qkvlib.exercises.kit.exercise import Case, ExerciseBuilder
from qkvlib.exercises.kit.random_inputs import normal, scattered

exercise = ExerciseBuilder(
    points=2,
    needed_later=("float64",),
    builds_on=("project_qkv", "attention_backward"),
    returns=("d_w_q", "d_w_k", "d_w_v"),
    hints=(
        "One rule, three times: for y = x w, the gradient of w is computed from x and d_y.",
        "A gradient has the shape of its weight matrix, such as [d_model, d_k]. Which product of x and "
        "d_q has this shape?",
        "x transposed times d_q; the same with d_k and with d_v",
    ),
)

exercise.reference(gradients.projection_gradients)

Three = tuple[Tensor, Tensor, Tensor]


@exercise.cases
def cases(generator: torch.Generator) -> list[Case]:
    def case(n: int, d: int, d_k: int, d_v: int, scale: float = 1.0) -> Any:
        shapes = ((n, d_k), (n, d_k), (n, d_v))
        return (normal(generator, n, d), *(normal(generator, *s, scale=scale) for s in shapes))

    return [
        Case(
            "two words of 2 whole numbers",
            (
                torch.tensor([[1.0, 0.0], [2.0, 3.0]]),
                torch.tensor([[1.0, 1.0], [0.0, 2.0]]),
                torch.tensor([[0.0, 1.0], [5.0, 0.0]]),
                torch.tensor([[2.0], [1.0]]),
            ),
        ),
        Case("3 words of 5 numbers, d_k = 4, d_v = 2", case(3, 5, 4, 2)),
        Case("all sizes equal", case(4, 4, 4, 4)),
        Case("a single word", case(1, 3, 2, 4)),
        Case("more words than numbers", case(6, 2, 3, 3)),
        Case("large gradients", case(3, 4, 2, 5, 1e3)),
        Case("tiny gradients", case(3, 4, 2, 5, 1e-4)),
        Case("tensors that are not stored row by row", (*map(scattered, case(3, 4, 2, 5)),)),
    ]


@exercise.mistake(
    "You do not transpose x. The gradient of a weight matrix is a sum over the words, so the dimension of "
    "the words has to disappear.",
    "x is [n, d_model] and d_q is [n, d_k]. How do you get [d_model, d_k]?",
)
def x_not_transposed(x: Tensor, d_q: Tensor, d_k: Tensor, d_v: Tensor) -> Three:
    return x @ d_q, x @ d_k, x @ d_v


@exercise.mistake(
    "Your gradients are transposed. But a gradient has the shape of its matrix, and w_q is [d_model, d_k].",
    "If w_q has the shape [5, 2], what shape should its gradient have, and what shape does your gradient "
    "have?",
)
def results_transposed(x: Tensor, d_q: Tensor, d_k: Tensor, d_v: Tensor) -> Three:
    return d_q.T @ x, d_k.T @ x, d_v.T @ x


@exercise.mistake(
    "You use d_q for all three weight matrices. But each weight matrix makes a different projection, with "
    "its own gradient.",
    "Which of d_q, d_k and d_v is the gradient of x @ w_k?",
)
def d_q_for_all(x: Tensor, d_q: Tensor, d_k: Tensor, d_v: Tensor) -> Three:
    return x.T @ d_q, x.T @ d_q, x.T @ d_q


@exercise.mistake(
    "The gradients of w_q and w_k are swapped.",
    "In which order does the docstring name the three results?",
)
def results_swapped(x: Tensor, d_q: Tensor, d_k: Tensor, d_v: Tensor) -> Three:
    return x.T @ d_k, x.T @ d_q, x.T @ d_v


@exercise.mistake(
    "You divide by the number of words. But the chain rule adds up the gradients of all words. If the loss "
    "is an average, d_q already includes the division.",
    "A change of w_q raises the loss by 0.1 through each of 3 words. How much does the loss rise altogether?",
)
def averaged_over_words(x: Tensor, d_q: Tensor, d_k: Tensor, d_v: Tensor) -> Three:
    return x.T @ d_q / len(x), x.T @ d_k / len(x), x.T @ d_v / len(x)


@exercise.mistake(
    "Only the first word counts in your gradients.",
    "Which words were projected with w_q?",
)
def first_word_only(x: Tensor, d_q: Tensor, d_k: Tensor, d_v: Tensor) -> Three:
    return x[:1].T @ d_q[:1], x[:1].T @ d_k[:1], x[:1].T @ d_v[:1]


@exercise.mistake(
    "You add up the words before you multiply. First multiply each word's x by that word's own gradient.",
    "If the gradient of word 1 is zero, should the x of word 1 affect the result?",
)
def words_summed_first(x: Tensor, d_q: Tensor, d_k: Tensor, d_v: Tensor) -> Three:
    total = x.sum(0)
    return (
        torch.outer(total, d_q.sum(0)),
        torch.outer(total, d_k.sum(0)),
        torch.outer(total, d_v.sum(0)),
    )


@exercise.mistake(
    "You reverse the sign, but a gradient points uphill. Only the step downhill reverses the sign.",
    "Which function takes the step, this one or `sgd_step`?",
)
def sign_turned(x: Tensor, d_q: Tensor, d_k: Tensor, d_v: Tensor) -> Three:
    return -x.T @ d_q, -x.T @ d_k, -x.T @ d_v


@exercise.alternative
def _projection_by_words(x: Tensor, d_q: Tensor, d_k: Tensor, d_v: Tensor) -> Any:
    def total(d: Tensor) -> Any:
        return sum(torch.outer(word, own) for word, own in zip(x, d, strict=True))

    return [total(d_q), total(d_k), total(d_v)]


@exercise.alternative
def _projection_by_einsum(x: Tensor, d_q: Tensor, d_k: Tensor, d_v: Tensor) -> Any:
    return tuple(torch.einsum("nd,nk->dk", x, d) for d in (d_q, d_k, d_v))


@exercise.alternative
def _projection_by_autograd(x: Tensor, d_q: Tensor, d_k: Tensor, d_v: Tensor) -> Any:
    weights = [torch.zeros(x.shape[1], d.shape[1], requires_grad=True) for d in (d_q, d_k, d_v)]
    return torch.autograd.grad([x @ w for w in weights], weights, [d_q, d_k, d_v])
