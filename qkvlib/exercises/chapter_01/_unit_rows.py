"""Rows of length one, for the cosine and for the nearest key."""

from torch import Tensor


def unit_rows(x: Tensor) -> Tensor:
    return x / x.norm(dim=1, keepdim=True)
