"""Call a function that someone else wrote, and always return, whatever it does."""

from __future__ import annotations

import builtins
import io
import linecache
import os
import sys
import sysconfig
import traceback
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
import torch
from torch import Tensor

from qkvlib.calling.plain import plain, readable, type_name
from qkvlib.calling.session import put_back
from qkvlib.calling.time_limit import TookTooLong, time_limit

_MOST_PRINTED = 1_000  # characters that are kept
_LONGEST_MESSAGE = 1_000
_MOST_RESULTS = 100  # that are looked at


@dataclass(frozen=True)
class Returned:
    """The call returned `value`; `inputs` are as it left them, and `changed` lists those it wrote to.

    `left` describes what could have disturbed later code: global state that the call changed, which has
    been restored, and a result that only NumPy can use.
    """

    value: Any
    inputs: tuple[Any, ...] = ()
    changed: tuple[int, ...] = ()
    printed: str = ""
    left: tuple[str, ...] = ()


@dataclass(frozen=True)
class Raised:
    """The call ended with an exception, in the learner's own `line` if that is known."""

    kind: str
    message: str
    line: str
    printed: str = ""


class RemoteError(Exception):
    """An exception from a function in another process, as that process described it."""

    def __init__(self, kind: str, message: str, line: str = "") -> None:
        super().__init__(message)
        self.kind, self.message, self.line = kind, message, line


class Elsewhere(ABC):
    """A function in another process, where it can change nothing of ours: `call` asks for its reply."""

    @abstractmethod
    def reply(self, inputs: tuple[Any, ...]) -> Returned | Raised:
        """Return what `call` should return for these inputs, and leave the inputs unchanged."""

    @abstractmethod
    def ask_ahead(self, many: Sequence[tuple[Any, ...]]) -> None:
        """Announce the next inputs, so that their replies can be computed together."""

    def __call__(self, *inputs: Any) -> Any:
        found = self.reply(inputs)
        if isinstance(found, Raised):
            raise RemoteError(found.kind, found.message, found.line)
        return found.value


class Interruption(BaseException):
    """An exception that ends the judging itself, not only the current call: no call swallows it."""


def call(function: Callable[..., Any], inputs: tuple[Any, ...], seconds: float | None) -> Returned | Raised:
    """Call `function` on copies of `inputs`, silently, for at most `seconds` of processor time
    (None: no limit).

    The copies keep their strides, because a tensor that is not stored row by row is a separate case.
    Printed text is captured instead of shown, because a check calls the function a dozen times.
    """
    if isinstance(function, Elsewhere):
        return function.reply(inputs)
    copies = each_tensor(_copy, inputs)
    same_parts = tuple(_same_parts(value) for value in copies)
    output, left = _CapturedOutput(), list[str]()
    try:
        with (
            warnings.catch_warnings(),
            redirect_stdout(output),
            redirect_stderr(output),
            put_back(left),
            _input_refused(),
            time_limit(seconds),
        ):
            warnings.simplefilter("ignore")
            value = function(*copies)
        results = value[:_MOST_RESULTS] if type(value) in (list, tuple) else [value]
        if any(isinstance(one, (np.ndarray, np.generic)) for one in results):
            left.append("its result is NumPy's, not torch's")
        changed = tuple(
            i for i, (was, now) in enumerate(zip(inputs, copies, strict=True)) if not _same(was, plain(now))
        )
        after = tuple(map(plain, same_parts))
        return Returned(plain(value), after, changed, output.text, tuple(left))
    except TookTooLong:
        return Raised("TookTooLong", f"not done after {seconds:g} seconds", "", output.text)
    except RemoteError as error:
        return Raised(error.kind, error.message, error.line, output.text)
    except (KeyboardInterrupt, Interruption):
        raise
    except BaseException as error:  # `exit()`, or a class that the learner defined
        line = _own_line(error.__traceback__)
        return Raised(type_name(type(error)), message(error), line, output.text)


def ask_ahead(function: Callable[..., Any], many: Sequence[tuple[Any, ...]]) -> None:
    """Announce the inputs of the next calls, so that a function in another process may start on them."""
    if isinstance(function, Elsewhere):
        function.ask_ahead(many)


