"""`torch.special`: some functions under their other names."""

from __future__ import annotations

from typing import Any

from .errors import NotInThisPage
from .registry import FUNCTIONS
from .tensor import Tensor

softmax, log_softmax = FUNCTIONS["softmax"], FUNCTIONS["log_softmax"]
logsumexp, xlogy, expit = FUNCTIONS["logsumexp"], FUNCTIONS["xlogy"], FUNCTIONS["sigmoid"]
erf, erfc, erfinv = FUNCTIONS["erf"], FUNCTIONS["erfc"], FUNCTIONS["erfinv"]
expm1, log1p, exp2, gammaln = (FUNCTIONS[name] for name in ("expm1", "log1p", "exp2", "lgamma"))


def entr(input: Tensor) -> Tensor:
    return -xlogy(input, input).masked_fill(input < 0, float("inf"))


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    raise NotInThisPage(f"`torch.special.{name}`")
