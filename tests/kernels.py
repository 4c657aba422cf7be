"""Kernels that are forked: to load torch and ipykernel takes four seconds, and notebooks are many.

A zygote is an interpreter that has loaded these two and waits. A kernel is a fork of it, which goes
on as `python -m ipykernel_launcher` would. It has loaded nothing of the course, nor anything that
asks while it is loaded whether a kernel runs, as ipywidgets and plotly do. What interpreters read
from their environment as they start is the same: a zygote serves one such environment only.
"""

from __future__ import annotations

import atexit
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from jupyter_client.provisioning import local_provisioner

ROOT = Path(__file__).parent.parent
_start = local_provisioner.launch_kernel
_AT_AN_START = ("PYTHON", "LD_", "MALLOC_", "GLIBC_", "OMP_", "MKL_", "TORCH_")
_MAIN = ["-m", "ipykernel_launcher"]
_zygotes: dict[tuple[tuple[str, str], ...], socket.socket] = {}
_one_at_a_time = threading.Lock()  # or one order would be given the other's process


class Kernel:
    """A process that is not our child, with what jupyter_client asks of a `Popen`."""

    stdin = stdout = stderr = None

    def __init__(self, number: int) -> None:
        self.pid = number
        self._handle = os.pidfd_open(number)
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """None while it runs. How it ended only its parent can tell."""
        if self.returncode is None and select.select([self._handle], [], [], 0)[0]:
            self.returncode = 0
            os.close(self._handle)
        return self.returncode

    def wait(self) -> int:
        """Wait for its end."""
        while self.poll() is None:
            time.sleep(0.01)
        return 0

    def send_signal(self, number: int) -> None:
        """To the process alone."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """At once."""
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        """In its own time."""
        self.send_signal(signal.SIGTERM)


def are_forked() -> None:
    """From here on, when this process starts kernels."""
    local_provisioner.launch_kernel = _launch


def _launch(command: Sequence[str], **named: Any) -> Any:
    """As jupyter_client's `launch_kernel`; a kernel of this interpreter is forked."""
    ours = [sys.executable, *_MAIN]
    plain = [word for word in command if not word.startswith("-X")]
    if sys.platform != "linux" or plain[:3] != ours or named.get("independent"):
        return _start(command, **named)
    environment = dict(os.environ if named.get("env") is None else named["env"])
    order = {
        "arguments": plain[3:],
        "environment": environment,
        "folder": str(named.get("cwd") or os.getcwd()),
    }
    data = json.dumps(order).encode()
    with open(os.devnull, "r+b") as nothing:
        files = [
            file.fileno() if hasattr(file, "fileno") else nothing.fileno() if file else default
            for file, default in ((named.get("stdout"), 1), (named.get("stderr"), 2))
        ]
        with _one_at_a_time:
            zygote = _zygote_for(environment)
            zygote.sendall(len(data).to_bytes(4, "little"))
            socket.send_fds(zygote, [data[:1]], files)
            zygote.sendall(data[1:])
            number = int.from_bytes(_exactly(zygote, 4), "little")
    return Kernel(number)


def _zygote_for(environment: Mapping[str, str]) -> socket.socket:
    """The connection to the zygote that was started with these words; it is started if need be."""
    names = sorted(name for name in environment if name.startswith(_AT_AN_START))
    key = tuple((name, environment[name]) for name in names)
    if key not in _zygotes:
        ours, theirs = socket.socketpair()
        with theirs:
            subprocess.Popen(
                [sys.executable, "-m", "tests.kernels", str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                cwd=ROOT,
                env=dict(environment),
                pass_fds=[theirs.fileno()],
            )
        _zygotes[key] = ours
        atexit.register(ours.close)
    return _zygotes[key]


def _exactly(sock: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count:
        part = sock.recv(count - len(data))
        if not part:
            raise EOFError("the zygote of the kernels is gone")
        data += part
    return data


def _serve(sock: socket.socket) -> None:
    """In the zygote: fork a kernel whenever one is ordered, and end when nobody can order more."""
    os.environ["JPY_PARENT_PID"] = str(os.getpid())  # a kernel ends with its parent: this process
    import ipykernel.ipkernel
    import ipykernel.kernelapp  # noqa: F401
    import torch  # noqa: F401

    if threading.active_count() != 1:  # NumPy's own second thread OpenBLAS ends before each fork
        raise RuntimeError("only one thread survives a fork")
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # kernels that have ended are gone
    while True:
        with suppress(EOFError):
            length = int.from_bytes(_exactly(sock, 4), "little")
            first, files, _, _ = socket.recv_fds(sock, 1, 2)
            order = json.loads(first + _exactly(sock, length - 1))
            ready, told = os.pipe()
            number = os.fork()
            if number == 0:
                sock.close()
                _become(order, files, told)
            os.close(told)
            os.read(ready, 1)  # it leads a group of its own from here on
            for handle in (ready, *files):
                os.close(handle)
            sock.sendall(number.to_bytes(4, "little"))
            continue
        return


def _become(order: Mapping[str, Any], files: Sequence[int], told: int) -> None:
    """In the fork: what an interpreter of its own would be, and its whole life."""
    import random

    import numpy as np

    os.setsid()
    os.close(told)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for handle, place in zip(files, (1, 2), strict=True):
        os.dup2(handle, place)
        os.close(handle)
    os.environ.clear()
    os.environ.update(order["environment"])
    os.environ["JPY_PARENT_PID"] = str(os.getppid())
    os.chdir(order["folder"])
    random.seed()
    np.random.seed()
    sys.argv = ["ipykernel_launcher", *order["arguments"]]
    sys.path[0] = order["folder"]
    runpy.run_module("ipykernel_launcher", run_name="__main__", alter_sys=True)
    atexit._run_exitfuncs()  # IPython's history is written; taking torch apart would take seconds
    os._exit(0)


if __name__ == "__main__":
    _serve(socket.socket(fileno=int(sys.argv[1])))
