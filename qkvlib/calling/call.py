"""Call a function that somebody else wrote, and come back whatever it does."""

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

_MOST_PRINTED = 1_000  # letters that are kept
_LONGEST_MESSAGE = 1_000
_MOST_RESULTS = 100


@dataclass(frozen=True)
class Returned:
    """The call came back with `value`; `inputs` are as it left them, `changed` where it wrote.

    `left` says what could have disturbed later code: global state that the call changed, which has
    been restored, and a result that only NumPy can use.
    """

    value: Any
    inputs: tuple[Any, ...] = ()
    changed: tuple[int, ...] = ()
    printed: str = ""
    left: tuple[str, ...] = ()


@dataclass(frozen=True)
class Raised:
    """The call ended with an exception, in the learner's own `line` where that is known."""

    kind: str
    message: str
    line: str
    printed: str = ""


class RemoteError(Exception):
    """An exception of a function that runs in another process, as that process described it."""

    def __init__(self, kind: str, message: str, line: str = "") -> None:
        super().__init__(message)
        self.kind, self.message, self.line = kind, message, line


class Elsewhere(ABC):
    """A function that runs where it can change nothing of ours: `call` asks it for its reply."""

    @abstractmethod
    def reply(self, inputs: tuple[Any, ...]) -> Returned | Raised:
        """What `call` is to give for these inputs, which are left as they are."""

    @abstractmethod
    def ask_ahead(self, many: Sequence[tuple[Any, ...]]) -> None:
        """These inputs are the next, so that their replies may be worked out together."""

    def __call__(self, *inputs: Any) -> Any:
        found = self.reply(inputs)
        if isinstance(found, Raised):
            raise RemoteError(found.kind, found.message, found.line)
        return found.value


class Interruption(BaseException):
    """Ends the judging itself, not only the current call: no call swallows it."""


def call(function: Callable[..., Any], inputs: tuple[Any, ...], seconds: float | None) -> Returned | Raised:
    """Call `function` on copies of `inputs`, silently, for at most `seconds` of processor time
    (None: no limit).

    The copies keep their strides, because a tensor that is not stored row by row is a case of its
    own. What the function prints is kept in place of shown, because a check calls it a dozen times.
    """
    if isinstance(function, Elsewhere):
        return function.reply(inputs)
    copies = tuple(_copy(value) for value in inputs)
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
        if any(isinstance(part, (np.ndarray, np.generic)) for part in _parts(value)):
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
    except BaseException as error:  # `exit()`, or a class of the learner's own
        line = _own_line(error.__traceback__)
        return Raised(type_name(type(error)), message(error), line, output.text)


def ask_ahead(function: Callable[..., Any], many: Sequence[tuple[Any, ...]]) -> None:
    """Calls with these inputs come next: a function that runs elsewhere may begin with them."""
    if isinstance(function, Elsewhere):
        function.ask_ahead(many)


def call_own(program: Callable[..., Any], inputs: tuple[Any, ...]) -> Returned | Raised:
    """As `call`, for a program of the course, which prints nothing and leaves the session alone.

    A verdict makes a dozen calls of those for each of a learner's.
    """
    copies = tuple(_copy(value) for value in inputs)
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
    """A check calls a function a dozen times, and would wait each time for someone to type."""

    def ask(*_: Any) -> str:
        raise RuntimeError("nobody types while a function is checked: use what goes into it")

    before = builtins.input
    builtins.input = ask
    try:
        yield
    finally:
        builtins.input = before


def _parts(value: Any) -> tuple[Any, ...]:
    """The results, where there are several (the first of them, if somebody made a million), and
    else the one."""
    return tuple(value[:_MOST_RESULTS]) if type(value) in (list, tuple) else (value,)


class _CapturedOutput(io.TextIOBase):
    """What a call prints: the first letters are kept, and nobody can close it."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> int:
        if len(self.text) < _MOST_PRINTED:
            self.text += readable(text[: _MOST_PRINTED - len(self.text)])
        return len(text)

    def close(self) -> None:
        """It stays open."""


def message(error: BaseException) -> str:
    """The beginning of what an exception says of itself, where it says anything."""
    try:
        words = readable(str(error))
    except (Exception, SystemExit):
        return "(its message cannot be shown)"
    return words if len(words) <= _LONGEST_MESSAGE else words[:_LONGEST_MESSAGE] + " ..."


def _same_parts(value: Any) -> Any:
    """The same tensors in a list of their own, as whoever calls has them under other names, too.

    What a function puts in their place, in the list that it was given, reaches nobody else.
    """
    return [_same_parts(part) for part in value] if isinstance(value, list) else value


def _copy(value: Any) -> Any:
    """A copy of tensors, with strides and gradients, and of lists, tuples and dictionaries."""
    if isinstance(value, (list, tuple)):
        return type(value)(_copy(part) for part in value)
    if isinstance(value, dict):
        return {name: _copy(part) for name, part in value.items()}
    if not isinstance(value, Tensor):
        return value
    copy = torch.empty_strided(value.size(), value.stride(), dtype=value.dtype)
    copy = copy.copy_(value.detach()).requires_grad_(value.requires_grad)
    if value.grad is not None:
        copy.grad = value.grad.clone()
    return copy


def _same(was: Any, now: Any) -> bool:
    """Whether the numbers are what they were. Asking for gradients changes no number."""
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
    except Exception:  # it has become one that cannot be compared
        return False


def _own_line(tb: TracebackType | None) -> str:
    """The last line of the traceback that stands in the learner's own code, else ''."""
    own = [frame for frame in traceback.walk_tb(tb) if _is_own(frame[0].f_code.co_filename)]
    if not own:
        return ""
    frame, number = own[-1]
    return linecache.getline(frame.f_code.co_filename, number).strip()


# Where torch and Python lie is asked of them, too: in a web page each is an archive of its own, and
# Python calls the top of all folders its home.
_INSTALLED = tuple(
    str(folder)
    for folder in map(
        Path.resolve,
        map(
            Path,
            {
                *sysconfig.get_paths().values(),
                sys.base_prefix,
                str(Path(__file__).parents[1]),
                *(str(Path(each).parent) for each in (torch.__file__, os.__file__)),
            },
        ),
    )
    if folder != folder.parent
)


_PACKAGES = frozenset({"site-packages", "dist-packages"})


@lru_cache(maxsize=256)  # a bug raises in the same files every time
def _is_own(file: str) -> bool:
    path = Path(file).resolve()
    # What one user has installed lies where no scheme of paths says.
    installed = str(path).startswith(_INSTALLED) or not _PACKAGES.isdisjoint(path.parts)
    return not file.startswith("<frozen") and not installed
