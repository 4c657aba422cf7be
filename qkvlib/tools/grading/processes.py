"""Start a Python process and hand it one end of a connection.

Trusted. The order is written to stdin as one line of JSON, so that it appears in no command line.
"""

from __future__ import annotations

import ctypes
import json
import math
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import IO


def start(
    arguments: Sequence[str], order: Mapping[str, object], theirs: socket.socket, environment: dict[str, str]
) -> subprocess.Popen[bytes]:
    """Run Python with `arguments`; the process finds the connection `theirs` as its order's `handle`."""
    process = subprocess.Popen(
        [sys.executable, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=None if os.environ.get("QKVLIB_DEBUG") else subprocess.DEVNULL,
        env=environment,
        pass_fds=(theirs.fileno(),),
        start_new_session=True,
    )
    assert process.stdin is not None
    _tell(process.stdin, {**order, "handle": theirs.fileno()})
    return process


def _tell(stdin: IO[bytes], order: Mapping[str, object]) -> None:
    with suppress(OSError):  # it died at once; whoever waits for its first message will notice
        stdin.write(json.dumps(order).encode() + b"\n")
        stdin.close()


def bare_environment() -> dict[str, str]:
    """Return only what an interpreter needs from our environment, which may contain keys."""
    kept = ("PATH", "LD_LIBRARY_PATH", "LANG", "LC_ALL")
    environment = {name: os.environ[name] for name in kept if name in os.environ}
    return environment | {
        "OMP_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
        "PYTHONHASHSEED": "0",
        # Use large pages, where Linux offers them: each fork then has a hundred times fewer pages to copy.
        "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",
    }


class Forked:
    """A process that this one has forked and that waits for its order on stdin.

    It has the methods of a `subprocess.Popen` that are used here. `control` is our end of its connection,
    `handle` is the number of its own end.
    """

    def __init__(self, number: int, control: socket.socket, stdin: int, handle: int) -> None:
        self.pid = number
        self.control = control
        self._stdin = os.fdopen(stdin, "wb")
        self._handle = handle
        self._code: int | None = None
        self._looking = threading.Lock()  # a process can be waited for only once

    def tell(self, order: Mapping[str, object]) -> None:
        """Give it the order that it is waiting for."""
        _tell(self._stdin, {**order, "handle": self._handle})

    def poll(self) -> int | None:
        """Return its exit code; None while it runs."""
        with self._looking:
            if self._code is None:
                number, status = os.waitpid(self.pid, os.WNOHANG)
                self._code = os.waitstatus_to_exitcode(status) if number else None
            return self._code

    def wait(self, timeout: float = math.inf) -> int:
        """Wait for its exit code; raise subprocess.TimeoutExpired after this many seconds."""
        end = time.monotonic() + timeout
        while (code := self.poll()) is None:
            if time.monotonic() > end:
                raise subprocess.TimeoutExpired("a forked process", timeout)
            time.sleep(0.005)
        return code

    def kill(self) -> None:
        """End it, if it still runs."""
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)


def kill(process: subprocess.Popen[bytes]) -> None:
    """End a process, and everything that it started in its group."""
    with suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()


def hide_from_others() -> None:
    """Forbid other processes of the same user to trace this one."""
    ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)
