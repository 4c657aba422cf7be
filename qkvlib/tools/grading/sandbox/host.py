"""The grader's side of the sandbox: start one for a submission, and make sure that nothing of it is left.

Trusted. What runs inside is not. This file believes only what a sandbox says before a learner's code is
there: which restrictions are in place.
"""

from __future__ import annotations

import os
import socket
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import qkvlib
from qkvlib.tools.grading import processes
from qkvlib.tools.grading.sandbox.child import protocol
from qkvlib.tools.grading.sandbox.child.walls import WallPlan
from qkvlib.tools.grading.sandbox.folders import Folders, remove

_PACKAGE = Path(qkvlib.__file__).resolve().parent
_CHILD = Path(__file__).resolve().parent / "child" / "__main__.py"
_SECONDS_TO_START = 120.0
_SECONDS_TO_ANSWER = 20.0
_SECONDS_BETWEEN_LOOKS = 0.2
_NOT_READY = (protocol.DisconnectedError, protocol.DeadlineError, protocol.ProtocolError)


class SandboxLost(BaseException):
    """The machine, not the learner, ended a sandbox. No verdict catches it: it is not an Exception."""


@dataclass
class Sandbox:
    """One that runs: the connection, the walls that stand, the folder its code may write to.

    `number` is its process's.
    """

    sock: socket.socket
    walls: tuple[str, ...]
    folder: Path
    folder_mb: int = 64
    number: int = 0
    looked: float = field(default_factory=time.monotonic)
    _ahead: bytearray = field(default_factory=bytearray)

    def receive(self, end: float) -> tuple[dict[str, object], bytes]:
        """Return the next message, before `end`; a folder that overflows ends the wait as well."""
        return protocol.receive(
            self.sock, protocol.LEARNER_LIMITS, end, self._look_at_the_folder, self._ahead
        )

    def has_more_to_say(self) -> bool:
        """Tell whether something has arrived that is unread; the end of the connection does not count."""
        if self._ahead:
            return True
        self.sock.setblocking(False)
        with suppress(OSError):
            return bool(self.sock.recv(1, socket.MSG_PEEK))
        return False

    def _look_at_the_folder(self) -> None:
        if time.monotonic() - self.looked < _SECONDS_BETWEEN_LOOKS:
            return
        if _megabytes(self.folder) > self.folder_mb:
            raise protocol.DisconnectedError(f"the code wrote more than {self.folder_mb} MB")
        self.looked = time.monotonic()


