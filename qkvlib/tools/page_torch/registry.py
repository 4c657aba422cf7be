"""The operations by name: what `torch` has as functions, and what a tensor has as methods."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from .dtypes import of_complex
from .errors import NotInThisPage, must_be_tensor
from .tensor import Tensor

FUNCTIONS: dict[str, Any] = {}

# NumPy's names for torch's arguments, which torch takes, too.
_OTHER_NAMES = {"axis": "dim", "keepdims": "keepdim"}
# Where a result would lie or be, of which there is one kind in the page.
_IDLE = ("device", "layout", "memory_format", "non_blocking", "pin_memory")


def op(
    *names: str, function: bool = True, method: bool = True, tensor_first: bool = True
) -> Callable[[Any], Any]:
    """Put the function below into torch under these names."""

    def put(body: Any) -> Any:
        for name in names:
            called = _callable(body, name, tensor_first)
            if function:
                FUNCTIONS[name] = called
            if method:
                setattr(Tensor, name, called)
        return called

    return put


def _callable(body: Any, name: str, tensor_first: bool) -> Any:
    @functools.wraps(body)
    def called(*args: Any, **kwargs: Any) -> Any:
        if tensor_first and args and not isinstance(args[0], Tensor):
            raise must_be_tensor(name, "input", 1, args[0])
        own = of_complex(name) if tensor_first and args and args[0].dtype.is_complex else body
        if not kwargs:
            return own(*args)
        out = _tidied(kwargs)
        made = own(*args, **kwargs)
        return made if out is None else _written(out, made)

    called.__name__ = called.__qualname__ = name
    return called


def _tidied(kwargs: dict[str, Any]) -> Any:
    """Rename what has two names, drop what says nothing in a page, and take `out` away."""
    for name, own in _OTHER_NAMES.items():
        if name in kwargs:
            kwargs[own] = kwargs.pop(name)
    for name in _IDLE:
        kwargs.pop(name, None)
    return kwargs.pop("out", None)


def _written(out: Any, made: Any) -> Any:
    if isinstance(out, tuple) or isinstance(made, tuple):
        raise NotInThisPage("`out=` for several results")
    if out.shape != made.shape:
        raise NotInThisPage("`out=` with a tensor of another shape")
    if out._requires_grad or made._requires_grad:
        raise RuntimeError(
            "functions with out=... arguments don't support automatic differentiation, but one of "
            "the arguments requires grad."
        )
    return out.copy_(made)
