"""What the `vectors` widget measures, and the checks on what it is given."""

from __future__ import annotations

import linecache
import math
import traceback
from collections.abc import Callable, Sequence
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from qkvlib.attention import cosine_similarity
from qkvlib.calling import TookTooLong, time_limit

Similarity = Callable[[Tensor, Tensor], Any]

_MOST_KEYS = 5
_FARTHEST = 1000.0
_LONGEST_NAME = 14
_LONGEST_CALL = 2.0  # seconds: the answer comes before the page gives the kernel up


def points(name: str, given: Any, *, many: bool) -> Tensor:
    """A copy of one point [2], or of several [n 2], after checking that they can be drawn."""
    tensor = torch.as_tensor(given).detach().to(dtype=torch.get_default_dtype(), copy=True)
    shape = tuple(tensor.shape)
    if not many and shape != (2,):
        raise ValueError(
            f"{name} has shape {shape}, but a vector in the plane has 2 numbers, like [1.0, 0.5]"
        )
    if many and (tensor.ndim != 2 or shape[1] != 2 or not 1 <= shape[0] <= _MOST_KEYS):
        raise ValueError(
            f"{name} has shape {shape}, but this widget draws 1 to {_MOST_KEYS} of them, "
            "each with 2 numbers, like [[1.0, 0.5], [0.0, 2.0]]"
        )
    if not tensor.abs().le(_FARTHEST).all():
        raise ValueError(
            f"{name} is {tensor.tolist()}, but every number must be between "
            f"-{_FARTHEST:.0f} and {_FARTHEST:.0f}"
        )
    return tensor


def names(given: Sequence[str] | None, count: int) -> list[str]:
    """The keys' names: those given, or k₁, k₂ and so on."""
    if given is None:
        return [f"k{'₁₂₃₄₅'[i]}" for i in range(count)]
    if len(given) != count:
        raise ValueError(f"there are {len(given)} names for {count} keys: give one for each key")
    for name in given:
        if not 1 <= len(name) <= _LONGEST_NAME:
            raise ValueError(f"the name {name!r} must have 1 to {_LONGEST_NAME} letters")
    return list(given)


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


def room(query: Tensor, keys: Tensor) -> float:
    """How far the plane should reach: somewhat farther than the longest vector, and round."""
    farthest = 1.15 * max(query.norm().item(), keys.norm(dim=-1).max().item())
    unit = 10.0 ** math.floor(math.log10(farthest)) if farthest > 1 else 1.0
    return next(
        n * unit for n in (1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0) if n * unit >= farthest
    )


def function_name(function: Callable[..., Any]) -> str:
    return getattr(function, "__name__", type(function).__name__)


def reply(function: Callable[..., Any], call: str, *inputs: Tensor) -> Any:
    """What the learner's function returns; a ValueError says why there is nothing to show.

    It is called while a hand moves, so it may not take long, and the kernel outlives it.
    """
    try:
        with time_limit(_LONGEST_CALL):
            return function(*inputs)
    except TookTooLong:
        raise ValueError(
            f"{call} was stopped after {_LONGEST_CALL:g} seconds. Is there a loop that never ends?"
        ) from None
    except Exception as error:
        what = f"{type(error).__name__}: {error}{_error_line(function, error)}"
        raise ValueError(f"{call} raised {what}") from error


def _error_line(function: Callable[..., Any], error: Exception) -> str:
    """The learner's own line where the error arose, when it can be found."""
    code = getattr(function, "__code__", None)
    frames = traceback.extract_tb(error.__traceback__)
    mine = [frame for frame in frames if code and frame.filename == code.co_filename]
    line = mine and linecache.getline(mine[-1].filename, mine[-1].lineno or 0).strip()
    return f", in the line: {line}" if line else ""