class SandboxHost:
    """Start sandboxes, one after another, by forking.

    They are forked from a `zygote` that waits for its order, if one does, else from a new one. While
    one is at work the next is forked: it shuts itself in, and waits for a learner's code.
    """

    def __init__(self, plan: WallPlan, zygote: processes.Forked | None = None) -> None:
        self.plan = replace(plan, secrets=(*plan.secrets, str(_PACKAGE), *_checkout()))
        self._closing = threading.Lock()
        self._folders = Folders()
        self._folder: Path | None = None  # one that nobody writes to
        self._zygote: subprocess.Popen[bytes] | processes.Forked | None = None
        self._control: socket.socket | None = None
        self._has_optimisers = False
        self._ahead: Sandbox | None = None  # forked, and nobody's yet
        self._number = 0  # of the process in the sandbox that is open
        if zygote is not None:
            self._zygote, self._control = zygote, zygote.control
            self._control.settimeout(_SECONDS_TO_ANSWER)
            zygote.tell(self._order())
        else:
            self._start_zygote()

    @contextmanager
    def open(self, optimiser: bool = False) -> Iterator[Sandbox]:
        """Open a sandbox for one submission; at the end of the block it is removed, with everything that it
        left.

        With an `optimiser`, the parts of torch that its own optimisers load at their first step are already
        loaded.
        """
        sandbox = self._next(optimiser)
        with suppress(OSError):  # without a zygote the next one is forked when it is wanted
            self._ahead = self._order_fork()
        self._number = sandbox.number
        try:
            yield sandbox
        finally:
            self._end(sandbox)

    def close(self) -> None:
        """End the zygote, and remove what is left of its children's folders.

        A worker's two threads both notice the end; the second one waits here until the first is done, which
        then ends the process.
        """
        with self._closing:
            self._end_zygote()
            self._folders.close()

    def _end_zygote(self) -> None:
        """End the zygote, and with it whatever is left of its children."""
        if self._control is not None:
            self._control.close()
        if self._zygote is not None:
            with suppress(subprocess.TimeoutExpired):
                self._zygote.wait(5)
            self._zygote.kill()
            self._zygote.wait()
        if self._ahead is not None:
            self._ahead.sock.close()
        self._control = self._zygote = self._ahead = None
        self._has_optimisers = False

    def _next(self, optimiser: bool) -> Sandbox:
        """What was forked ahead, or a new fork; of a new zygote when the old one is gone."""
        for _ in range(3):
            try:
                if self._control is None or not self.alive():
                    self._end_zygote()
                    self._start_zygote()
                if optimiser and not self._has_optimisers:
                    self._load_optimisers()
                sandbox, self._ahead = self._ahead or self._order_fork(), None
                return self._ready(sandbox)
            except (OSError, *_NOT_READY):
                self._end_zygote()
        raise SandboxLost("no process could be forked, three times over: QKVLIB_DEBUG=1 shows why")

    def _load_optimisers(self) -> None:
        """Have the zygote load them. What was forked before is without them."""
        if self._ahead is not None:
            self._end(self._ready(self._ahead))
            self._ahead = None
        self._tell("optimisers")
        self._has_optimisers = True

    def _order_fork(self) -> Sandbox:
        """A sandbox that will be there soon."""
        folder = self._folder or self._folders.make()
        ours, theirs = socket.socketpair()
        with theirs:
            self._tell(f"fork {folder}", [theirs.fileno()])
        return Sandbox(ours, (), folder, self.plan.folder_mb)

    def _ready(self, sandbox: Sandbox) -> Sandbox:
        """The sandbox, when its walls stand: so it says before any learner's code is there."""
        end = time.monotonic() + _SECONDS_TO_START
        hello, _ = protocol.receive(sandbox.sock, protocol.LEARNER_LIMITS, end)
        sandbox.number, sandbox.walls = hello["number"], tuple(hello["standing"])
        if "own disk" in sandbox.walls:  # it sees another folder in this one's place
            self._folder = sandbox.folder
        return sandbox

    def _end(self, sandbox: Sandbox) -> None:
        """Have it killed. That is waited for where its code may still write to the folder."""
        sandbox.sock.close()
        try:
            self._tell(f"kill {sandbox.number}")
            if sandbox.folder is not self._folder:
                self._ask("done?")  # this, and all that it was told before
        except OSError:
            self._end_zygote()  # it is dead or in a bad way; the next fork starts another
        if sandbox.folder is not self._folder:
            remove(sandbox.folder)

    def _tell(self, order: str, handles: Sequence[int] = ()) -> socket.socket:
        if self._control is None:
            raise ConnectionError("the zygote is gone")
        socket.send_fds(self._control, [order.encode()], handles)
        return self._control

    def _ask(self, question: str) -> bool:
        return self._tell(question).recv(4) == b"yes"

    def zygote_number(self) -> int:
        """Return the zygote's process number, 0 if there is none; for tests and a log."""
        return self._zygote.pid if self._zygote is not None else 0

    def was_killed(self) -> bool:
        """Tell whether the open sandbox, which has hung up, was killed; by whom is unknown.

        The system does it when memory runs out, and an operator may. A sandbox can also do it itself.
        """
        with suppress(OSError):
            return self._ask(f"killed? {self._number}")
        return False

    def alive(self) -> bool:
        """Tell whether the zygote still runs: if not, a lost sandbox is not the learner's fault."""
        return self._zygote is None or self._zygote.poll() is None

    def _start_zygote(self) -> None:
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._control.settimeout(_SECONDS_TO_ANSWER)
        environment = processes.bare_environment()
        with theirs:
            self._zygote = processes.start(["-I", str(_CHILD)], self._order(), theirs, environment)

    def _order(self) -> dict[str, object]:
        return {"plan": asdict(self.plan)}


def _checkout() -> tuple[str, ...]:
    """Return the folder of the repository, if qkvlib is used from one: it contains the solutions."""
    parent = _PACKAGE.parent
    return (str(parent),) if (parent / "pyproject.toml").exists() else ()


def _megabytes(folder: Path) -> float:
    """Return how much is in a folder, counting no further than necessary."""
    total, entries, left = 0, 0, [str(folder)]
    while left:
        with suppress(OSError), os.scandir(left.pop()) as found:
            for entry in found:
                entries += 1
                if entries > 5000:
                    return float("inf")
                with suppress(OSError):
                    status = entry.stat(follow_symlinks=False)
                    total += max(status.st_size, 512 * status.st_blocks)  # it may take more than its size
                    if entry.is_dir(follow_symlinks=False):
                        left.append(entry.path)
    return total / (1 << 20)
