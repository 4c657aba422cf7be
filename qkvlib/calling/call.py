"""Call a function that somebody else wrote, and come back whatever it does."""

from __future__ import annotations

import builtins
import contextvars
import ctypes
import io
import linecache
import math
import os
import signal
import sys
import sysconfig
import threading
import time
import traceback
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any

import numpy as np
import torch
from torch import Tensor

from qkvlib.calling.plain import is_one_of, plain, readable, type_name
from qkvlib.calling.session import call_and_come_back, put_back

_MOST_PRINTED = 1_000  # letters that are kept
_LONGEST_MESSAGE = 1_000
_MOST_RESULTS = 100
_TRACEBACK: Any = vars(BaseException)["__traceback__"]


@dataclass(frozen=True)
class Returned:
    """The call came back with `value`; `inputs` are as it left them, `changed` where it wrote.

    `left` says what the session could not go on with: what it had changed of everybody's, which is
    put back by now, and a result that only NumPy can go on with.
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


class TookTooLong(BaseException):
    """Stops a call at its time limit. Not an Exception, so that `except Exception` lets it pass."""


class Interruption(BaseException):
    """Ends the judging itself, and not only the call that is under way: no call swallows it."""


def call(
    function: Callable[..., Any], inputs: tuple[Any, ...], seconds: float | None
) -> Returned | Raised:
    """Call `function` on copies of `inputs`, silently, for at most `seconds` (None: no limit).

    The copies keep their strides, because a tensor that is not stored row by row is a case of its
    own. What the function prints is kept in place of shown, because a check calls it a dozen times.
    """
    if is_one_of(function, Elsewhere):
        return function.reply(inputs)  # type: ignore[attr-defined]
    copies = tuple(_copy(value) for value in inputs)
    held = tuple(_held(value) for value in copies)
    printed, left = _Paper(), list[str]()
    try:
        with (
            warnings.catch_warnings(),
            redirect_stdout(printed),
            redirect_stderr(printed),
            put_back(left),
            _nobody_types(),
        ):
            warnings.simplefilter("ignore")
            value = _in_time(partial(_heard, function), copies, seconds)
        if type(value) is Raised:  # the function's own value is asked nothing
            return replace(value, printed=printed.text)
        return _returned(value, inputs, copies, held, printed.text, left)
    except TookTooLong:
        words = f"not done after {seconds:g} seconds"
        return Raised("TookTooLong", words, "", printed.text)
    except (KeyboardInterrupt, Interruption):
        raise
    except BaseException as error:  # on the way back, as from what a function leaves behind
        return Raised(type_name(type(error)), "(its message cannot be shown)", "", printed.text)


def _heard(function: Callable[..., Any], *inputs: Any) -> Any:
    """What the function gives, or how it raised. Its exception is asked for its words here, while
    the time is watched and the session guarded: to say them, it may run anything."""
    try:
        return call_and_come_back(function, inputs)
    except RemoteError as error:
        return Raised(error.kind, error.message, error.line)
    except (KeyboardInterrupt, Interruption, TookTooLong):
        raise
    except BaseException as error:  # a learner's own may derive from anything
        line = _own_line(_TRACEBACK.__get__(error))  # it may give out another, or none
        return Raised(type_name(type(error)), message(error), line)


def _returned(
    value: Any,
    inputs: tuple[Any, ...],
    copies: tuple[Any, ...],
    held: tuple[Any, ...],
    printed: str,
    left: list[str],
) -> Returned:
    """What came back and what became of the inputs, all of it plain."""
    if any(is_one_of(part, np.ndarray, np.generic) for part in _parts(value)):
        left.append("its result is NumPy's, not torch's")
    after = tuple(plain(value) for value in copies)
    changed = tuple(i for i, (was, now) in enumerate(zip(inputs, after, strict=True))
                    if not _same(was, now))  # fmt: skip
    return Returned(plain(value), tuple(map(plain, held)), changed, printed, tuple(left))


def ask_ahead(function: Callable[..., Any], many: Sequence[tuple[Any, ...]]) -> None:
    """Calls with these inputs come next: a function that runs elsewhere may begin with them."""
    if is_one_of(function, Elsewhere):
        function.ask_ahead(many)  # type: ignore[attr-defined]


def call_own(program: Callable[..., Any], inputs: tuple[Any, ...]) -> Returned | Raised:
    """As `call`, for a program of the course, which prints nothing and leaves the session alone.

    A verdict makes a dozen calls of those for each of a learner's.
    """
    copies = tuple(_copy(value) for value in inputs)
    held = tuple(_held(value) for value in copies)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = program(*copies)
    except Exception as error:
        return Raised(type_name(type(error)), message(error), "")
    return Returned(plain(value), tuple(map(plain, held)))


def _in_time(function: Callable[..., Any], inputs: tuple[Any, ...], seconds: float | None) -> Any:
    """What the function gives, where it does so in time, else TookTooLong."""
    if seconds is None or not _has_threads():
        return call_and_come_back(function, inputs)
    if not _can_be_woken():
        return _in_a_thread(function, inputs, seconds)
    with time_limit(seconds):
        return call_and_come_back(function, inputs)


def _in_a_thread(function: Callable[..., Any], inputs: tuple[Any, ...], seconds: float) -> Any:
    """The same where nothing wakes a call that waits: it gets a thread, and is left there to wait.

    Windows has no signal that ends the wait for a lock, and only a main thread sees signals.
    """
    limits, came = list[_Limit](), list[tuple[Any, BaseException | None]]()
    tracks = [torch.is_grad_enabled()]  # each thread has a switch of its own

    def work() -> None:
        torch.set_grad_enabled(tracks[0])
        try:
            with time_limit(seconds) as limit:
                limits.extend([limit] if limit else [])
                value = call_and_come_back(function, inputs)
            came.append((value, None))
        except BaseException as error:
            came.append((None, error))
        tracks.append(torch.is_grad_enabled())

    run = contextvars.copy_context().run
    thread = threading.Thread(target=run, args=(work,), daemon=True)
    thread.start()
    while thread.is_alive() and not (limits and limits[0].is_given_up()):
        thread.join(_AGAIN)
    if not came:
        raise TookTooLong
    torch.set_grad_enabled(tracks[-1])
    value, error = came[0]
    if error is not None:
        raise error
    return value


@contextmanager
def _nobody_types() -> Iterator[None]:
    """A check calls a function a dozen times, and would wait for somebody to type each time."""

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


class _Paper(io.TextIOBase):
    """Where a call prints to: the first letters are kept, and nobody can close it."""

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
        words = plain(str(error))
    except (KeyboardInterrupt, Interruption, TookTooLong):
        raise
    except BaseException:
        return "(its message cannot be shown)"
    return words if len(words) <= _LONGEST_MESSAGE else words[:_LONGEST_MESSAGE] + " ..."


def _held(value: Any) -> Any:
    """The same tensors in a list of their own, as whoever calls has them under other names, too.

    What a function puts in their place, in the list that it was given, reaches nobody else.
    """
    return [_held(part) for part in value] if isinstance(value, list) else value


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


@contextmanager
def time_limit(seconds: float | None) -> Iterator[_Limit | None]:
    """Raise TookTooLong in this thread after `seconds`, on every platform.

    Python delivers it between two of its own instructions, so a loop is stopped at once and a
    single long torch call when it returns. What waits, for a lock or for time to pass, is woken by
    a signal, where the system has them and this is the main thread; elsewhere `call` does not wait
    for it. An import is never cut: half a
    module would stay behind and break every later call (torch loads parts of itself when an
    optimiser first takes a step). The clock starts anew when the import is done.
    """
    if seconds is None:
        yield None
        return
    limit = _Limit(threading.get_ident(), sys._getframe(2), seconds, time.monotonic() + seconds)
    with _woken_by_a_signal() as can_be_woken:
        limit.can_be_woken = can_be_woken
        try:
            _WATCHER.begin(limit)
            yield limit
        finally:
            # What was sent at the last moment may arrive anywhere in here, and only in here: before
            # the next would be sent, nothing is any more. To withdraw it would leave a flag behind,
            # on which Python 3.11 hangs as soon as it is traced, by a profiler or a debugger.
            while True:
                try:
                    _WATCHER.end(limit)
                    if limit.sent:
                        _look_around()
                    break
                except TookTooLong:
                    pass


@contextmanager
def _woken_by_a_signal() -> Iterator[bool]:
    """Have this thread run some Python when the signal comes, so that it sees what was sent to it.

    SIGURG, because nobody minds it: one that comes too late does nothing.
    """
    if not _can_be_woken():
        yield False
        return
    before = signal.signal(signal.SIGURG, _look_around)
    try:
        yield True
    finally:
        signal.signal(signal.SIGURG, before)


@lru_cache
def _has_threads() -> bool:
    """Whether this Python can start a thread. In a web page it cannot: there the page watches the
    time, and ends all of it."""
    try:
        threading.Thread(target=lambda: None, daemon=True).start()
    except RuntimeError:
        return False
    return True


def _can_be_woken() -> bool:
    main = threading.current_thread() is threading.main_thread()
    return main and hasattr(signal, "SIGURG")


def _look_around(*what_came: Any) -> None:
    """Some instructions of Python, between which an exception that was sent arrives."""
    for _ in range(100):
        pass


@dataclass(eq=False)
class _Limit:
    """What runs in `thread`, called by `caller`, is to be done at `end`, unless it imports then."""

    thread: int
    caller: FrameType
    seconds: float
    end: float
    sent: bool = False
    sendings: int = 5
    last_sent: float = math.inf
    can_be_woken: bool = False

    def is_given_up(self) -> bool:
        """Whether it has been told to end as often as it will be, and has had time to."""
        return not self.sendings and time.monotonic() > self.last_sent + _AGAIN


_AGAIN = 0.5  # seconds until a call is told again, that took what stops it for an error of its own


class _Watcher:
    """One thread that waits for all limits: to start one for each takes longer than most calls.

    It sleeps until the first of them could be over, and calls that are done by then do not wake it.
    """

    def __init__(self) -> None:
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._woken = threading.Event()
        self._limits: set[_Limit] = set()
        self._sleeps_until = math.inf
        self._thread: threading.Thread | None = None

    def begin(self, limit: _Limit) -> None:
        """Watch it from now on."""
        if self._process != os.getpid():  # a fork has no such thread, and perhaps its closed lock
            self.__init__()  # type: ignore[misc]
        with self._lock:
            self._limits.add(limit)
            if self._thread is None:
                self._thread = threading.Thread(target=self._watch, daemon=True)
                self._thread.start()
            elif limit.end < self._sleeps_until:
                self._woken.set()
            self._sleeps_until = min(self._sleeps_until, limit.end)

    def end(self, limit: _Limit) -> None:
        """Nothing is sent for it any more."""
        with self._lock:
            self._limits.discard(limit)

    def _watch(self) -> None:
        while True:
            with self._lock:
                for limit in list(self._limits):
                    if limit.end <= time.monotonic():
                        self._at_the_end_of(limit)
                self._sleeps_until = min((limit.end for limit in self._limits), default=math.inf)
                pause = self._sleeps_until - time.monotonic()
            self._woken.wait(None if pause == math.inf else max(pause, 0.0))
            self._woken.clear()

    def _at_the_end_of(self, limit: _Limit) -> None:
        if _is_importing(limit.thread, limit.caller):
            limit.end = time.monotonic() + limit.seconds
        else:
            limit.sent = True
            limit.sendings -= 1
            limit.last_sent = time.monotonic()
            limit.end = limit.last_sent + _AGAIN if limit.sendings else math.inf
            _raise_in(limit.thread, TookTooLong)
            if limit.can_be_woken:
                signal.pthread_kill(limit.thread, signal.SIGURG)


_WATCHER = _Watcher()


def _raise_in(thread: int, exception: type[BaseException]) -> None:
    raised = ctypes.py_object(exception)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), raised)


def _is_importing(thread: int, caller: FrameType) -> bool:
    """Whether an import is under way in what `caller` called."""
    frame = sys._current_frames().get(thread)
    while frame is not None and frame is not caller:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
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
