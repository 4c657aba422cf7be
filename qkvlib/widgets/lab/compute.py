"""What `AttentionLab` computes: a whole pass of attention, its loss and every gradient."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from qkvlib.gradients import Gradients, Trace, backward, trace
from qkvlib.multi_head import merge_heads, split_heads
from qkvlib.widgets.kit.learner_function import function_name, reply

Attention = Callable[..., Any]  # (q, k, v) or (q, k, v, mask) -> (output, weights)


@dataclass(frozen=True, eq=False)
class Pass:
    """One pass. Without a target there is no loss, and so there are no gradients."""

    trace: Trace
    gradients: Gradients | None
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
    attention: Attention | None,
) -> Pass:
    """Forwards, the loss, and backwards: by hand, or by autograd for the learner's own function.

    The heads stand side by side in the weights, the output and the target. A single head has no
    dimension of its own in the records.
    """
    several = None if n_heads == 1 else n_heads
    allowed = None if mask.all() else mask
    if attention is not None:
        return _by_autograd(attention, (x, *weights.values()), target, allowed, several)
    w_q, w_k, w_v = weights.values()
    forward = trace(x, w_q, w_k, w_v, allowed, n_heads=several)
    if target is None:
        return Pass(forward, None, None)
    loss, d_output = squared_error(forward.output, target)
    return Pass(forward, backward(forward, d_output), loss.item())


def _by_autograd(
    attention: Attention,
    inputs: Sequence[Tensor],
    target: Tensor | None,
    mask: Tensor | None,
    n_heads: int | None,
) -> Pass:
    """The learner's function sees one head at a time."""
    with torch.enable_grad():
        x, w_q, w_k, w_v = (value.clone().requires_grad_() for value in inputs)
        qkv = [x @ w for w in (w_q, w_k, w_v)]
        each = [qkv]
        if n_heads is not None:
            qkv = [split_heads(part, n_heads) for part in qkv]
            each = [list(head) for head in zip(*qkv, strict=True)]
        answers = [_call(attention, q, k, v, mask) for q, k, v in each]
        outputs, weights = ([answer[i] for answer in answers] for i in (0, 1))
        heads = _joined(outputs, n_heads)
        output = heads if n_heads is None else merge_heads(heads)
        inside = _joined(weights, n_heads).detach()
        hidden = torch.full_like(inside, torch.nan)  # the scores, inside the function
        q_, k_, v_ = (part.detach() for part in qkv)
        x_, w_q_, w_k_, w_v_ = (value.detach() for value in (x, w_q, w_k, w_v))
        found_by = (mask, hidden, inside, heads.detach(), output.detach())
        forward = Trace(x_, None, w_q_, w_k_, w_v_, None, n_heads, q_, k_, v_, *found_by)
        if target is None:
            return Pass(forward, None, None)
        loss, _ = squared_error(output, target)
        wanted = [output, heads, *qkv, w_q, w_k, w_v, x, *weights]
        found = _gradients(loss, wanted, attention)
    d_output, d_heads, d_q, d_k, d_v, d_w_q, d_w_k, d_w_v, d_x, *d_each = found
    d_inside = (d_heads, _joined(d_each, n_heads), hidden, d_q, d_k, d_v)
    gradients = Gradients(d_output, None, *d_inside, d_w_q, d_w_k, d_w_v, d_x, None)
    return Pass(forward, gradients, loss.item())


def _joined(each: Sequence[Tensor], n_heads: int | None) -> Tensor:
    """The heads' parts in one tensor, as a `Trace` has them."""
    return each[0] if n_heads is None else torch.stack(list(each))


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
            raise ValueError(f"{call} returned {_kind(value)} as {name}, but shape {shape} was expected")
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
