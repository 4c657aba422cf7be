"""The process that learners' processes are forked from: Python and torch, and nothing else.

A grader starts it. It knows no exercise, no answer, no submission and no seed, and never runs a learner's
code itself. For each fork the grader sends one end of a new connection, which only the child keeps. When the
grader ends, for whatever reason, this process and its children end as well.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import socket
import time
from contextlib import suppress

import torch

from . import large_pages, protocol
from .libc import libc
from .serve import Session, quieten
from .tensors import pack, unpack
from .walls import WallPlan, Walls, mapped


def fork_on_demand(text: str) -> None:
    """Fork when told, kill when told, end when the grader hangs up. `text` is the line on stdin: the
    restrictions, and the number of the connection.

    Of these nothing is said: a child itself says that it is there.
    """
    first = json.loads(text)
    control, walls = socket.socket(fileno=first["handle"]), Walls(WallPlan(**first["plan"]))
    _prepare_torch()
    walls.prepare()
    _become_the_guardian()
    _settle()
    children: set[int] = set()
    while True:
        message, handles, _, _ = socket.recv_fds(control, 4096, 1)
        if not message:
            break
        order, _, about = message.decode().partition(" ")
        if order == "fork":
            child = socket.socket(fileno=handles[0])
            number = os.fork()
            if number == 0:
                control.close()
                run_child(child, walls, about)
            child.close()
            children.add(number)
        elif order == "kill":
            number = int(about)
            if number in children:
                children.discard(number)
                _kill(number)
            _bury_strays(children)
        elif order == "done?":
            control.sendall(b"yes")
        elif order == "killed?":
            number = int(about)
            control.sendall(b"yes" if number in children and _was_killed(number) else b"no")
        elif order == "optimisers":
            _load_optimisers()
            walls.mapped = mapped()
    for number in children:
        _kill(number)
    _bury_strays(set())


def run_child(sock: socket.socket, walls: Walls, folder: str) -> None:
    """Run a child from beginning to end: restrict it first, then do what it is told."""
    try:
        with suppress(OSError):
            os.setsid()
        quieten(folder)
        standing = walls.raise_all(folder)
        hello: protocol.Standing = {"kind": "walls", "standing": standing, "number": os.getpid()}
        protocol.send(sock, hello)
        Session(sock).serve()
    finally:
        os._exit(0)


def _prepare_torch() -> None:
    """Do once what every child would do first: children inherit the result, without copying it."""
    torch.set_num_threads(1)
    torch.manual_seed(0)
    with suppress(ImportError):
        import IPython.core.inputtransformer2  # noqa: F401 (children need it, and inherit it)
    x = torch.ones(2, 2)
    packed = pack((x @ x.T, (x * x).sum(), x.argmax(), x / x.norm(dim=-1, keepdim=True)))
    unpack(json.loads(json.dumps(packed.tree)), packed.payload)


def _load_optimisers() -> None:
    """Load what a first step with torch's own optimisers loads: half of torch, longer than a call may take.

    Not every class uses them, and each fork costs more afterwards, so the grader says when.
    """
    import torch._dynamo  # noqa: F401

    _settle()


def _settle() -> None:
    """Get ready to be forked: nothing for the garbage collector, few pages to copy, and a single thread."""
    gc.collect()
    gc.freeze()
    large_pages.gather()
    insist_on_a_single_thread()


def insist_on_a_single_thread() -> None:
    """Refuse several threads: a fork keeps only the one that forks, and the locks that others hold."""
    threads = len(os.listdir("/proc/self/task"))
    if threads != 1:
        raise RuntimeError(f"there are {threads} threads, but only one survives a fork")


def _become_the_guardian() -> None:
    """Let no process look into this one, and adopt whatever a child leaves behind."""
    libc().prctl(4, 0, 0, 0, 0)  # not dumpable
    libc().prctl(36, 1, 0, 0, 0)  # adopts its orphaned descendants
    libc().prctl(1, 9, 0, 0, 0)  # dies with the grader
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _kill(number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(number, signal.SIGKILL)
    with suppress(ProcessLookupError, PermissionError):
        os.kill(number, signal.SIGKILL)
    with suppress(ChildProcessError):
        os.waitpid(number, 0)


def _was_killed(number: int) -> bool:
    """Tell whether a child that is ending was killed, by something other than this process."""
    for _ in range(40):  # it hangs up shortly before it is dead
        found = os.waitid(os.P_PID, number, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if found is not None:
            return found.si_code == os.CLD_KILLED and found.si_status == signal.SIGKILL
        time.sleep(0.005)
    return False


def _bury_strays(children: set[int]) -> None:
    """Kill processes that a child left behind; where the restrictions are in place there are none."""
    path = f"/proc/self/task/{os.getpid()}/children"
    for _ in range(100):
        try:
            with open(path) as file:
                strays = {int(word) for word in file.read().split()} - children
        except (OSError, ValueError):
            return
        if not strays:
            return
        for number in strays:
            _kill(number)
