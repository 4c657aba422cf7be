"""Chapter 0: one backward pass moves all three matrices, a step lowers the loss, the ending changes."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from qkvlib.widgets.learn_to_look.widget import SETUP
from tests.experiments.claims import claim

START, READ_OUT, BIAS, BOUNDS = (SETUP[name] for name in ("start", "read_out", "bias", "bounds"))
N_WORDS = 3
STEP = 0.08
Weights = dict[str, Tensor]


def near_the_start(seed: int) -> Weights:
    """Return the widget's start with each number moved a little at random."""
    generator = torch.Generator().manual_seed(seed)
    return {
        name: torch.tensor(rows) + 0.3 * torch.randn(N_WORDS + 1, 2, generator=generator)
        for name, rows in START.items()
    }


def loss_of(weights: Weights, wish: int) -> Tensor:
    q, k, v = weights["w_q"][N_WORDS], weights["w_k"][:N_WORDS], weights["w_v"][:N_WORDS]
    attention = torch.softmax(q @ k.T / 2**0.5, dim=-1)
    return cross_entropy(attention @ v @ torch.tensor(READ_OUT) + torch.tensor(BIAS), torch.tensor(wish))


def gradients_of(weights: Weights, wish: int) -> Weights:
    leaves = {name: w.clone().requires_grad_() for name, w in weights.items()}
    found = torch.autograd.grad(loss_of(leaves, wish), list(leaves.values()))
    return dict(zip(leaves, found, strict=True))


def stepped(weights: Weights, wish: int) -> Weights:
    gradients = gradients_of(weights, wish)
    return {
        name: (w - STEP * gradients[name]).clamp(-BOUNDS[name], BOUNDS[name]) for name, w in weights.items()
    }


@claim("00", "one backward pass: the shortest of the three gradients", at_least=0.005)
def all_three_move(seed: int) -> float:
    weights = near_the_start(seed)
    return min(float(g.norm()) for wish in range(3) for g in gradients_of(weights, wish).values())


@claim("00", "one step against the gradient: the loss after, less the loss before", at_most=0.0)
def a_step_lowers_the_loss(seed: int) -> float:
    weights = near_the_start(seed)
    return max(float(loss_of(stepped(weights, wish), wish) - loss_of(weights, wish)) for wish in range(3))


@claim("00", "“sour” is wanted, a longer query: the gradient of its second number", at_least=0.1)
def a_longer_query_raises_the_loss(seed: int) -> float:
    return float(gradients_of(near_the_start(seed), 1)["w_q"][N_WORDS, 1])


@claim("00", "one number of W_Q changed: queries that change, of 4", at_least=4)
def one_number_of_w_q(seed: int) -> float:
    generator = torch.Generator().manual_seed(seed)
    x, w_q = torch.randn(4, 3, generator=generator), torch.randn(3, 2, generator=generator)
    other = w_q.clone()
    other[0, 0] += 1
    return float((x @ w_q != x @ other).any(dim=1).sum())
