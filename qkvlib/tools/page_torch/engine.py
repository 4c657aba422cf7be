"""The interface to JavaScript, which has the loops: pass a kernel's name, and where the tensors are in
memory."""

from __future__ import annotations

from array import array
from typing import Any

from .errors import refused

_run: Any = None


def run(kernel: str, outs: tuple[Any, ...], inputs: tuple[Any, ...], *numbers: float) -> None:
    """Let a kernel compute from the inputs, and write to `outs`."""
    global _run
    if _run is None:  # on the first call, and not earlier, so that a snapshot can be taken
        from qkv_tensors import run as _run  # type: ignore[import-not-found]
    words = [len(outs) + len(inputs)]
    for tensor in (*outs, *inputs):
        kind = tensor.dtype
        shape = tensor.shape
        address = tensor._storage.address + tensor._offset * tensor._storage.numbers.itemsize
        words += (kind.code, address, len(shape), *shape, *tensor._strides)
    block = array("i", words)
    refusal = _run(kernel, block.buffer_info()[0], len(outs), *numbers)
    if refusal:
        raise refused(refusal, numbers)


def forget() -> None:
    """Drop the reference to JavaScript, so that a snapshot of Python contains none of it."""
    global _run
    _run = None
