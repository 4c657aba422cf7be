"""First weights."""

from __future__ import annotations

import math

from ..autograd import no_grad
from ..errors import NotInThisPage
from ..missing import who_has
from ..tensor import Tensor


def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0, generator: object = None) -> Tensor:
    with no_grad():
        return tensor.uniform_(a, b, generator=generator)


def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0, generator: object = None) -> Tensor:
    with no_grad():
        return tensor.normal_(mean, std, generator=generator)


def constant_(tensor: Tensor, val: float) -> Tensor:
    with no_grad():
        return tensor.fill_(val)


def zeros_(tensor: Tensor) -> Tensor:
    return constant_(tensor, 0.0)


def ones_(tensor: Tensor) -> Tensor:
    return constant_(tensor, 1.0)


def _need_a_matrix(tensor: Tensor) -> None:
    if tensor.ndim != 2:
        raise NotInThisPage(f"Initialising with {tensor.ndim} dimensions")


def xavier_uniform_(tensor: Tensor, gain: float = 1.0, generator: object = None) -> Tensor:
    _need_a_matrix(tensor)
    bound = gain * math.sqrt(6.0 / sum(tensor.shape))
    return uniform_(tensor, -bound, bound, generator)


def kaiming_uniform_(tensor: Tensor, a: float = 0, generator: object = None) -> Tensor:
    _need_a_matrix(tensor)
    bound = math.sqrt(6.0 / (1 + a**2) / tensor.shape[1]) if tensor.numel() else 0.0
    return uniform_(tensor, -bound, bound, generator)


__getattr__ = who_has(__name__)
