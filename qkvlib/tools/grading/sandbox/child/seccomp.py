"""Restrict system calls to a list of those that a computation needs.

This uses Linux's seccomp, through the system's own libseccomp, which Debian, Ubuntu and Fedora always have
(their package managers need it). It knows each processor's call numbers, so this file needs none. Every call
that is not named here fails with "not permitted": sockets, new programs, processes and threads, signals to
others, tracing, changes of owner, mode and time, locks and pipes, information about the whole machine, and
calls that do not exist yet.
"""

from __future__ import annotations

import ctypes
import errno
import os

from .libc import checked, libc

_ALLOWED = """
    read write readv writev pread64 pwrite64 preadv pwritev lseek sendto recvfrom shutdown
    close close_range dup dup2 dup3
    stat fstat lstat newfstatat statx access faccessat faccessat2
    readlink readlinkat getdents getdents64 getcwd chdir fchdir umask
    mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2 ftruncate
    fsync fdatasync copy_file_range sendfile
    mmap munmap mremap mprotect brk msync membarrier
    get_robust_list set_robust_list rseq set_tid_address
    rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait sigaltstack
    getitimer setitimer restart_syscall pause
    nanosleep gettimeofday time times getrusage getrlimit
    poll ppoll select pselect6
    getpid gettid getppid getuid geteuid getgid getegid getpgrp getgroups
    getresuid getresgid uname getcpu sched_yield getrandom arch_prctl
    exit exit_group
"""

# Python makes these calls on an open file, to find out whether it is a terminal and how it may wait.
_FIONBIO, _TCGETS, _FIONREAD, _FIOCLEX, _TIOCGWINSZ = 0x5421, 0x5401, 0x541B, 0x5451, 0x5413

# What may be done to an open file: duplicate its number, and set its own flags. No locks, leases or hints,
# which another process that opens the file could notice.
_F_DUPFD, _F_GETFD, _F_SETFD, _F_GETFL, _F_SETFL, _F_DUPFD_CLOEXEC = 0, 1, 2, 3, 4, 1030
# What may be said about memory: advice that affects only the process's own memory.
_ADVICE = (0, 1, 2, 3, 4, 8, 14, 15)  # MADV_NORMAL to _DONTNEED, _FREE, _HUGEPAGE, _NOHUGEPAGE
_NAMELESS = 0o20000000  # O_TMPFILE: a file that is in no folder, and so is not counted

# What may be asked about a process: only about itself. A sandbox that sees how long another one computes can
# receive messages from it, and the grader's own computing time would show how a verdict went.
_OWN = ("getpgid", "getsid", "sched_getaffinity")
_CLOCKS = ("clock_gettime", "clock_getres", "clock_nanosleep")
_LAST_CLOCK = 11  # CLOCK_TAI; beyond it, each process and thread has its own clocks

# A futex in its own memory, and none on a page of a file that other sandboxes map as well.
_FUTEX_PRIVATE = 128

_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000 | errno.EPERM
_SAY_UNKNOWN = 0x00050000 | errno.ENOSYS
_UP_TO, _EQUAL, _MASKED = 3, 4, 7


class _Argument(ctypes.Structure):
    _fields_ = [
        ("index", ctypes.c_uint),
        ("operator", ctypes.c_int),
        ("a", ctypes.c_uint64),
        ("b", ctypes.c_uint64),
    ]


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_char_p)]


def apply(code: bytes) -> None:
    """From now on, this process can make no other calls; it needs no_new_privs beforehand."""
    program = _Program(len(code) // 8, code)
    checked(libc().prctl(22, 2, ctypes.byref(program), 0, 0), "seccomp")  # PR_SET_SECCOMP, a filter


def compile_filter() -> bytes | None:
    """Build the filter once, for every child to apply; None if there is no libseccomp."""
    try:
        lib = ctypes.CDLL("libseccomp.so.2")
    except OSError:
        return None
    lib.seccomp_init.restype = ctypes.c_void_p
    rules = ctypes.c_void_p(lib.seccomp_init(ctypes.c_uint32(_REFUSE)))
    for name in _ALLOWED.split():
        _add(lib, rules, _ALLOW, name)
    for request in (_FIONBIO, _TCGETS, _FIONREAD, _FIOCLEX, _TIOCGWINSZ):
        _add(lib, rules, _ALLOW, "ioctl", _Argument(1, _EQUAL, request))
    for command in (_F_DUPFD, _F_GETFD, _F_SETFD, _F_GETFL, _F_SETFL, _F_DUPFD_CLOEXEC):
        _add(lib, rules, _ALLOW, "fcntl", _Argument(1, _EQUAL, command))
    for advice in _ADVICE:
        _add(lib, rules, _ALLOW, "madvise", _Argument(2, _EQUAL, advice))
    for name in _OWN:
        _add(lib, rules, _ALLOW, name, _Argument(0, _EQUAL, 0))
    for name in _CLOCKS:
        _add(lib, rules, _ALLOW, name, _Argument(0, _UP_TO, _LAST_CLOCK))
    _add(lib, rules, _ALLOW, "futex", _Argument(1, _MASKED, _FUTEX_PRIVATE, _FUTEX_PRIVATE))
    for name, flags in (("open", 1), ("openat", 2)):
        _add(lib, rules, _ALLOW, name, _Argument(flags, _MASKED, _NAMELESS, 0))
    # A process may read its own limits (no new value given), but change nobody's.
    _add(lib, rules, _ALLOW, "prlimit64", _Argument(0, _EQUAL, 0), _Argument(2, _EQUAL, 0))
    _add(lib, rules, _SAY_UNKNOWN, "clone3")
    code = _export(lib, rules)
    lib.seccomp_release(rules)
    return code


def _add(lib: ctypes.CDLL, rules: ctypes.c_void_p, action: int, name: str, *arguments: _Argument) -> None:
    number = lib.seccomp_syscall_resolve_name(name.encode())
    if number < 0:  # this processor does not have the call
        return
    array = (_Argument * len(arguments))(*arguments)
    lib.seccomp_rule_add_array(rules, ctypes.c_uint32(action), number, len(arguments), array)


def _export(lib: ctypes.CDLL, rules: ctypes.c_void_p) -> bytes:
    handle = os.memfd_create("filter")
    try:
        if lib.seccomp_export_bpf(rules, handle) != 0:
            return b""
        os.lseek(handle, 0, os.SEEK_SET)
        return os.read(handle, 1 << 20)
    finally:
        os.close(handle)
