"""`torch.linalg`, as far as a page needs it: norms and products."""

from __future__ import annotations

from typing import Any

from .errors import NotInThisPage
from .missing import who_has
from .products import matmul
from .reductions import vector_norm
from .tensor import Tensor

__all__ = ["matmul", "norm", "vector_norm"]


def norm(A: Tensor, ord: Any = None, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    if ord in (None, "fro") or isinstance(dim, int) or (A.ndim == 1 and dim is None):
        return vector_norm(A, 2 if ord in (None, "fro") else ord, dim, keepdim, dtype)
    raise NotInThisPage(f"The norm of a matrix of order {ord!r}")


__getattr__ = who_has(__name__)
