"""How weights are changed: torch's optimisers, named and described before a run begins."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class Optimiser:
    """A kind of optimiser and its learning rate; `make` sets it to work on some weights."""

    description: str
    make: Callable[[list[Tensor], int], torch.optim.Optimizer]
    mixes: bool = False
    """Whether a number's step depends on other numbers' gradients."""

    def __repr__(self) -> str:
        return self.description


def sgd(lr: float, weight_decay: float = 0.0) -> Optimiser:
    """Plain gradient descent: w = w - lr * d_w.

    With a `weight_decay` each weight also shrinks a little: w = w - lr * (d_w + weight_decay * w).
    """
    described = f"sgd({lr}, weight_decay={weight_decay})" if weight_decay else f"sgd({lr})"
    return Optimiser(described, lambda weights, _: torch.optim.SGD(weights, lr=lr, weight_decay=weight_decay))


def adam(lr: float) -> Optimiser:
    """Each number moves by about `lr` a step, however small its gradient is."""
    return Optimiser(f"adam({lr})", lambda weights, _: torch.optim.Adam(weights, lr=lr, fused=True))


def adamw(lr: float, weight_decay: float = 0.01, warm_up: int = 200) -> Optimiser:
    """Adam for long runs: the rate rises for `warm_up` steps, then falls to zero with the last one.

    Weights also shrink a little at each step, and long gradients are cut to length 1.
    """

    def make(weights: list[Tensor], steps: int) -> torch.optim.Optimizer:
        optimizer = torch.optim.AdamW(
            weights, lr=lr, betas=(0.9, 0.98), weight_decay=weight_decay, fused=True
        )
        done = 0

        def before_step(optimizer: torch.optim.Optimizer, *_: object) -> None:
            nonlocal done
            torch.nn.utils.clip_grad_norm_(weights, 1.0)
            rate = lr * min(1.0, (done + 1) / warm_up) * max(0.01, 1 - done / steps)
            for group in optimizer.param_groups:
                group["lr"] = rate
            done += 1

        optimizer.register_step_pre_hook(before_step)
        return optimizer

    return Optimiser(f"adamw({lr}, weight_decay={weight_decay}, warm_up={warm_up})", make, mixes=True)


@torch.no_grad()
def sgd_step(params: list[Tensor], lr: float) -> None:
    """Move every parameter a little downhill, in place, and clear its gradient.

    p <- p - lr * p.grad
    """
    for p in params:
        assert p.grad is not None, "a parameter gets its gradient from `loss.backward()`"
        p -= lr * p.grad
        p.grad = None
