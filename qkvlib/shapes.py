"""All checks of shapes, so that the other files contain only mathematics.

A matrix product that does not fit fails in torch as well, but torch cannot say which argument is
wrong. These messages name it, with its shape and the expected shape.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

import torch
from torch import Tensor


def need_rows(name: str, matrix: Tensor, n: int, reason: str) -> None:
    """Refuse a matrix without n rows; `reason` says where n comes from: `"x has {} features"`."""
    if matrix.dim() < 2 or matrix.shape[-2] != n:
        _refuse(name, matrix, reason.format(n), f"{n} rows")


def need_matrix(name: str, tensor: Tensor) -> None:
    """Refuse a single vector where a table of rows is needed."""
    if tensor.dim() < 2:
        _refuse(name, tensor, "a table of rows is needed", f"two dimensions, as {name}[None] has")


def need_columns(name: str, matrix: Tensor, n: int, reason: str) -> None:
    """Refuse a matrix without n columns; `reason` says where n comes from."""
    if matrix.dim() < 1 or matrix.shape[-1] != n:
        _refuse(name, matrix, reason.format(n), f"{n} columns")


def need_projections(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, context: Tensor | None = None) -> None:
    """Refuse weights that do not fit what they multiply: w_q x, the others the context or x."""
    need_rows("w_q", w_q, x.shape[-1], "x has {} features")
    n, has = (x.shape[-1], "x has") if context is None else (context.shape[-1], "context has")
    need_rows("w_k", w_k, n, has + " {} features")
    need_rows("w_v", w_v, n, has + " {} features")


def need_multi_head(
    x: Tensor,
    w_q: Tensor,
    w_k: Tensor,
    w_v: Tensor,
    w_o: Tensor,
    n_heads: int,
    context: Tensor | None,
) -> None:
    """Refuse weights that cannot be divided among n_heads heads and joined again."""
    need_projections(x, w_q, w_k, w_v, context)
    for name, w in (("w_q", w_q), ("w_k", w_k), ("w_v", w_v)):
        need_heads(name, w, n_heads)
    need_rows("w_o", w_o, w_v.shape[-1], "w_v has {} columns")


def need_qkv(q: Tensor, k: Tensor, v: Tensor) -> None:
    """Refuse queries, keys and values that do not belong together."""
    need_columns("k", k, q.shape[-1], "q has {} columns")
    need_rows("v", v, k.shape[-2], "k has {} rows")
    for name, other in (("k", k), ("v", v)):
        if other.shape[:-2] != q.shape[:-2]:
            batch = tuple(q.shape[:-2])
            _refuse(name, other, f"q has shape {tuple(q.shape)}", f"the leading dimensions {batch}")


def need_mask(mask: Tensor, shape: Sequence[int]) -> None:
    """Refuse a mask that is not boolean, or that does not fit scores of this shape."""
    if mask.dtype != torch.bool:
        raise ValueError(
            f"mask has dtype {mask.dtype}, but a mask is boolean, True where a query may attend: "
            "make one with a comparison, for example mask > 0"
        )
    pairs = zip(reversed(mask.shape), reversed(shape), strict=False)
    if mask.dim() > len(shape) or any(m not in (1, n) for m, n in pairs):
        reason = f"the scores have shape {tuple(shape)}"
        _refuse("mask", mask, reason, "that shape, or one that broadcasts to it")


def need_heads(name: str, matrix: Tensor, n_heads: int) -> None:
    """Refuse a matrix whose columns cannot be divided among n_heads equal heads."""
    if n_heads < 1:
        raise ValueError(f"n_heads is {n_heads}, but somebody has to attend: n_heads needs 1 or more")
    if matrix.dim() < 2 or matrix.shape[-1] % n_heads:
        reason = f"there are to be {n_heads} heads of equal width"
        _refuse(name, matrix, reason, f"a number of columns divisible by {n_heads}")


def need_shape(name: str, tensor: Tensor, shape: Sequence[int], of: str) -> None:
    """Refuse a tensor whose shape is not exactly that of something else."""
    if tensor.shape != torch.Size(shape):
        reason = f"{of} has shape {tuple(shape)}"
        _refuse(name, tensor, reason, f"the same shape as {of}")


def describe(record: Any) -> str:
    """A dataclass of tensors as its name and a line for each field: the field's name and shape."""
    lines = [type(record).__name__]
    for field in fields(record):
        value = getattr(record, field.name)
        lines.append(f"  {field.name}: {list(value.shape) if isinstance(value, Tensor) else value}")
    return "\n".join(lines)


def _refuse(name: str, tensor: Tensor, reason: str, wanted: str) -> None:
    raise ValueError(f"{name} has shape {tuple(tensor.shape)}, but {reason}: {name} needs {wanted}")
