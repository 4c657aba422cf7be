"""Test that the learner's part of the course runs on Windows too: nothing there needs only POSIX."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "qkvlib"

# The grader's sandbox needs Linux, and the grader reports it elsewhere.
NOT_A_LEARNERS = PACKAGE / "tools" / "grading"
LEARNERS = sorted(path for path in PACKAGE.rglob("*.py") if not path.is_relative_to(NOT_A_LEARNERS))

ONLY_POSIX = "fcntl grp nis posix pty pwd readline resource spwd syslog termios tty"

# What Windows' `os` and `signal` lack. The files named last check before they use it.
MISSING = {
    "os": """
        chown fchmod fchown fork forkpty getegid geteuid getgid getgroups getpgid getuid killpg
        mkfifo mknod nice pread pwrite sched_getaffinity sched_setaffinity sendfile setgid setpgid
        setsid setuid sysconf uname wait wait3 wait4
    """,
    "signal": """
        SIGALRM SIGCHLD SIGHUP SIGKILL SIGPIPE SIGQUIT SIGSTOP SIGURG SIGUSR1 SIGUSR2 alarm pause
        pthread_kill pthread_sigmask setitimer sigwait
    """,
}
ASKED_FIRST = {("calling/time_limit.py", "signal.SIGURG"), ("calling/time_limit.py", "signal.pthread_kill")}


def only_posix(code: str) -> set[str]:
    """Return the names in some code that Windows' Python does not have."""
    found = set()
    for node in ast.walk(ast.parse(code)):
        match node:
            case ast.Import(names=names):
                found |= {name.name for name in names} & {*ONLY_POSIX.split()}
            case ast.ImportFrom(module=module, names=names):
                found |= {module or ""} & {*ONLY_POSIX.split()}
                missing = MISSING.get(module or "", "").split()
                found |= {f"{module}.{name.name}" for name in names if name.name in missing}
            case ast.Attribute(value=ast.Name(id=module), attr=name):
                found |= {f"{module}.{name}"} if name in MISSING.get(module, "").split() else set()
            case ast.Constant(value=str(text)) if text.startswith(("/tmp/", "/dev/", "/proc/")):
                found.add(text)
    return found


@pytest.mark.parametrize("module", LEARNERS, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_on_a_learners_way_needs_nothing_of_posix(module: Path) -> None:
    name = module.relative_to(PACKAGE).as_posix()
    found = only_posix(module.read_text(encoding="utf-8"))
    assert {(name, one) for one in found} <= ASKED_FIRST


@pytest.mark.parametrize(
    "code",
    [
        "import fcntl",
        "from resource import getrlimit",
        "from os import fork",
        "import os\nos.getuid()",
        "import signal\nsignal.alarm(3)",
        "open('/tmp/x')",
    ],
)
def test_what_only_posix_has_is_found(code: str) -> None:
    assert only_posix(code)


@pytest.mark.parametrize("module", LEARNERS, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_text_is_read_and_written_as_utf_8(module: Path) -> None:
    """Windows has another default, and the lessons' files contain ², √ and “”."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        match node:
            case ast.Call(func=ast.Attribute(attr="read_text" | "write_text" as call)) if not (
                call == "read_text" and node.args  # an encoding, or the name of a package's file
            ):
                given = node.keywords
                assert "encoding" in [one.arg for one in given], f"line {node.lineno}"
