"""What several questions of the quiz share: how their answers are read."""

from __future__ import annotations

from typing import Any

import torch

from qkvlib.exercises.kit.comparison import Objection, kind_of


def one_number(value: Any) -> Any:
    """Return the number meant: 4, 4.0 and a tensor of one number are the same answer."""
    if isinstance(value, torch.Tensor) and value.numel() == 1 and not value.dtype.is_complex:
        value = value.item()
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return Objection(f"Your function returned {kind_of(value)}. Return one number.")
    return round(float(value), 2)
