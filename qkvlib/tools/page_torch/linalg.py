"""`torch.linalg`, as far as a page has it: norms and products."""

from __future__ import annotations

import math
from typing import Any

from .errors import NotInThisPage
from .missing import who_has
from .products import matmul
from .reductions import vector_norm
from .tensor import Tensor

__all__ = ["matmul", "matrix_norm", "norm", "vector_norm"]


def norm(A: Tensor, ord: Any = None, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    if ord in (None, "fro") or isinstance(dim, int) or (A.ndim == 1 and dim is None):
        return vector_norm(A, 2 if ord in (None, "fro") else ord, dim, keepdim, dtype)
    return matrix_norm(A, ord, (-2, -1) if dim is None else dim, keepdim)


def matrix_norm(A: Tensor, ord: Any = "fro", dim: Any = (-2, -1), keepdim: bool = False) -> Tensor:
    if ord == "fro":
        return vector_norm(A, 2, dim, keepdim)
    if tuple(dim) != (-2, -1) or keepdim:
        raise NotInThisPage("`torch.linalg.matrix_norm` along those dimensions")
    if ord in (1, math.inf):
        return A.abs().sum(-2 if ord == 1 else -1).amax(-1)
    raise NotInThisPage(f"`torch.linalg.matrix_norm` of order {ord!r}")


__getattr__ = who_has(__name__)
