"""A tensor that a module trains."""

from __future__ import annotations

from typing import Any

from ..tensor import Tensor, place


class Parameter(Tensor):
    """A tensor that needs its gradient, and that a module finds."""

    def __new__(cls, data: Any = None, requires_grad: bool = True) -> Parameter:
        data = Tensor() if data is None else data.detach()
        made = place(cls, data._storage, data.shape, data._strides, data._offset, data.dtype)
        return made.requires_grad_(requires_grad)

    def __init__(self, data: Any = None, requires_grad: bool = True) -> None:
        """Do nothing: `__new__` has done everything."""
