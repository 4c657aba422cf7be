"""`torch.special`: some functions under their other names."""

from __future__ import annotations

import math
from typing import Any

from .elementwise import where
from .errors import NotInThisPage
from .registry import FUNCTIONS
from .tensor import Tensor

softmax, log_softmax = FUNCTIONS["softmax"], FUNCTIONS["log_softmax"]
logsumexp, xlogy, expit = FUNCTIONS["logsumexp"], FUNCTIONS["xlogy"], FUNCTIONS["sigmoid"]
erf, erfc, erfinv = FUNCTIONS["erf"], FUNCTIONS["erfc"], FUNCTIONS["erfinv"]
expm1, log1p, exp2, gammaln = (FUNCTIONS[name] for name in ("expm1", "log1p", "exp2", "lgamma"))


def entr(input: Tensor) -> Tensor:
    return where(input < 0, -math.inf, xlogy(input, input)).neg()


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    raise NotInThisPage(f"`torch.special.{name}`")
