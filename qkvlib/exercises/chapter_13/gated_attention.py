"""Attention followed by a gate."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from qkvlib.attention import scaled_dot_product_attention
from qkvlib.exercises.kit.exercise import Case, ExerciseBuilder
from qkvlib.exercises.kit.random_inputs import normal

exercise = ExerciseBuilder(
    points=2,
    builds_on=("scaled_dot_product_attention",),
    hints=(
        "Compute the output of attention and the gate separately, and combine them at the end.",
        "`torch.sigmoid` turns any number into a number between 0 and 1. The gate is computed from x, which "
        "has a row for each query, and not from the output of attention.",
        "gate = sigmoid of x times w_gate; output of attention, without the weights; the product of gate and "
        "output, element by element",
    ),
)


@exercise.reference
def gated_attention(q: Tensor, k: Tensor, v: Tensor, x: Tensor, w_gate: Tensor) -> Tensor:
    """Attention whose output x can turn down, by a gate between 0 and 1.

    q is [*b n d_k], k is [*b m d_k], v is [*b m d_v], x is [*b n d_model], and w_gate is
    [d_model d_v], or [d_model 1] for one gate for each row. The result is [*b n d_v].
    """
    output, _ = scaled_dot_product_attention(q, k, v)
    return torch.sigmoid(x @ w_gate) * output


@exercise.cases
def cases(generator: torch.Generator) -> list[Case]:
    def case(n: int, m: int, d_k: int, d_v: int, d_model: int, gates: int, *b: int) -> tuple[Tensor, ...]:
        return (
            normal(generator, *b, n, d_k),
            normal(generator, *b, m, d_k),
            normal(generator, *b, m, d_v),
            normal(generator, *b, n, d_model),
            normal(generator, d_model, gates),
        )

    counted = (
        torch.tensor([[0.0], [0.0]]),
        torch.tensor([[1.0], [2.0]]),
        torch.tensor([[8.0, 0.0], [0.0, 4.0]]),
        torch.tensor([[0.0, 1.0], [2.0, -1.0]]),
        torch.tensor([[1.0], [0.0]]),
    )
    return [
        Case("two queries of 0, so each key weighs a half; one gate for each row", counted),
        Case("a gate for each number of the output", case(3, 3, 2, 4, 5, 4)),
        Case("3 queries, 5 keys", case(3, 5, 2, 4, 6, 4)),
        Case("3 queries, 5 keys, one gate for each row", case(3, 5, 4, 2, 3, 1)),
        Case("all sizes equal", case(4, 4, 4, 4, 4, 4)),
        Case("a batch of 2", case(3, 4, 2, 5, 3, 5, 2)),
        Case(
            "gates that are almost shut, or wide open",
            (*case(2, 3, 4, 2, 1, 1)[:3], torch.tensor([[-30.0], [30.0]]), torch.ones(1, 1)),
        ),
    ]


def _attended(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return scaled_dot_product_attention(q, k, v)[0]


@exercise.mistake(
    "You compute attention without the gate.",
    "What do you do with `x` and `w_gate`?",
)
def gate_forgotten(q: Tensor, k: Tensor, v: Tensor, x: Tensor, w_gate: Tensor) -> Tensor:
    return _attended(q, k, v)


@exercise.mistake(
    "Your gate has no limits: it can be negative, or larger than one.",
    "Which function turns any number into a number between 0 and 1?",
)
def no_sigmoid(q: Tensor, k: Tensor, v: Tensor, x: Tensor, w_gate: Tensor) -> Tensor:
    return (x @ w_gate) * _attended(q, k, v)


@exercise.mistake(
    "You use softmax for the gate. But the outputs of a softmax sum to one, so a row's only gate would "
    "always be 1.",
    "If a row should let nothing through, what should all the numbers of its gate be?",
)
def softmax_for_sigmoid(q: Tensor, k: Tensor, v: Tensor, x: Tensor, w_gate: Tensor) -> Tensor:
    return (x @ w_gate).softmax(-1) * _attended(q, k, v)


@exercise.mistake(
    "You use tanh for the gate. But tanh gives numbers from -1 to 1, so your gate can reverse the sign of "
    "the output.",
    "Which function turns any number into a number between 0 and 1?",
)
def tanh_for_sigmoid(q: Tensor, k: Tensor, v: Tensor, x: Tensor, w_gate: Tensor) -> Tensor:
    return (x @ w_gate).tanh() * _attended(q, k, v)


@exercise.mistake(
    "Your gate is closed where it should be open, because you subtract the sigmoid from one.",
    "Should a large number in x @ w_gate let much or little through?",
)
def shut_for_open(q: Tensor, k: Tensor, v: Tensor, x: Tensor, w_gate: Tensor) -> Tensor:
    return (1 - torch.sigmoid(x @ w_gate)) * _attended(q, k, v)


@exercise.mistake(
    "You add the gate. But a gate is a factor: 0 lets nothing through, and 1 lets everything through.",
    "Where the gate is 0, what should the output be, and what is it in your program?",
)
def gate_added(q: Tensor, k: Tensor, v: Tensor, x: Tensor, w_gate: Tensor) -> Tensor:
    return torch.sigmoid(x @ w_gate) + _attended(q, k, v)


@exercise.mistake(
    "You gate the values, before they are blended. But the gate comes after the blend.",
    "Does the gate have a row for each query, or for each key?",
)
def values_gated(q: Tensor, k: Tensor, v: Tensor, x: Tensor, w_gate: Tensor) -> Tensor:
    return _attended(q, k, torch.sigmoid(x @ w_gate) * v)


@exercise.mistake(
    "You compute the gate from the output of attention. Compute the gate from x.",
    "If the values change and x stays the same, should the gate change?",
)
def gate_of_the_output(q: Tensor, k: Tensor, v: Tensor, x: Tensor, w_gate: Tensor) -> Tensor:
    output = _attended(q, k, v)
    return torch.sigmoid(output @ w_gate) * output


@exercise.mistake(
    "The gate is right, but you do not divide the scores of attention by sqrt(d_k).",
    "How does the standard deviation of a score grow with d_k?",
)
def no_scale(q: Tensor, k: Tensor, v: Tensor, x: Tensor, w_gate: Tensor) -> Tensor:
    return torch.sigmoid(x @ w_gate) * ((q @ k.mT).softmax(-1) @ v)


@exercise.mistake(
    "You return the weights as well. Return only the gated output.",
    "Which of your two results has a column for each key?",
)
def weights_too(q: Tensor, k: Tensor, v: Tensor, x: Tensor, w_gate: Tensor) -> tuple[Tensor, Tensor]:
    output, weights = scaled_dot_product_attention(q, k, v)
    return torch.sigmoid(x @ w_gate) * output, weights


@exercise.mistake(
    "Your gate is always fully open or fully closed. But a sigmoid can give any number between 0 and 1.",
    "How much does your gate change when x changes a little?",
)
def all_or_nothing(q: Tensor, k: Tensor, v: Tensor, x: Tensor, w_gate: Tensor) -> Tensor:
    return (x @ w_gate > 0) * _attended(q, k, v)


@exercise.mistake(
    "You use relu for the gate. But relu can be larger than one, so your gate can make the output larger.",
    "Which function turns any number into a number between 0 and 1?",
)
def relu_for_sigmoid(q: Tensor, k: Tensor, v: Tensor, x: Tensor, w_gate: Tensor) -> Tensor:
    return (x @ w_gate).relu() * _attended(q, k, v)


@exercise.mistake(
    "You take the sigmoid after you have multiplied by the output of attention. But only the gate goes "
    "through the sigmoid.",
    "Can your result be negative, or larger than one?",
)
def sigmoid_of_all(q: Tensor, k: Tensor, v: Tensor, x: Tensor, w_gate: Tensor) -> Tensor:
    return torch.sigmoid(x @ w_gate * _attended(q, k, v))


@exercise.mistake(
    "All your rows share one gate, computed from the average of x @ w_gate. But each row has its own gate.",
    "How many rows does x @ w_gate have?",
)
def one_gate_for_all(q: Tensor, k: Tensor, v: Tensor, x: Tensor, w_gate: Tensor) -> Tensor:
    return torch.sigmoid((x @ w_gate).mean()) * _attended(q, k, v)


@exercise.mistake(
    "You compute the gate from the queries.",
    "Which of the five inputs do you never use?",
)
def gate_of_the_queries(q: Tensor, k: Tensor, v: Tensor, x: Tensor, w_gate: Tensor) -> Tensor:
    return torch.sigmoid(q @ w_gate) * _attended(q, k, v)


@exercise.alternative
def _gated_by_hand(q: Tensor, k: Tensor, v: Tensor, x: Tensor, w_gate: Tensor) -> Tensor:
    weights = torch.softmax(q @ k.mT / math.sqrt(q.shape[-1]), dim=-1)
    return (weights @ v) / (1 + (-(x @ w_gate)).exp())


@exercise.alternative
def _gated_by_torch(q: Tensor, k: Tensor, v: Tensor, x: Tensor, w_gate: Tensor) -> Tensor:
    output = torch.nn.functional.scaled_dot_product_attention(q, k, v)
    return output.mul(x.matmul(w_gate).sigmoid())


@exercise.alternative
def _gated_by_einsum(q: Tensor, k: Tensor, v: Tensor, x: Tensor, w_gate: Tensor) -> Tensor:
    weights = torch.einsum("...id,...jd->...ij", q, k).div(k.size(-1) ** 0.5).softmax(dim=-1)
    gate = torch.einsum("...id,dg->...ig", x, w_gate).sigmoid()
    return gate * torch.einsum("...ij,...jv->...iv", weights, v)
