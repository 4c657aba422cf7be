"""Test that two sandboxes of one attacker cannot communicate: one finds nothing that the other left.

Each channel has two ends. The second end is asked before the first has written and again after, and
must give the same reply. Without walls the replies must differ: a channel that carries nothing there
proves nothing here.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import platform
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest
import torch

from qkvlib.tools.grading.sandbox.host import SandboxHost
from tests.tools.grading.sandbox.asking import ask

# What the system allows only to the file's owner.
OWNERS = (
    "when a file was read",
    "a lease on a file",
    "how long a file is to live",
    "what of a file lies in memory",
)


@dataclass(frozen=True)
class Channel:
    """What one sandbox does and what another reads. `lasts`: even after the first has ended."""

    leave: str
    find: str
    lasts: bool = True


CHANNELS = {
    "when a file was read": Channel("open(LIBRARY, 'rb').read(100)", "return os.stat(LIBRARY).st_atime_ns"),
    "a file in the folder for all": Channel(
        "open('/dev/shm/qkv-channel', 'w').write('x')", "return os.path.exists('/dev/shm/qkv-channel')"
    ),
    "a lock on a file": Channel(
        "held.append(open(LIBRARY, 'rb')); fcntl.flock(held[0], fcntl.LOCK_SH)",
        """
        fcntl.flock(open(LIBRARY, 'rb'), fcntl.LOCK_EX | fcntl.LOCK_NB)
        return 'free'
        """,
        lasts=False,
    ),
    "a lock on a part of a file": Channel(
        """
        held.append(open(LIBRARY, 'rb'))
        fcntl.lockf(held[0], fcntl.LOCK_SH)
        """,
        """
        lock = struct.pack("hhqqi", fcntl.F_WRLCK, 0, 0, 0, 0)
        return str(fcntl.fcntl(open(LIBRARY, 'rb'), fcntl.F_GETLK, lock)[:2])
        """,
        lasts=False,
    ),
    "a lease on a file": Channel(
        "held.append(open(LIBRARY, 'rb')); fcntl.fcntl(held[0], fcntl.F_SETLEASE, fcntl.F_WRLCK)",
        "return os.close(os.open(LIBRARY, os.O_RDONLY | os.O_NONBLOCK))",
        lasts=False,
    ),
    "how long a file is to live": Channel(
        "fcntl.fcntl(open(LIBRARY, 'rb'), 1036, struct.pack('Q', 5))",
        "return str(fcntl.fcntl(open(LIBRARY, 'rb'), 1035, b'0' * 8))",
    ),
    "how many things the kernel has numbered": Channel(
        "held.extend(os.pipe() for _ in range(20))", "return os.fstat(os.pipe()[0]).st_ino"
    ),
    "how many processes' pages were looked at": Channel(
        "[os.path.exists(f'/proc/self/task/{n}') for n in range(999)]",
        "return os.stat('/proc/self/stat').st_ino",
    ),
    "memory that processes share": Channel(
        "libc.shmget(0x51, 4096, 0o1666)", "return libc.shmget(0x51, 4096, 0o666) >= 0"
    ),
    "how long another process computes": Channel(
        "sum(range(10**6))",  # and forking took its parent some time
        """
        told = (ctypes.c_long * 2)()
        failed = libc.clock_gettime(ctypes.c_int(~os.getppid() << 3 | 2), told)
        return failed, told[0], told[1]
        """,
    ),
    "room on the disk": Channel(
        "open('large', 'wb').write(os.urandom(15 << 20))", "return os.statvfs('.').f_bfree", lasts=False
    ),
    "what of a file lies in memory": Channel(
        "os.posix_fadvise(os.open(LIBRARY, 0), 0, 0, os.POSIX_FADV_DONTNEED)",
        """
        file = open(LIBRARY, 'rb')
        libc.mmap.restype = ctypes.c_void_p
        there = libc.mmap(None, ctypes.c_size_t(4096), 1, 2, file.fileno(), ctypes.c_long(0))
        seen = ctypes.create_string_buffer(1)
        return libc.mincore(ctypes.c_void_p(there), ctypes.c_size_t(4096), seen), seen.raw[0]
        """,
    ),
}


@pytest.fixture
def library() -> Iterator[str]:
    """Yield a file that every sandbox can read; if it is ours, make it look long unread."""
    path = Path(torch.__file__).parent / "include" / "torch" / "library.h"
    path.read_bytes()
    before, ours = path.stat(), path.stat().st_uid == os.getuid()
    if ours:
        os.utime(path, ns=(0, before.st_mtime_ns))
    yield str(path)
    if ours:
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        with path.open("rb") as file:
            fcntl.fcntl(file, 1036, bytes(8))


def is_noted(path: Path) -> bool:
    """Return whether the disk records when a file is read, and make the file look unread again."""
    before = path.stat()
    path.read_bytes()
    noted = path.stat().st_atime_ns != before.st_atime_ns
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    return noted


def replies(host: SandboxHost, channel: Channel, library: str) -> list[object]:
    """Return what the second end finds before and after the first end has written."""
    with host.open() as sandbox:
        before = ask(sandbox, f"LIBRARY = {library!r}", channel.find)
    with ExitStack() as stack:
        first = stack.enter_context(host.open())
        ask(first, f"LIBRARY = {library!r}", channel.leave)
        if channel.lasts:
            stack.close()
        with host.open() as sandbox:
            return [before, ask(sandbox, f"LIBRARY = {library!r}", channel.find)]


@pytest.mark.parametrize("name", CHANNELS)
def test_nothing_is_found(name: str, host: SandboxHost, library: str) -> None:
    with host.open() as sandbox:
        if "own disk" not in sandbox.walls and name in ("when a file was read", "room on the disk"):
            pytest.skip("this system gives a sandbox no disk of its own")
    before, after = replies(host, CHANNELS[name], library)
    assert before == after


@pytest.mark.parametrize("name", CHANNELS)
def test_without_walls_it_is(name: str, open_air: SandboxHost, library: str) -> None:
    if name in OWNERS and Path(library).stat().st_uid != os.getuid():
        pytest.skip("Python's files belong to somebody else")
    if name == "when a file was read" and not is_noted(Path(library)):
        pytest.skip("this disk notes no times of reading")
    try:
        before, after = replies(open_air, CHANNELS[name], library)
        assert before != after
    finally:
        Path("/dev/shm/qkv-channel").unlink(missing_ok=True)
        libc = ctypes.CDLL(None)
        libc.shmctl(libc.shmget(0x51, 4096, 0o666), 0, None)  # removes it


def test_of_processes_it_is_told_of_its_own_alone(host: SandboxHost) -> None:
    asked = """
    def told(ask, number):
        try:
            return bool(ask(number))
        except OSError:
            return None
    questions = (os.getsid, os.getpgid, os.sched_getaffinity)
    return str([[told(ask, number) for ask in questions] for number in (0, os.getppid())])
    """
    with host.open() as sandbox:
        assert ask(sandbox, "", asked) == "[[True, True, True], [None, None, None]]"


# Both ends wait at the same page of a library, which each has mapped separately.
FUTEX = """
file = open(LIBRARY, 'rb')
libc.mmap.restype = ctypes.c_void_p
page = libc.mmap(None, ctypes.c_size_t(4096), 1, 1, file.fileno(), ctypes.c_long(0))
word = ctypes.c_uint32.from_address(page).value
def futex(operation, value, seconds):
    wait = struct.pack('qq', seconds, 0)
    found = libc.syscall(NUMBER, ctypes.c_void_p(page), operation, value, wait, None, 0)
    return found if found >= 0 else -ctypes.get_errno()
