"""`torch.special`, as far as a page needs it: the parts of an entropy."""

from __future__ import annotations

import math

from .elementwise import where
from .missing import who_has
from .registry import FUNCTIONS
from .tensor import Tensor

xlogy = FUNCTIONS["xlogy"]


def entr(input: Tensor) -> Tensor:
    return where(input < 0, -math.inf, xlogy(input, input)).neg()


__getattr__ = who_has(__name__)
