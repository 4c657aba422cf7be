"""Layers as functions."""

from __future__ import annotations

import math
from typing import Any

from ..autograd import called, keeping
from ..dtypes import bool_, dtype, int64
from ..elementwise import gelu as gelu
from ..errors import NotInThisPage, must_be_tensor, not_implemented, output_too_small
from ..joining import cat
from ..making import arange, converted
from ..missing import who_has
from ..random import dropout as _dropout
from ..reductions import log_softmax as _log_softmax
from ..reductions import softmax as _softmax
from ..reductions import vector_norm
from ..shapes import broadcast
from ..tensor import Tensor, filled
from ..viewing import broadcast_tensors


def _soft(of: Any) -> Any:
    def soft(
        input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: dtype | None = None
    ) -> Tensor:
        return of(input, int(input.ndim not in (0, 1, 3)) if dim is None else dim, dtype)

    soft.__name__ = soft.__qualname__ = of.__name__
    return soft


softmax, log_softmax = _soft(_softmax), _soft(_log_softmax)


def relu(input: Tensor, inplace: bool = False) -> Tensor:
    return input.relu_() if inplace else input.relu()


def sigmoid(input: Tensor) -> Tensor:
    return input.sigmoid()


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    return _dropout(input, p, training)


def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    if weight.ndim == 1 and bias is not None:
        raise RuntimeError("mat2 must be a matrix, got 1-D tensor")
    made = input @ (weight if weight.ndim == 1 else weight.t())
    if bias is None:
        return made
    return called(made + bias, "AddmmBackward0" if input.ndim == 2 else "ViewBackward0")


def embedding(input: Tensor, weight: Tensor, padding_idx: int | None = None, *_: Any, **__: Any) -> Tensor:
    if padding_idx is not None:
        raise NotInThisPage("`F.embedding` with padding_idx")
    for name, position, each in (("weight", 1, weight), ("indices", 2, input)):
        if not isinstance(each, Tensor):
            raise must_be_tensor("embedding", name, position, each)
    if weight.ndim != 2:
        raise RuntimeError("'weight' must be 2-D")
    if input.dtype.name not in ("int64", "int32"):
        raise RuntimeError(
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: "
            f"Long, Int; but got torch.{input.dtype.word}Tensor instead (while checking arguments "
            "for embedding)"
        )
    if (input < 0).any() or (input >= weight.shape[0]).any():
        raise IndexError("index out of range in self")
    return called(weight[input].contiguous(), "EmbeddingBackward0")


def one_hot(tensor: Tensor, num_classes: int = -1) -> Tensor:
    if not isinstance(tensor, Tensor):
        raise must_be_tensor("one_hot", "input", 1, tensor)
    if tensor.dtype is not int64:
        raise RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")
    if tensor.numel() and int(tensor.min()) < 0:
        raise RuntimeError("Class values must be non-negative.")
    if num_classes == -1:
        if not tensor.numel():
            raise RuntimeError("Can not infer total number of classes from empty tensor.")
        num_classes = int(tensor.max()) + 1
    elif tensor.numel() and int(tensor.max()) >= num_classes:
        raise RuntimeError("Class values must be smaller than num_classes.")
    return (tensor.contiguous().unsqueeze(-1) == arange(num_classes)).long()


def layer_norm(
    input: Tensor,
    normalized_shape: Any,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-05,
) -> Tensor:
    shape = [normalized_shape] if isinstance(normalized_shape, int) else list(normalized_shape)
    if list(input.shape[-len(shape) :]) != shape:
        raise RuntimeError(
            f"Given normalized_shape={shape}, expected input with shape "
            f"[*, {', '.join(map(str, shape))}], but got input of size{list(input.shape)}"
        )
    if input.dtype.rank < 2:
        raise not_implemented("LayerNormKernelImpl", input.dtype.word)
    dims = tuple(range(-len(shape), 0))
    x = input.contiguous()
    away = keeping(x - x.mean(dims, keepdim=True), x)
    made = away * (away.square().mean(dims, keepdim=True) + eps).rsqrt()
    made = made if weight is None else made * weight
    return called(made if bias is None else made + bias, "NativeLayerNormBackward0")


def normalize(input: Tensor, p: float = 2.0, dim: Any = 1, eps: float = 1e-12) -> Tensor:
    return input / vector_norm(input, p, dim, True).clamp(min=eps).expand_as(input)


def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-8) -> Tensor:
    a, b = x1, x2
    if a.dtype.rank < 2 or b.dtype.rank < 2:
        raise RuntimeError(f"expected common dtype to be floating point, yet common dtype is {a.dtype.word}")
    a, b = broadcast_tensors(a, b)
    lengths = [vector_norm(x, 2, dim, True).clamp(min=eps) for x in (a, b)]
    return (a / lengths[0] * (b / lengths[1])).sum(dim)


