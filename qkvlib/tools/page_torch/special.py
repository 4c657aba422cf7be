"""`torch.special`: some functions under their other names."""

from __future__ import annotations

import math

from .elementwise import where
from .missing import who_has
from .registry import FUNCTIONS
from .tensor import Tensor

softmax, log_softmax = FUNCTIONS["softmax"], FUNCTIONS["log_softmax"]
logsumexp, xlogy, expit = FUNCTIONS["logsumexp"], FUNCTIONS["xlogy"], FUNCTIONS["sigmoid"]
erf, erfc, erfinv = FUNCTIONS["erf"], FUNCTIONS["erfc"], FUNCTIONS["erfinv"]
expm1, log1p, exp2, gammaln = (FUNCTIONS[name] for name in ("expm1", "log1p", "exp2", "lgamma"))


def entr(input: Tensor) -> Tensor:
    return where(input < 0, -math.inf, xlogy(input, input)).neg()


__getattr__ = who_has(__name__)
