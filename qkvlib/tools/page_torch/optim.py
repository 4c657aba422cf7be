"""Optimisers: how a gradient changes a parameter."""

from __future__ import annotations

import math
from typing import Any

from .autograd import enable_grad, no_grad
from .errors import NotInThisPage
from .missing import who_has
from .tensor import Tensor


class Optimizer:
    """Parameters with their settings, and a state for each of them."""

    def __init__(self, params: Any, defaults: dict[str, Any]) -> None:
        if isinstance(params, Tensor):
            raise TypeError(
                "params argument given to the optimizer should be an iterable of Tensors or dicts, "
                f"but got {params.type()}"
            )
        own = list(params)
        if not own:
            raise ValueError("optimizer got an empty parameter list")
        for p in own:
            if isinstance(p, (dict, tuple)):
                raise NotInThisPage("An optimiser with groups or names of parameters")
            if not isinstance(p, Tensor):
                kind = type(p).__qualname__
                raise TypeError(f"optimizer can only optimize Tensors, but one of the params is {kind}")
            if not (p.grad_fn is None or p in p.grad_fn.keepers):
                raise ValueError("can't optimize a non-leaf Tensor")
        self.state: dict[Any, dict[str, Any]] = {}
        self.param_groups: list[dict[str, Any]] = [{**defaults, "params": own}]

    def zero_grad(self, set_to_none: bool = True) -> None:
        for p in self.param_groups[0]["params"]:
            if p.grad is not None:
                p.grad = None if set_to_none else p.grad.detach().zero_()

    def step(self, closure: Any = None) -> Any:
        loss = None
        (group,) = self.param_groups
        with no_grad():
            if closure is not None:
                with enable_grad():
                    loss = closure()
            for p in group["params"]:
                if p.grad is not None:
                    self.move(p, p.grad, group, self.state.setdefault(p, {}))
        return loss

    def move(self, p: Tensor, g: Tensor, group: dict[str, Any], state: dict[str, Any]) -> None:
        raise NotImplementedError


def _need(name: str, value: float, holds: bool) -> None:
    if not holds:
        raise ValueError(f"Invalid {name}: {value}")


_OTHER_WAYS = ("dampening", "nesterov", "maximize", "amsgrad")
_HOW_TORCH_COMPUTES_IT = ("foreach", "differentiable", "fused", "capturable")


def _need_none(ways: dict[str, Any]) -> None:
    """Refuse settings for other steps than the usual one, and for how torch computes it."""
    for name, value in ways.items():
        if name not in _OTHER_WAYS + _HOW_TORCH_COMPUTES_IT:
            raise TypeError(f"__init__() got an unexpected keyword argument '{name}'")
        if value:
            raise NotInThisPage(f"An optimiser with `{name}`")


class SGD(Optimizer):
    """Steps against the gradient, with momentum from the steps before."""

    def __init__(
        self,
        params: Any,
        lr: float = 1e-3,
        momentum: float = 0,
        *,
        weight_decay: float = 0,
        **ways: Any,
    ) -> None:
        # As in torch: `not x < 0` accepts NaN, but Adam's `x >= 0` does not.
        _need("learning rate", lr, not lr < 0.0)
        _need("momentum value", momentum, not momentum < 0.0)
        _need("weight_decay value", weight_decay, not weight_decay < 0.0)
        super().__init__(params, {"lr": lr, "momentum": momentum, "weight_decay": weight_decay})
        _need_none(ways)

    def move(self, p: Tensor, g: Tensor, group: dict[str, Any], state: dict[str, Any]) -> None:
        if group["weight_decay"]:
            g = g + group["weight_decay"] * p
        if momentum := group["momentum"]:
            kept = state.get("momentum_buffer")
            g = g.clone() if kept is None else kept * momentum + g
            state["momentum_buffer"] = g
        p.sub_(g * group["lr"])


class Adam(Optimizer):
    """Steps of about the learning rate, whatever the gradient's size."""

    _decoupled = False

    def __init__(
        self,
        params: Any,
        lr: float = 1e-3,
        betas: Any = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        **ways: Any,
    ) -> None:
        _need("learning rate", lr, lr >= 0.0)
        _need("epsilon value", eps, eps >= 0.0)
        for i in (0, 1):
            _need(f"beta parameter at index {i}", betas[i], 0.0 <= betas[i] < 1.0)
        _need("weight_decay value", weight_decay, weight_decay >= 0.0)
        if any(isinstance(b, Tensor) for b in betas):
            raise NotInThisPage("An optimiser with tensors as its betas")
        if not all(isinstance(betas[i], float) for i in (0, 1)):
            raise ValueError("betas must be either both floats or both Tensors")
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay})
        _need_none(ways)

    def move(self, p: Tensor, g: Tensor, group: dict[str, Any], state: dict[str, Any]) -> None:
        if group["weight_decay"]:
            if self._decoupled:
                p.mul_(1 - group["lr"] * group["weight_decay"])
            else:
                g = g + group["weight_decay"] * p
        if not state:
            state.update(step=0, exp_avg=g * 0, exp_avg_sq=g * 0)
        state["step"] += 1
        one, two = group["betas"]
        state["exp_avg"] = state["exp_avg"] * one + g * (1 - one)
        state["exp_avg_sq"] = state["exp_avg_sq"] * two + g * g * (1 - two)
        square = state["exp_avg_sq"]
        size = square.sqrt() / math.sqrt(1 - two ** state["step"]) + group["eps"]
        p.sub_(state["exp_avg"] / size * (group["lr"] / (1 - one ** state["step"])))


class AdamW(Adam):
    """Adam with weights that decay separately."""

    _decoupled = True

    def __init__(self, params: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(params, *args, **kwargs if len(args) > 3 else {"weight_decay": 1e-2, **kwargs})


__getattr__ = who_has(__name__)