def pad(input: Tensor, pad: Any, mode: str = "constant", value: float | None = None) -> Tensor:
    if mode != "constant":
        raise NotInThisPage(f"`F.pad` with mode={mode!r}")
    pad = list(pad)
    if len(pad) % 2:
        raise RuntimeError("Padding length must be divisible by 2")
    if len(pad) // 2 > input.ndim:
        raise RuntimeError(
            "Padding length should be less than or equal to two times the input dimension but got "
            f"padding length {len(pad)} and input of dimension {input.ndim}"
        )
    made = input
    for i in range(0, len(pad), 2):
        dim = input.ndim - 1 - i // 2
        for count, front in ((pad[i], True), (pad[i + 1], False)):
            if count < 0:
                raise NotInThisPage("`F.pad` with a negative count")
            shape = list(made.shape)
            shape[dim] = count
            more = filled(shape, value or 0, input.dtype)
            made = cat([more, made] if front else [made, more], dim)
    return made


# Losses


def _reduced(loss: Tensor, reduction: str) -> Tensor:
    if reduction == "none":
        return loss
    if reduction == "sum":
        return loss.sum()
    if reduction == "mean":
        return loss.mean()
    raise ValueError(f"{reduction} is not a valid value for reduction")


def nll_loss(input: Tensor, target: Tensor, *, ignore_index: int = -100, reduction: str = "mean") -> Tensor:
    if target.dtype.rank == 2 or target.dtype is bool_:
        raise RuntimeError(f"expected target dtype to be Long or Byte, but got {target.dtype.word}")
    if input.ndim == 0:
        raise ValueError("Expected 1 or more dimensions (got 0)")
    if input.ndim != 1 and input.shape[0] != target.shape[0 if target.ndim else None]:
        raise ValueError(
            f"Expected input batch_size ({input.shape[0]}) to match target batch_size ({target.shape[0]})."
        )
    classes_at = 0 if input.ndim == 1 else 1
    if input.ndim > 1 and target.ndim != input.ndim - 1:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    if input.ndim == 1 and target.ndim:
        raise RuntimeError(
            "0D or 1D target tensor expected, multi-target not supported"
            if target.ndim > 1
            else f"Expected target size [], got {list(target.shape)}"
        )
    count = input.shape[classes_at]
    counts = target != ignore_index
    bad = target[counts & ((target < 0) | (target >= count))]
    if bad.numel():
        raise IndexError(f"Target {bad[0].item()} is out of bounds.")
    safe = target.masked_fill(~counts, 0)
    own = -input.gather(classes_at, safe.unsqueeze(classes_at)).squeeze(classes_at)
    share = converted(counts, input.dtype)
    loss = (own * share).masked_fill(~counts, 0)
    if reduction == "mean":
        return called(loss.sum() / share.sum(), "NllLossBackward0")
    return called(_reduced(loss, reduction), "NllLossBackward0")


def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    *,
    ignore_index: int = -100,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    if not isinstance(target, Tensor) or not isinstance(input, Tensor):
        bad, place, name = (target, 2, "target") if isinstance(input, Tensor) else (input, 1, "input")
        raise TypeError(
            f"cross_entropy_loss(): argument '{name}' (position {place}) must be Tensor, not "
            f"{type(bad).__name__}"
        )
    if label_smoothing or weight is not None:
        raise NotInThisPage("`F.cross_entropy` with label_smoothing or weight")
    classes_at = 0 if input.ndim == 1 else 1
    if input.dtype.rank < 2:
        raise not_implemented("log_softmax_lastdim_kernel_impl", input.dtype.word)
    logs = _log_softmax(input, classes_at)
    if target.dtype.rank == 2:
        if target.shape != input.shape:
            raise RuntimeError(f"expected target dtype to be Long or Byte, but got {target.dtype.word}")
        return _reduced(-(logs * target).sum(classes_at), reduction)
    return nll_loss(logs, target, ignore_index=ignore_index, reduction=reduction)


# Attention


def scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Tensor:
    if not (query.dtype is key.dtype is value.dtype):
        kinds = [each.dtype.c_name for each in (query, key, value)]
        raise RuntimeError(
            "Expected query, key, and value to have the same dtype, but got query.dtype: "
            f"{kinds[0]} key.dtype: {kinds[1]} and value.dtype: {kinds[2]} instead."
        )
    if query.ndim < 2 or key.ndim < 2 or value.ndim < 2:
        raise RuntimeError(
            "Expected query, key, and value to all be  at least 2 dimensional, but got "
            f"query.dim(): {query.ndim}, key.dim(): {key.ndim} and value.dim(): "
            f"{value.ndim} instead."
        )
    if enable_gqa:
        groups = query.shape[-3] // key.shape[-3]
        key, value = (x.repeat_interleave(groups, -3) for x in (key, value))
    factor = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = query @ key.mT * factor
    if is_causal:
        if attn_mask is not None:
            raise RuntimeError("Explicit attn_mask should not be set when is_causal=True")
        attn_mask = filled(scores.shape[-2:], True, bool_).tril()
    nobody = None
    if attn_mask is not None:
        met = broadcast(scores.shape, attn_mask.shape)
        if met != scores.shape:
            raise output_too_small(scores.shape, met)
        if attn_mask.dtype is bool_:
            nobody = ~attn_mask.any(-1, keepdim=True)
            scores = scores.masked_fill(~attn_mask, -math.inf)
        else:
            scores = scores + attn_mask
            nobody = (attn_mask == -math.inf).all(-1, keepdim=True)
    weights = _softmax(scores, -1)
    if nobody is not None:  # a query that may attend to nothing gets 0
        weights = weights.masked_fill(nobody, 0.0)
    return _dropout(weights, dropout_p) @ value


__getattr__ = who_has(__name__)
