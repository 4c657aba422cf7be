"""The operations by name: `torch`'s functions, and a tensor's methods."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from .dtypes import of_complex
from .errors import NotInThisPage, must_be_tensor
from .tensor import Tensor

FUNCTIONS: dict[str, Any] = {}

# NumPy's names for torch's arguments, which torch accepts, too.
_OTHER_NAMES = {"axis": "dim", "keepdims": "keepdim"}
# Arguments about where a result is stored; a page has only one place.
_IDLE = ("device", "layout", "memory_format", "non_blocking", "pin_memory")


def op(
    *names: str, function: bool = True, method: bool = True, tensor_first: bool = True
) -> Callable[[Any], Any]:
    """Register the function below in torch under these names."""

    def put(body: Any) -> Any:
        body.__qualname__ = names[0]  # the name that Python prints in an error about arguments
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
        return own(*args, **_tidied(kwargs)) if kwargs else own(*args)

    called.__name__ = called.__qualname__ = name
    return called


def _tidied(kwargs: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments with one name for each, and without those that mean nothing in a page."""
    if "out" in kwargs:
        raise NotInThisPage("The argument `out`")
    named = {_OTHER_NAMES.get(name, name): value for name, value in kwargs.items()}
    return {name: value for name, value in named.items() if name not in _IDLE}