"""


@pytest.mark.skipif(platform.machine() != "x86_64", reason="calls have other numbers there")
@pytest.mark.parametrize("number", [202, 449])
def test_no_sandbox_wakes_another(
    number: int, host: SandboxHost, open_air: SandboxHost, library: str
) -> None:
    setting = f"LIBRARY, NUMBER = {library!r}, {number}\n{FUTEX}"
    if number == 449:  # futex_waitv, which wakes nothing: we test only that it is refused
        with host.open() as sandbox:
            assert ask(sandbox, setting, "return futex(0, 0, 0)") == -errno.EPERM
        return
    for where, woken in ((host, -errno.EPERM), (open_air, 1)):
        with where.open() as first, where.open() as second:
            waits = threading.Thread(target=ask, args=(first, setting, "return futex(0, word, 8)"))
            waits.start()
            found = []
            for _ in range(20):
                time.sleep(0.1)
                found.append(ask(second, setting, "return futex(1, 9, 0)"))
                if found[-1] != 0:
                    break
            waits.join()
            assert found[-1] == woken


def test_a_sandbox_s_own_futexes_work(host: SandboxHost, library: str) -> None:
    setting = f"LIBRARY, NUMBER = {library!r}, 202\n{FUTEX}"
    with host.open() as sandbox:
        assert ask(sandbox, setting, "return futex(1 | 128, 9, 0)") in (0, -errno.ENOSYS)


def test_which_pages_of_a_library_lie_in_memory_no_wall_hides(host: SandboxHost) -> None:
    """So nothing is lent while two sandboxes run: `queue/test_pool.py` tests that."""
    path = Path(torch.__file__).parent / "include" / "ATen" / "Functions.h"
    setting = f"LIBRARY = {str(path)!r}\nimport resource"
    touch = """
    before = resource.getrusage(resource.RUSAGE_SELF).ru_majflt
    file = open(LIBRARY, 'rb')
    mmap.mmap(file.fileno(), 4096, prot=mmap.PROT_READ)[0]
    return resource.getrusage(resource.RUSAGE_SELF).ru_majflt - before
    """

    def forget() -> None:
        with path.open("rb") as file:
            os.fsync(file.fileno())
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)

    forget()
    with host.open() as sandbox:
        cold = ask(sandbox, setting, touch)
    if cold != 1:
        pytest.skip("this disk keeps its files in memory, or they are another user's")
    forget()
    with host.open() as first, host.open() as second:
        ask(first, setting, "return len(open(LIBRARY, 'rb').read())")
        assert ask(second, setting, touch) == 0
