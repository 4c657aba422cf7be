"""What `Vectors` computes besides: scores by any function, and angles."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from qkvlib.attention import cosine_similarity
from qkvlib.widgets.kit.learner_function import function_name, reply

Similarity = Callable[[Tensor, Tensor], Any]


def score(similarity: Similarity, query: Tensor, key: Tensor, key_name: str) -> Tensor:
    """`similarity(query, key)` as one number; a ValueError says in words what went wrong."""
    call = f"{function_name(similarity)}(q, {key_name})"
    result = reply(similarity, call, query.clone(), key.clone())
    try:
        number = torch.as_tensor(result, dtype=query.dtype).detach()
    except (TypeError, ValueError, RuntimeError):
        raise ValueError(f"{call} returned {result!r:.60}, but a number was expected") from None
    if number.numel() != 1:
        shape = tuple(number.shape)
        raise ValueError(f"{call} returned shape {shape}, but one number was expected")
    if not number.isfinite():
        raise ValueError(f"{call} is {number.item()}, but a finite number was expected")
    return number.reshape(())


def cosines(query: Float[Tensor, " 2"], keys: Float[Tensor, "n 2"]) -> Float[Tensor, " n"]:
    """The cosine of each key with the query; nan where a vector has no length, so no direction."""
    lengths = keys.norm(dim=-1) * query.norm()
    return torch.where(lengths > 0, cosine_similarity(query[None], keys)[0], math.nan)


def angle(cosine: float) -> float:
    """The angle in degrees, from 0 to 180."""
    return math.degrees(math.acos(min(max(cosine, -1.0), 1.0))) if cosine == cosine else math.nan
