"""What `AttentionLab` computes: a whole pass of attention, its loss and every gradient."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from qkvlib.gradients import Gradients, Trace, backward, trace
from qkvlib.heads import merge_heads, split_heads
from qkvlib.widgets.measures import error_line, function_name

Attention = Callable[..., Any]  # (q, k, v) or (q, k, v, mask) -> (output, weights)


@dataclass(frozen=True, eq=False)
class Pass:
    """One pass. Without a target there is no loss, and without a loss there are no gradients."""

    trace: Trace
    gradients: Gradients | None
    loss: float | None


def squared_error(
    output: Float[Tensor, "*s"], target: Float[Tensor, "*s"]
) -> tuple[Float[Tensor, ""], Float[Tensor, "*s"]]:
    """The mean squared error over all numbers, and its gradient with respect to the output.

    loss = mean((O - T)^2)        dO = 2 (O - T) / (how many numbers O has)
    """
    apart = output - target
    return (apart**2).mean(), 2 * apart / apart.numel()


def run(
    x: Float[Tensor, "n d_model"],
    weights: Mapping[str, Tensor],
    target: Float[Tensor, "n width_v"] | None,
    mask: Bool[Tensor, "n n"],
    n_heads: int,
    attention: Attention | None,
) -> Pass:
    """Forwards, the loss, and backwards: by hand, or by autograd for the learner's own function.

    With several heads everything inside them has one more dimension, [h ...], in front.
    """
    if attention is not None:
        return _run_own(x, weights, target, mask, n_heads, attention)
    heads = {name: _split(w, n_heads) for name, w in weights.items()}
    entering = x if n_heads == 1 else x[None]
    forward = trace(entering, **heads, mask=None if mask.all() else mask)
    if target is None:
        return Pass(forward, None, None)
    loss, d_output = squared_error(forward.output, _split(target, n_heads))
    return Pass(forward, backward(forward, d_output), loss.item())


def join(head_numbers: Tensor, n_heads: int) -> Tensor:
    """The heads' matrices side by side: [h n d] becomes [n h*d]; one head is as it is."""
    return head_numbers if n_heads == 1 else merge_heads(head_numbers)


def _split(matrix: Tensor, n_heads: int) -> Tensor:
    return matrix if n_heads == 1 else split_heads(matrix, n_heads)


def _run_own(
    x: Tensor,
    weights: Mapping[str, Tensor],
    target: Tensor | None,
    mask: Tensor,
    n_heads: int,
    attention: Attention,
) -> Pass:
    with torch.enable_grad():
        entering = x.clone().requires_grad_()
        leaves = {name: _split(w, n_heads).clone().requires_grad_() for name, w in weights.items()}
        q, k, v = (entering @ w for w in leaves.values())
        given = () if mask.all() else (mask,)
        if n_heads == 1:
            output, attended = _call(attention, q, k, v, given)
        else:
            pairs = [_call(attention, *qkv, given) for qkv in zip(q, k, v, strict=True)]
            output, attended = (torch.stack(list(part)) for part in zip(*pairs, strict=True))
        hidden = torch.full_like(attended, torch.nan)  # the scores, inside the learner's function
        w_q, w_k, w_v = leaves.values()
        masked = given[0] if given else None
        forward = Trace(entering, None, w_q, w_k, w_v, q, k, v, masked, hidden, attended, output)
        if target is None:
            return Pass(_detached(forward), None, None)
        loss, _ = squared_error(output, _split(target, n_heads))
        wanted = [output, attended, q, k, v, w_q, w_k, w_v, entering]
        found = _gradients(loss, wanted, function_name(attention))
    d_output, d_weights, d_q, d_k, d_v, d_w_q, d_w_k, d_w_v, d_x = found
    gradients = Gradients(
        d_output, d_weights, hidden.detach(), d_q, d_k, d_v, d_w_q, d_w_k, d_w_v, d_x, None
    )
    return Pass(_detached(forward), gradients, loss.item())


def _call(
    attention: Attention, q: Tensor, k: Tensor, v: Tensor, mask: tuple[Tensor, ...]
) -> tuple[Tensor, Tensor]:
    """One head of the learner's function, checked; a ValueError says in words what went wrong."""
    call = f"{function_name(attention)}({'q, k, v, mask' if mask else 'q, k, v'})"
    try:
        result = attention(q, k, v, *(part.clone() for part in mask))
    except Exception as error:
        what = f"{type(error).__name__}: {error}{error_line(attention, error)}"
        raise ValueError(f"{call} raised {what}") from error
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


def _gradients(loss: Tensor, wanted: list[Tensor], name: str) -> list[Tensor]:
    if not loss.requires_grad:
        raise ValueError(
            f"no gradient comes back through {name}: its output is cut off from q, k and v. "
            "Was it detached, or made anew with torch.tensor?"
        )
    # What the output was not computed from has no gradient through it.
    reached = [tensor if tensor.requires_grad else None for tensor in wanted]
    asked = [tensor for tensor in reached if tensor is not None]
    try:
        found = iter(torch.autograd.grad(loss, asked, allow_unused=True))
    except RuntimeError as error:
        raise ValueError(f"no gradient comes back through {name}: {error}") from error
    each = [next(found) if tensor is not None else None for tensor in reached]
    return [
        torch.full_like(tensor, torch.nan) if gradient is None else gradient
        for tensor, gradient in zip(wanted, each, strict=True)
    ]


def _detached(forward: Trace) -> Trace:
    parts = {
        name: value.detach() if isinstance(value, Tensor) else value
        for name, value in vars(forward).items()
    }
    return Trace(**parts)


def _kind(value: Any) -> str:
    if isinstance(value, Tensor):
        return f"a tensor of shape {tuple(value.shape)}"
    if isinstance(value, tuple | list):
        return f"{len(value)} values"
    return f"{value!r:.60}"
