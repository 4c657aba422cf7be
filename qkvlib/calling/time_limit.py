"""Stop a call that runs too long.

The limit is on processor time, because a right answer is also right on a busy machine. A call that
uses none, because it sleeps, is stopped after several times as long by wall time.
"""

from __future__ import annotations

import ctypes
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

_PATIENCE = 5.0  # how many times the limit in wall time
# A call that handles the exception as an error of its own gets it again, seconds later.
_SENDINGS, _PAUSE = 5, 0.5


class TookTooLong(BaseException):
    """The exception that stops a call. Not an Exception, so that `except Exception` lets it pass."""


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Raise TookTooLong in this thread after `seconds` of processor time (None: never), or after several
    times as many seconds of wall time.

    Python delivers it between two of its own instructions, so it stops a loop at once, and a single
    long torch call when that returns. A signal wakes a sleeping call, if the system has signals and this
    is the main thread. An import is never cut off: half a module would stay behind and break every later
    call (torch loads parts of itself when an optimiser first takes a step). The clocks start again when
    the import is done.
    """
    # In a web page no thread can be started: there the page watches the time, and ends the interpreter.
    if seconds is None or sys.platform == "emscripten":
        yield
        return
    with _woken_by_a_signal() as woken:
        limit = _Limit(threading.get_ident(), sys._getframe(2), seconds, woken)
        try:
            threading.Thread(target=limit.watch, daemon=True).start()
            yield
        finally:
            # An exception sent at the last moment may arrive anywhere in this block, but only here.
            # Withdrawing it would leave a flag behind, on which Python 3.11 hangs as soon as a
            # profiler or a debugger traces the code.
            while True:
                try:
                    limit.end()
                    break
                except TookTooLong:
                    pass


@dataclass(eq=False)
class _Limit:
    """The time limit of whatever `caller` calls in `thread`, except while it imports."""

    thread: int
    caller: FrameType
    seconds: float
    can_be_woken: bool
    was_sent: bool = False
    _began: tuple[float, float] = field(default_factory=lambda: _clocks())
    has_ended: threading.Event = field(default_factory=threading.Event)
    _lock: Any = field(default_factory=threading.Lock)

    def watch(self) -> None:
        """Wait until the call ends or its time is up."""
        while not self.has_ended.wait(self._time_left()):
            if self._time_left() > 0:  # its wall time is up, but other processes had the processor
                continue
            if not _is_importing(self.thread, self.caller):
                break
            self._began = _clocks()
        for _ in range(_SENDINGS):
            self.send()
            if self.has_ended.wait(_PAUSE):
                break

    def send(self) -> None:
        """Raise TookTooLong in the thread, unless its call has ended."""
        with self._lock:
            if self.has_ended.is_set():
                return
            self.was_sent = True
            raised = ctypes.py_object(TookTooLong)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.thread), raised)
            if self.can_be_woken:
                signal.pthread_kill(self.thread, signal.SIGURG)

    def end(self) -> None:
        """Send nothing from now on, and wait until anything sent has arrived."""
        with self._lock:
            self.has_ended.set()
        if self.was_sent:
            _run_some_python()

    def _time_left(self) -> float:
        clock, processor = (now - began for now, began in zip(_clocks(), self._began, strict=True))
        # Several threads together can use more than one second of processor time in a second.
        used = min(clock, processor)
        return max(0.0, min(self.seconds - used, _PATIENCE * self.seconds - clock))


def _clocks() -> tuple[float, float]:
    return time.monotonic(), time.process_time()


@contextmanager
def _woken_by_a_signal() -> Iterator[bool]:
    """Make this thread run some Python when a signal comes, so that a sent exception can arrive.

    The signal is SIGURG, because nothing else uses it and a late one does nothing. Windows has none.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "SIGURG"):
        yield False
        return
    before = signal.signal(signal.SIGURG, _run_some_python)
    try:
        yield True
    finally:
        signal.signal(signal.SIGURG, before)


def _run_some_python(*_: object) -> None:
    """Run some instructions, between which a sent exception can arrive."""
    for _i in range(100):
        pass


def _is_importing(thread: int, caller: FrameType) -> bool:
    """Return whether an import is running in anything that `caller` called."""
    frame = sys._current_frames().get(thread)
    while frame is not None and frame is not caller:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False
