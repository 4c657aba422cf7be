"""All restrictions of a sandbox, from limits to system calls, and which of them are in place.

They protect the machine, the answers and the other submissions from a learner's code. They are not what
prevents forged points: the grader does, which is a separate process and trusts nothing that comes out of
here.
"""

from __future__ import annotations

import ctypes
import os
import resource  # imported here, and not where it is used, so that children inherit it and search for nothing
import sys
import sysconfig
from dataclasses import dataclass, field
from pathlib import Path

from . import landlock, own_disk, seccomp
from .libc import checked, libc

ALL = ("limits", "own disk", "privileges", "files", "system calls")
# Not every Linux lets a user have a disk of its own; the answers are safe without it.
NEEDED = tuple(wall for wall in ALL if wall != "own disk")
_MEGABYTE = 1 << 20


@dataclass(frozen=True)
class WallPlan:
    """The restrictions to put in place, and how much a learner's code may use."""

    walls: tuple[str, ...] = ALL
    memory_mb: int = 2048
    cpu_seconds: int = 300
    file_mb: int = 16
    folder_mb: int = 64
    secrets: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()  # folders that look empty, if the sandbox has a disk of its own


@dataclass
class Walls:
    """The parts of the restrictions that can be prepared once, before any learner's code is there."""

    plan: WallPlan
    readable: list[int] = field(default_factory=list)
    filter: bytes | None = None
    own_disk: bool = False
    mapped: int = 0  # before any learner's code is there

    def prepare(self) -> None:
        """Open the readable places and compile the filter; each child inherits them."""
        self.mapped = mapped()
        if "files" in self.plan.walls and landlock.version() > 0:
            secrets = [Path(secret).resolve() for secret in self.plan.secrets]
            for place in _places(secrets):
                self.readable.append(os.open(place, os.O_PATH | os.O_CLOEXEC))
        if "system calls" in self.plan.walls:
            self.filter = seccomp.compile_filter()
        if "own disk" in self.plan.walls:
            self.own_disk = own_disk.prepare()

    def raise_all(self, folder: str) -> list[str]:
        """Restrict this process, which may write to `folder` alone. Return the names of what is in place."""
        standing = []
        if "limits" in self.plan.walls and _limit(self.plan, self.mapped):
            standing.append("limits")
        if self.own_disk:
            own_disk.make(folder, self.plan.folder_mb, self.plan.hidden)
            standing.append("own disk")
        if "privileges" in self.plan.walls:
            _drop_privileges()
            standing.append("privileges")
        if self.readable:
            # A file that is deleted but still open cannot be found and counted.
            landlock.close_in(self.readable, folder, removing=self.own_disk)
            standing.append("files")
        for place in self.readable:
            os.close(place)
        if self.filter and "privileges" in standing:
            seccomp.apply(self.filter)
            standing.append("system calls")
        return standing


def _places(secrets: list[Path]) -> list[Path]:
    """Return what Python and torch read after their start: the libraries, without anything secret."""
    paths = sysconfig.get_paths()
    roots = {paths["stdlib"], paths["platstdlib"], paths["purelib"], paths["platlib"]}
    base = Path(sys.base_prefix) / "lib"
    if base.is_dir() and base.resolve() not in (Path("/usr/lib"), Path("/usr/local/lib")):
        roots.add(str(base))
    roots |= {"/usr/lib", "/usr/lib64", "/lib", "/lib64", "/usr/share/zoneinfo"}
    roots |= {"/etc/ld.so.cache", "/etc/localtime"}
    roots |= {"/dev/null", "/dev/zero", "/dev/urandom"}
    found = (Path(root).resolve() for root in roots if Path(root).exists())
    return sorted({place for root in found for place in landlock.without(root, secrets)})


def _limit(plan: WallPlan, mapped: int) -> bool:
    """Set the limits that every Unix system has."""
    most = {
        resource.RLIMIT_CPU: plan.cpu_seconds,
        resource.RLIMIT_FSIZE: plan.file_mb * _MEGABYTE,
        resource.RLIMIT_NOFILE: 64,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NPROC: 0,
        resource.RLIMIT_AS: mapped + plan.memory_mb * _MEGABYTE,
    }
    for kind, value in most.items():
        hard = resource.getrlimit(kind)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        try:
            resource.setrlimit(kind, (value, value))
        except (ValueError, OSError):
            return False
    return True


def mapped() -> int:
    """Return the address space that this process already occupies, in bytes."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    return pages * os.sysconf("SC_PAGE_SIZE")


def _drop_privileges() -> None:
    """Drop privileges: setuid programs gain nothing, nobody may look into this process, root is not root."""
    for option, value in ((38, 1), (4, 0), (1, 9)):  # no_new_privs, not dumpable, die with parent
        checked(libc().prctl(option, value, 0, 0, 0), "prctl")
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    nothing = (ctypes.c_uint32 * 6)()
    checked(libc().capset(ctypes.byref(header), ctypes.byref(nothing)), "capset")