def call_own(program: Callable[..., Any], inputs: tuple[Any, ...]) -> Returned | Raised:
    """Call a program of the course, which prints nothing and leaves the session unchanged; see `call`.

    A verdict makes a dozen of these calls for each call of a learner's function.
    """
    copies = each_tensor(_copy, inputs)
    same_parts = tuple(_same_parts(value) for value in copies)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = program(*copies)
    except Exception as error:
        return Raised(type_name(type(error)), message(error), "")
    return Returned(plain(value), tuple(map(plain, same_parts)))


@contextmanager
def _input_refused() -> Iterator[None]:
    """Refuse `input()`: a check calls a function a dozen times, and each time would wait for typing."""

    def ask(*_: Any) -> str:
        raise RuntimeError("nobody types while a function is checked: use what goes into it")

    before = builtins.input
    builtins.input = ask
    try:
        yield
    finally:
        builtins.input = before


class _CapturedOutput(io.TextIOBase):
    """Capture what a call prints: keep the first characters, and let nothing close the stream."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> int:
        if len(self.text) < _MOST_PRINTED:
            self.text += readable(text[: _MOST_PRINTED - len(self.text)])
        return len(text)

    def close(self) -> None:
        """Do nothing: the stream stays open."""


def message(error: BaseException) -> str:
    """Return the beginning of an exception's message, or nothing if it has none."""
    try:
        words = readable(str(error))
    except Exception:
        return "(its message cannot be shown)"
    return words if len(words) <= _LONGEST_MESSAGE else words[:_LONGEST_MESSAGE] + " ..."


def _same_parts(value: Any) -> Any:
    """Return the same tensors in a new list, because the caller also has them under other names.

    If the function replaces tensors in the list that it was given, nothing else is affected.
    """
    return [_same_parts(part) for part in value] if isinstance(value, list) else value


def each_tensor(change: Callable[[Tensor], Tensor], value: Any) -> Any:
    """Return the same lists, tuples and dictionaries, with every tensor in them changed."""
    if isinstance(value, (list, tuple)):
        return type(value)(each_tensor(change, part) for part in value)
    if isinstance(value, dict):
        return {name: each_tensor(change, part) for name, part in value.items()}
    return change(value) if isinstance(value, Tensor) else value


def _copy(tensor: Tensor) -> Tensor:
    """Copy a tensor, with its strides and its gradient."""
    copy = torch.empty_strided(tensor.size(), tensor.stride(), dtype=tensor.dtype)
    copy = copy.copy_(tensor.detach()).requires_grad_(tensor.requires_grad)
    if tensor.grad is not None:
        copy.grad = tensor.grad.clone()
    return copy


def _same(was: Any, now: Any) -> bool:
    """Return whether the numbers are unchanged. `requires_grad_()` changes no number."""
    if isinstance(was, (list, tuple)):
        alike = isinstance(now, type(was)) and len(was) == len(now)
        return alike and all(map(_same, was, now))
    if isinstance(was, dict):
        alike = isinstance(now, dict) and was.keys() == now.keys()
        return alike and all(_same(was[name], now[name]) for name in was)
    if not isinstance(was, Tensor):
        return True
    if not isinstance(now, Tensor):
        return False
    was, now = was.detach(), now.detach()
    if was.shape != now.shape:
        return False
    try:
        return torch.equal(was, now) or torch.equal(was.nan_to_num(), now.nan_to_num())
    except Exception:  # it has become a value that cannot be compared
        return False


def _own_line(tb: TracebackType | None) -> str:
    """Return the traceback's last line in the learner's own code, or ''."""
    own = [frame for frame in traceback.walk_tb(tb) if _is_own(frame[0].f_code.co_filename)]
    if not own:
        return ""
    frame, number = own[-1]
    return linecache.getline(frame.f_code.co_filename, number).strip()


# The folders of torch and Python are also read from the modules: in a web page each is a separate
# archive, and Python's prefix is the root folder.
_FOLDERS = {
    *(Path(each) for each in (*sysconfig.get_paths().values(), sys.base_prefix)),
    *(Path(each).parent for each in (torch.__file__, os.__file__)),
    Path(__file__).parents[1],
}
_INSTALLED = tuple(str(each) for each in map(Path.resolve, _FOLDERS) if each != each.parent)
_PACKAGES = frozenset({"site-packages", "dist-packages"})


@lru_cache(maxsize=256)  # errors tend to come from the same files
def _is_own(file: str) -> bool:
    path = Path(file).resolve()
    # A user's own packages are in a folder that is not in sysconfig's path schemes.
    installed = str(path).startswith(_INSTALLED) or not _PACKAGES.isdisjoint(path.parts)
    return not file.startswith("<frozen") and not installed
