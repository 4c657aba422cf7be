"""`torch.testing`: to say that two tensors are the same, or to stop."""

from __future__ import annotations

from typing import Any

from .making import as_tensor
from .missing import who_has
from .tensor import Tensor

_TOLERANCES = {"float64": (1e-7, 1e-7), "float32": (1.3e-6, 1e-5), "float16": (1e-3, 1e-5),
               "bfloat16": (1.6e-2, 1e-5)}  # fmt: skip


def assert_close(actual: Any, expected: Any, *, rtol: float | None = None,
                 atol: float | None = None, equal_nan: bool = False) -> None:  # fmt: skip
    if isinstance(actual, (list, tuple)):
        for one, other in zip(actual, expected, strict=True):
            assert_close(one, other, rtol=rtol, atol=atol, equal_nan=equal_nan)
        return
    actual, expected = as_tensor(actual), as_tensor(expected)
    if actual.shape != expected.shape:
        raise AssertionError(
            f"The values for attribute 'shape' do not match: {actual.shape} != {expected.shape}."
        )
    if actual.dtype is not expected.dtype:
        raise AssertionError(
            f"The values for attribute 'dtype' do not match: {actual.dtype} != {expected.dtype}."
        )
    own_rtol, own_atol = _TOLERANCES.get(actual.dtype.name, (0.0, 0.0))
    rtol, atol = own_rtol if rtol is None else rtol, own_atol if atol is None else atol
    close = actual.isclose(expected, rtol, atol, equal_nan)
    if not close.all():
        wrong = int((~close).sum())
        count = close.numel()
        raise AssertionError(
            f"Tensor-likes are not close!\n\nMismatched elements: {wrong} / {count} "
            f"({100 * wrong / count:.1f}%)"
        )


__all__ = ["Tensor", "assert_close"]


__getattr__ = who_has(__name__)
