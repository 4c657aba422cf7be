"""`torch.func`: a function of one example for many, and gradients of functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import autograd
from .joining import stack
from .missing import who_has
from .tensor import Tensor


def _mapped(value: Any, of: Callable[[Tensor], Any]) -> Any:
    if isinstance(value, dict):
        return {name: _mapped(part, of) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_mapped(part, of) for part in value)
    return of(value)


def _first(value: Any) -> Tensor:
    while not isinstance(value, Tensor):
        value = next(iter(value.values() if isinstance(value, dict) else value))
    return value


def _joined(parts: list[Any], dim: int) -> Any:
    first = parts[0]
    if isinstance(first, dict):
        return {name: _joined([part[name] for part in parts], dim) for name in first}
    if isinstance(first, (list, tuple)):
        return type(first)(_joined(list(each), dim) for each in zip(*parts, strict=True))
    return stack(parts, dim)


def _example(arg: Any, dim: int | None, index: int) -> Any:
    return arg if dim is None else _mapped(arg, lambda x: x.select(dim, index))


def vmap(func: Callable[..., Any], in_dims: Any = 0, out_dims: int = 0,
         randomness: str = "error") -> Callable[..., Any]:  # fmt: skip
    """The function called for one example after the other, and its results laid together."""

    def called(*args: Any) -> Any:
        dims = in_dims if isinstance(in_dims, tuple) else (in_dims,) * len(args)
        whole = [(arg, dim) for arg, dim in zip(args, dims, strict=True) if dim is not None]
        if not whole:
            raise ValueError("vmap: at least one of in_dims has to be a number")
        count = _first(whole[0][0]).shape[whole[0][1]]
        parts = [func(*(_example(arg, dim, i) for arg, dim in zip(args, dims, strict=True)))
                 for i in range(count)]  # fmt: skip
        return _joined(parts, out_dims)

    return called


def grad(func: Callable[..., Any], argnums: int = 0) -> Callable[..., Any]:
    """The gradient of a function of tensors that gives one number."""

    def called(*args: Any) -> Any:
        args_ = list(args)
        args_[argnums] = x = args[argnums].detach().requires_grad_()
        with autograd.enable_grad():
            return autograd.grad(func(*args_), x)[0]

    return called


__getattr__ = who_has(__name__)
