"""The traits of a lab that can be assigned; each refuses in words what does not fit."""

from __future__ import annotations

from typing import Any

from torch import Tensor

from qkvlib.widgets.kit.trait import Trait
from qkvlib.widgets.lab import checks


class Matrix(Trait):
    """A tensor. You can assign a list, and later changes to the list have no effect."""

    def validate(self, obj: Any, value: Any) -> Tensor:
        name = str(self.name)
        return checks.same_shape(name, checks.matrix(name, value), obj.start.get(name))


class Mask(Trait):
    def validate(self, obj: Any, value: Any) -> Tensor:
        return checks.check_mask(value, len(obj.start["x"]))


class Rate(Trait):
    def validate(self, obj: Any, value: Any) -> float:
        return checks.check_rate(value)


class Frozen(Trait):
    def validate(self, obj: Any, value: Any) -> tuple[str, ...]:
        return checks.check_frozen(value)
