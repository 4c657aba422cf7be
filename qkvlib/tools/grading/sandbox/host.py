"""The grader's side of the sandbox: start one for a submission, and make sure that nothing of it is left.

Trusted. What runs inside is not. This file believes only what a sandbox says before a learner's code is
there: which restrictions are in place.
"""

from __future__ import annotations

import os
import select
import socket
import struct
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path

import qkvlib
from qkvlib.tools.grading import processes
from qkvlib.tools.grading.sandbox.child import protocol
from qkvlib.tools.grading.sandbox.child.walls import WallPlan
from qkvlib.tools.grading.sandbox.folders import Folders, remove

_PACKAGE = Path(qkvlib.__file__).resolve().parent
_CHILD = Path(__file__).resolve().parent / "child" / "__main__.py"
_SECONDS_TO_START = 120.0
_SECONDS_TO_FORK = 20.0
_SECONDS_BETWEEN_LOOKS = 0.2


class SandboxLost(BaseException):
    """The machine, not the learner, ended a sandbox. This is not an Exception, so that no verdict can catch
    it."""


@dataclass
class Sandbox:
    """A running sandbox: its connection, its restrictions, and the folder that its code may write to."""

    sock: socket.socket
    walls: tuple[str, ...]
    folder: Path
    folder_mb: int = 64
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
        if not select.select([self.sock], [], [], 0)[0]:
            return False
        try:
            return bool(self.sock.recv(1, socket.MSG_PEEK))
        except OSError:
            return False

    def _look_at_the_folder(self) -> None:
        if time.monotonic() - self.looked < _SECONDS_BETWEEN_LOOKS:
            return
        if _megabytes(self.folder) > self.folder_mb:
            raise protocol.DisconnectedError(f"the code wrote more than {self.folder_mb} MB")
        self.looked = time.monotonic()


class SandboxHost:
    """Start sandboxes, one after another, by forking.

    They are forked from a `zygote` that waits for its order, if there is one, or else from a new one.
    """

    def __init__(
        self,
        plan: WallPlan,
        zygote: processes.Forked | None = None,
    ) -> None:
        secrets = (*plan.secrets, str(_PACKAGE), *_checkout())
        self.plan = WallPlan(**{**asdict(plan), "secrets": secrets})
        self._closing = threading.Lock()
        self._folders = Folders()
        self._folder: Path | None = None  # an unused one
        self._zygote: subprocess.Popen[bytes] | processes.Forked | None = None
        self._control: socket.socket | None = None
        self._is_ready = self._has_optimisers = False
        self._number = 0  # the number of the process that was forked last
        if zygote is not None:
            self._zygote, self._control = zygote, zygote.control
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
        folder, self._folder = self._folder or self._folders.make(), None
        ours, theirs = socket.socketpair()
        try:
            with self._child(theirs, folder, optimiser):
                walls = _standing_walls(ours)
                # With a disk of its own it saw a different folder at this path.
                self._folder = folder if "own disk" in walls else None
                yield Sandbox(ours, walls, folder, self.plan.folder_mb)
        finally:
            ours.close()
            theirs.close()
            if folder is not self._folder:
                remove(folder)

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
        self._control = self._zygote = None

    @contextmanager
    def _child(self, theirs: socket.socket, folder: Path, optimiser: bool) -> Iterator[None]:
        number = self._number = self._order_fork(theirs, folder, optimiser)
        theirs.close()
        try:
            yield
        finally:
            self._order_kill(number)

    def _order_fork(self, theirs: socket.socket, folder: Path, optimiser: bool) -> int:
        """Fork the zygote, or a new zygote if the old one is gone."""
        for _ in range(3):
            try:
                control = self._ready_control()
                if optimiser and not self._has_optimisers:
                    control.sendall(b"o")
                    self._has_optimisers = control.recv(4) == b"done"
                socket.send_fds(control, [b"f" + str(folder).encode()], [theirs.fileno()])
                reply = control.recv(4)
                if len(reply) == 4:
                    return int(struct.unpack("<I", reply)[0])
            except OSError:
                pass
            self._end_zygote()
        raise SandboxLost("no process could be forked, three times over: QKVLIB_DEBUG=1 shows why")

    def _order_kill(self, number: int) -> None:
        try:
            assert self._control is not None
            self._control.settimeout(_SECONDS_TO_FORK)
            self._control.sendall(b"k" + struct.pack("<I", number))
            if self._control.recv(4) == b"done":
                return
        except (OSError, AssertionError):
            pass
        self._end_zygote()  # it is dead or in a bad state; the next fork starts a new one

    def zygote_number(self) -> int:
        """Return the zygote's process number, 0 if there is none; for tests and a log."""
        return self._zygote.pid if self._zygote is not None else 0

    def was_killed(self) -> bool:
        """Tell whether the open sandbox, which has hung up, was killed; by whom is unknown.

        The system does it when memory runs out, and an operator may. A sandbox can also do it itself.
        """
        if self._control is None:
            return False
        try:
            self._control.settimeout(_SECONDS_TO_FORK)
            self._control.sendall(b"w" + struct.pack("<I", self._number))
            return self._control.recv(4) == b"kill"
        except OSError:
            return False

    def alive(self) -> bool:
        """Tell whether the zygote still runs: if not, a lost sandbox is not the learner's fault."""
        return self._zygote is None or self._zygote.poll() is None

    def _start_zygote(self) -> None:
        self._control, theirs = socket.socketpair()
        self._zygote = self._start(theirs)
        self._is_ready = self._has_optimisers = False
        theirs.close()

    def _ready_control(self) -> socket.socket:
        """Return the connection to a zygote that has loaded torch; start one if there is none."""
        if self._control is None:
            self._start_zygote()
        assert self._control is not None
        if not self._is_ready:
            self._control.settimeout(_SECONDS_TO_START)
            if self._control.recv(5) != b"ready":
                raise OSError("the zygote did not start")
            self._is_ready = True
        self._control.settimeout(_SECONDS_TO_FORK)
        return self._control

    def _start(self, theirs: socket.socket) -> subprocess.Popen[bytes]:
        environment = processes.bare_environment()
        return processes.start(["-I", str(_CHILD)], self._order(), theirs, environment)

    def _order(self) -> dict[str, object]:
        return {"plan": asdict(self.plan)}


def _standing_walls(sock: socket.socket) -> tuple[str, ...]:
    """Return what the child says before any learner's code is there to say it."""
    try:
        hello, _ = protocol.receive(sock, protocol.LEARNER_LIMITS, time.monotonic() + _SECONDS_TO_START)
    except (protocol.DisconnectedError, protocol.DeadlineError, protocol.ProtocolError) as error:
        raise SandboxLost(f"a process ended before it was ready: {error}") from None
    return tuple(hello["standing"])


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
                    total += _bytes_of(entry.stat(follow_symlinks=False))
                    if entry.is_dir(follow_symlinks=False):
                        left.append(entry.path)
    return total / (1 << 20)


def _bytes_of(found: os.stat_result) -> int:
    """Return a file's size, or the room it takes on the disk, whichever is larger."""
    return max(found.st_size, 512 * found.st_blocks)
