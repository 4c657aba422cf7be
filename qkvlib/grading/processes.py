"""Start a Python process and hand it one end of a connection, on every platform.

Trusted. The order goes in on stdin, as one line of JSON, so that no command line shows it.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any


def start(
    arguments: Sequence[str],
    order: Mapping[str, object],
    theirs: socket.socket,
    environment: dict[str, str] | None = None,
    folder: str | None = None,
) -> subprocess.Popen[bytes]:
    """Run Python with `arguments`; the process finds the connection `theirs` by its order."""
    windows = sys.platform == "win32"
    loud = bool(os.environ.get("QKVLIB_DEBUG"))
    process = subprocess.Popen(
        [sys.executable, *arguments], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
        stderr=None if loud else subprocess.DEVNULL, env=environment, cwd=folder,
        pass_fds=() if windows else (theirs.fileno(),), start_new_session=not windows,
    )  # fmt: skip
    whole = dict(order)
    if windows:  # which hands a connection on as bytes
        whole["shared"] = theirs.share(process.pid).hex()  # type: ignore[attr-defined]
    else:
        whole["handle"] = theirs.fileno()
    assert process.stdin is not None
    with suppress(OSError):  # it died at once; whoever waits for its first word will see that
        process.stdin.write(json.dumps(whole).encode() + b"\n")
        process.stdin.close()
    return process


def connection(order: Mapping[str, Any]) -> socket.socket:
    """In the new process: the connection that came with the order."""
    if "handle" in order:
        return socket.socket(fileno=order["handle"])
    return socket.fromshare(bytes.fromhex(order["shared"]))  # type: ignore[attr-defined]


def kill(process: subprocess.Popen[bytes]) -> None:
    """End a process, and what it started in its group."""
    if os.name == "posix":
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()


def hide_from_others() -> None:
    """Forbid other processes of the same user to trace this one, on Linux."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)
