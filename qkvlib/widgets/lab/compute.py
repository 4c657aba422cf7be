"""What `AttentionLab` computes: a whole pass of attention, its loss and every gradient."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from qkvlib.gradients import Gradients, Trace, backward, trace
from qkvlib.widgets.kit.learner_function import function_name, reply

Attention = Callable[..., Any]  # (q, k, v) or (q, k, v, mask) -> (output, weights)


@dataclass(frozen=True, eq=False)
class Pass:
    """One pass, head by head. Without a target there is no loss, and so there are no gradients."""

    traces: tuple[Trace, ...]
    gradients: tuple[Gradients, ...] | None
    loss: float | None


def takes_mask(attention: Attention) -> bool:
    """Whether a mask can be given to the learner's function, after q, k and v."""
    try:
        inspect.signature(attention).bind("q", "k", "v", "mask")
    except TypeError:
        return False
    except ValueError:  # one written in C may not tell: the call will
        return True
    return True


def squared_error(
    output: Float[Tensor, "n d_v"], target: Float[Tensor, "n d_v"], count: int
) -> tuple[Float[Tensor, ""], Float[Tensor, "n d_v"]]:
    """A head's part of the mean squared error over all `count` numbers, and its gradient.

    loss = sum((O - T)^2) / count        dO = 2 (O - T) / count
    """
    apart = output - target
    return (apart**2).sum() / count, 2 * apart / count


def run(
    x: Float[Tensor, "n d_model"],
    weights: Mapping[str, Float[Tensor, "d_model width"]],
    target: Float[Tensor, "n width_v"] | None,
    mask: Bool[Tensor, "n n"],
    n_heads: int,
    attention: Attention | None,
) -> Pass:
    """Forwards, the loss, and backwards: by hand, or by autograd for the learner's own function.

    The heads stand side by side in the weights, the output and the target, and never meet but in
    the loss, which is a sum over them.
    """
    own = [w.chunk(n_heads, dim=1) for w in weights.values()]
    targets = [None] * n_heads if target is None else target.chunk(n_heads, dim=1)
    allowed = None if mask.all() else mask
    passes = []
    for w_q, w_k, w_v, wanted in zip(*own, targets, strict=True):
        count = 0 if target is None else target.numel()
        if attention is None:
            passes.append(_by_hand(trace(x, w_q, w_k, w_v, allowed), wanted, count))
        else:
            passes.append(_by_autograd(attention, (x, w_q, w_k, w_v), allowed, wanted, count))
    traces, gradients, losses = zip(*passes, strict=True)
    if target is None:
        return Pass(traces, None, None)
    return Pass(traces, gradients, sum(losses))


_Head = tuple[Trace, Gradients | None, float]


def _by_hand(forward: Trace, target: Tensor | None, count: int) -> _Head:
    if target is None:
        return forward, None, 0.0
    loss, d_output = squared_error(forward.output, target, count)
    return forward, backward(forward, d_output), loss.item()


def _by_autograd(
    attention: Attention,
    inputs: tuple[Tensor, Tensor, Tensor, Tensor],
    mask: Tensor | None,
    target: Tensor | None,
    count: int,
) -> _Head:
    with torch.enable_grad():
        x, w_q, w_k, w_v = (value.clone().requires_grad_() for value in inputs)
        q, k, v = x @ w_q, x @ w_k, x @ w_v
        output, weights = _call(attention, q, k, v, mask)
        hidden = torch.full_like(weights, torch.nan).detach()  # the scores, inside the function
        parts = (x, w_q, w_k, w_v, q, k, v, weights, output)
        x_, w_q_, w_k_, w_v_, q_, k_, v_, weights_, output_ = (part.detach() for part in parts)
        made = (q_, k_, v_, mask, hidden, weights_, output_, output_)
        forward = Trace(x_, None, w_q_, w_k_, w_v_, None, None, *made)
        if target is None:
            return forward, None, 0.0
        loss, _ = squared_error(output, target, count)
        found = _gradients(loss, [output, weights, q, k, v, w_q, w_k, w_v, x], attention)
    d_output, d_weights, d_q, d_k, d_v, d_w_q, d_w_k, d_w_v, d_x = found
    inside = (d_output, d_weights, hidden, d_q, d_k, d_v)
    gradients = Gradients(d_output, None, *inside, d_w_q, d_w_k, d_w_v, d_x, None)
    return forward, gradients, loss.item()


def _call(
    attention: Attention, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None
) -> tuple[Tensor, Tensor]:
    """One head of the learner's function, checked; a ValueError says in words what went wrong."""
    given = () if mask is None else (mask.clone(),)
    call = f"{function_name(attention)}({'q, k, v, mask' if given else 'q, k, v'})"
    result = reply(attention, call, q, k, v, *given)
    if not isinstance(result, tuple | list) or len(result) != 2:
        raise ValueError(
            f"{call} returned {_kind(result)}, but the output and the weights were expected: "
            "return output, weights"
        )
    shapes = {"output": (len(q), v.shape[-1]), "weights": (len(q), len(k))}
    for (name, shape), value in zip(shapes.items(), result, strict=True):
        if not isinstance(value, Tensor) or tuple(value.shape) != shape:
            raise ValueError(
                f"{call} returned {_kind(value)} as {name}, but shape {shape} was expected"
            )
        if not value.isfinite().all():
            raise ValueError(f"{call} returned {name} with nan or infinity in it")
    return result[0], result[1]


def _gradients(loss: Tensor, wanted: list[Tensor], attention: Attention) -> list[Tensor]:
    """The gradient of each; nan for what the loss was not computed from."""
    name = function_name(attention)
    if not loss.requires_grad:
        raise ValueError(
            f"no gradient comes back through {name}: its output is cut off from q, k and v. "
            "Was it detached, or made anew with torch.tensor?"
        )
    reached = [tensor for tensor in wanted if tensor.requires_grad]
    try:
        found = iter(torch.autograd.grad(loss, reached, allow_unused=True))
    except RuntimeError as error:
        raise ValueError(f"no gradient comes back through {name}: {error}") from error
    each = [next(found) if tensor.requires_grad else None for tensor in wanted]
    return [
        torch.full_like(tensor, torch.nan).detach() if gradient is None else gradient
        for tensor, gradient in zip(wanted, each, strict=True)
    ]


def _kind(value: Any) -> str:
    if isinstance(value, Tensor):
        return f"a tensor of shape {tuple(value.shape)}"
    if isinstance(value, tuple | list):
        return f"{len(value)} values"
    return f"{value!r:.60}"
