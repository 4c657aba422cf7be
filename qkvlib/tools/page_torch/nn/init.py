"""Functions that initialise weights."""

from __future__ import annotations

import math

from ..autograd import no_grad
from ..errors import NotInThisPage
from ..missing import who_has
from ..tensor import Tensor


def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0, generator: object = None) -> Tensor:
    with no_grad():
        return tensor.uniform_(a, b, generator=generator)


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
