"""Compute a whole pass of `AttentionLab`, its loss and every gradient."""

from __future__ import annotations

from jaxtyping import Bool, Float
from torch import Tensor

from qkvlib.gradients import Gradients, Trace, backward, trace


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
    w_q: Float[Tensor, "d_model width"],
    w_k: Float[Tensor, "d_model width"],
    w_v: Float[Tensor, "d_model width_v"],
    target: Float[Tensor, "n width_v"] | None,
    mask: Bool[Tensor, "n n"],
    n_heads: int,
) -> tuple[Trace, Gradients | None, float | None]:
    """Run forwards, compute the loss, and go backwards by hand; without a target there is no loss.

    The heads are side by side in the weights, the output and the target. A single head has no dimension of
    its own in the result.
    """
    allowed = None if mask.all() else mask
    forward = trace(x, w_q, w_k, w_v, allowed, n_heads=None if n_heads == 1 else n_heads)
    if target is None:
        return forward, None, None
    loss, d_output = squared_error(forward.output, target)
    return forward, backward(forward, d_output), loss.item()
