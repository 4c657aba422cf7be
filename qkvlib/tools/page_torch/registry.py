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
        body.__qualname__ = names[0]  # as Python calls it where arguments do not fit
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
    """With one name for what has two, and without what says nothing in a page."""
    if "out" in kwargs:
        raise NotInThisPage("The argument `out`")
    named = {_OTHER_NAMES.get(name, name): value for name, value in kwargs.items()}
    return {name: value for name, value in named.items() if name not in _IDLE}
