"""Fork the kernels: loading torch and ipykernel takes four seconds, and there are many notebooks.

A zygote is an interpreter that has loaded these two and waits. A kernel is a fork of it, which
continues as `python -m ipykernel_launcher` would. The zygote has loaded nothing of the course, nor
packages such as ipywidgets and plotly, which check on import whether a kernel runs. Interpreters read
part of their environment as they start, so a zygote serves only orders that agree in that part.
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
_one_at_a_time = threading.Lock()  # otherwise one order could get the other's process


class Kernel:
    """A process that is not our child, with the methods of `Popen` that jupyter_client uses."""

    stdin = stdout = stderr = None

    def __init__(self, number: int) -> None:
        self.pid = number
        self._handle = os.pidfd_open(number)
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Return None while it runs. Only its parent can tell how it ended."""
        if self.returncode is None and select.select([self._handle], [], [], 0)[0]:
            self.returncode = 0
            os.close(self._handle)
        return self.returncode

    def wait(self) -> int:
        """Wait until it ends."""
        while self.poll() is None:
            time.sleep(0.01)
        return 0

    def send_signal(self, number: int) -> None:
        """Send a signal to this process only."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill it at once."""
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)


def are_forked() -> None:
    """From here on, fork the kernels that this process starts."""
    local_provisioner.launch_kernel = _launch


def _launch(command: Sequence[str], **named: Any) -> Any:
    """Start a kernel, like jupyter_client's `launch_kernel`, but fork it if it uses this interpreter."""
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
    """Return the connection to the zygote for this environment; start the zygote if necessary."""
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
    """In the zygote: fork a kernel for each order, and end when no more orders can come."""
    os.environ["JPY_PARENT_PID"] = str(os.getpid())  # a kernel ends with its parent, which is this process
    import ipykernel.ipkernel
    import ipykernel.kernelapp  # noqa: F401
    import torch  # noqa: F401

    if threading.active_count() != 1:  # OpenBLAS ends NumPy's second thread before each fork
        raise RuntimeError("only one thread survives a fork")
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # do not keep zombies of kernels that have ended
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
            os.read(ready, 1)  # from here on the kernel leads its own process group
            for handle in (ready, *files):
                os.close(handle)
            sock.sendall(number.to_bytes(4, "little"))
            continue
        return


def _become(order: Mapping[str, Any], files: Sequence[int], told: int) -> None:
    """In the fork: become what a separate interpreter would be, and run to the end."""
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
    atexit._run_exitfuncs()  # writes IPython's history; taking torch apart would take seconds
    os._exit(0)


if __name__ == "__main__":
    _serve(socket.socket(fileno=int(sys.argv[1])))
