"""A learner's own function in a widget: called while a hand moves, and what went wrong in words."""

from __future__ import annotations

import linecache
import traceback
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from qkvlib.calling.call import message
from qkvlib.calling.plain import type_name
from qkvlib.calling.time_limit import TookTooLong, time_limit

_LONGEST_CALL = 2.0  # seconds: the answer comes before the page gives the kernel up


def function_name(function: Callable[..., Any]) -> str:
    return getattr(function, "__name__", type(function).__name__)


def reply(function: Callable[..., Any], call: str, *inputs: Tensor) -> Any:
    """What the learner's function returns; a ValueError says why there is nothing to show.

    It is called while a hand moves, so it may not take long, and the kernel outlives it. A cell of
    the learner's may run beside it: what is one for both of them is not put back here.
    """
    try:
        # Gradients are as before afterwards. By the clock, because the hand waits.
        with torch.set_grad_enabled(torch.is_grad_enabled()), time_limit(_LONGEST_CALL, patience=1):
            return function(*inputs)
    except TookTooLong:
        raise ValueError(
            f"{call} was stopped after {_LONGEST_CALL:g} seconds. Is there a loop that never ends?"
        ) from None
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # `exit()` in it is no reason to end the kernel
        what = f"{type_name(type(error))}: {message(error)}{_error_line(function, error)}"
        raise ValueError(f"{call} raised {what}") from error


def _error_line(function: Callable[..., Any], error: BaseException) -> str:
    """The learner's own line where the error arose, when it can be found."""
    code = getattr(function, "__code__", None)
    frames = traceback.extract_tb(error.__traceback__)
    mine = [frame for frame in frames if code and frame.filename == code.co_filename]
    line = mine and linecache.getline(mine[-1].filename, mine[-1].lineno or 0).strip()
    return f", in the line: {line}" if line else ""
