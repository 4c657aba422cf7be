"""What is done to gradients between a backward pass and a step."""

from __future__ import annotations

import math
from typing import Any

from ..autograd import no_grad
from ..dtypes import default
from ..joining import stack
from ..missing import who_has
from ..reductions import vector_norm
from ..tensor import Tensor, filled


def clip_grad_norm_(
    parameters: Any, max_norm: float, norm_type: float = 2.0, error_if_nonfinite: bool = False
) -> Tensor:
    listed = [parameters] if isinstance(parameters, Tensor) else list(parameters)
    gradients = [p.grad for p in listed if p.grad is not None]
    if not gradients:
        return filled((), 0, default())
    with no_grad():
        total = vector_norm(stack([vector_norm(g, norm_type) for g in gradients]), norm_type)
        if error_if_nonfinite and not math.isfinite(float(total)):
            raise RuntimeError(
                f"The total norm of order {norm_type} for gradients from `parameters` is "
                "non-finite, so it cannot be clipped."
            )
        share = (max_norm / (total + 1e-6)).clamp(max=1.0)
        for gradient in gradients:
            gradient.mul_(share)
    return total


__getattr__ = who_has(__name__)
