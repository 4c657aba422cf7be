"""Compute a whole pass of `AttentionLab`, its loss and every gradient."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from jaxtyping import Bool, Float
from torch import Tensor

from qkvlib.gradients import Gradients, Trace, backward, trace


@dataclass(frozen=True, eq=False)
class Pass:
    """One pass. Without a target there is no loss, and so there are no gradients."""

    trace: Trace
    gradients: Gradients | None
    loss: float | None


def squared_error(
    output: Float[Tensor, "n width_v"], target: Float[Tensor, "n width_v"]
) -> tuple[Float[Tensor, ""], Float[Tensor, "n width_v"]]:
    """The mean squared error, and its gradient.

    loss = mean((O - T)^2)        dO = 2 (O - T) / (how many numbers O has)
    """
    apart = output - target
    return (apart**2).mean(), 2 * apart / apart.numel()


def run(
    x: Float[Tensor, "n d_model"],
    weights: Mapping[str, Float[Tensor, "d_model width"]],
    target: Float[Tensor, "n width_v"] | None,
    mask: Bool[Tensor, "n n"],
    n_heads: int,
) -> Pass:
    """Run forwards, compute the loss, and go backwards by hand.

    The heads are side by side in the weights, the output and the target. A single head has no dimension of
    its own in the result.
    """
    allowed = None if mask.all() else mask
    w_q, w_k, w_v = weights.values()
    forward = trace(x, w_q, w_k, w_v, allowed, n_heads=None if n_heads == 1 else n_heads)
    if target is None:
        return Pass(forward, None, None)
    loss, d_output = squared_error(forward.output, target)
    return Pass(forward, backward(forward, d_output), loss.item())
