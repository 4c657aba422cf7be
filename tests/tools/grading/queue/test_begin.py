"""Test that a zygote forked by a worker knows no more than one that is started as a program."""

from __future__ import annotations

import ast
import json
import os
import secrets
import signal
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import qkvlib
from qkvlib.tools.grading.judge.judging import Judge
from qkvlib.tools.grading.processes import Forked
from qkvlib.tools.grading.queue.pool import WorkerProcess
from qkvlib.tools.grading.sandbox.child import zygote
from qkvlib.tools.grading.sandbox.child.walls import WallPlan
from qkvlib.tools.grading.sandbox.host import SandboxHost
from qkvlib.tools.grading.settings import Settings
from tests.tools.grading.classroom import FULL, NAMES, job, notebook
from tests.tools.grading.kills import wait_for_the_end_of

PACKAGE = Path(qkvlib.__file__).resolve().parent
OPEN_AIR = WallPlan(walls=())

# What a submission finds in and around its process without walls. A word is searched for by its two
# halves, the second reversed, so that the search does not find this text.
LOOK = """
import ctypes, json, os, sys
from importlib.machinery import PathFinder

def found(first, turned):
    for line in open("/proc/self/maps"):
        span, rights, _, _, _, *name = line.split()
        if rights == "rw-p":
            start, end = (int(part, 16) for part in span.split("-"))
            data = ctypes.string_at(start, end - start)
            at = data.find(first)
            while at >= 0:
                if data[at + len(first) : at + 2 * len(first)][::-1] == turned:
                    return True
                at = data.find(first, at + 1)
    return False

look = {
    "modules": sorted({*sys.modules} - {"child.__main__"}),
    "course": [name for name in sys.modules if name.startswith("qkvlib")],
    "where the course is": getattr(PathFinder.find_spec("qkvlib"), "origin", None),
    "path": sys.path,
    "finders": len(sys.meta_path),
    "environment": sorted(os.environ),
    "files": len(os.listdir("/proc/self/fd")),
    "the zygote leads a session": os.getsid(os.getppid()) == os.getppid(),
}
"""


@dataclass
class Secret:
    """A random word that occurs nowhere else."""

    word: str

    def search(self) -> str:
        """Return Python code that finds out whether the word is in memory."""
        half = len(self.word) // 2
        return f"found({self.word[:half].encode()}, {self.word[half:][::-1].encode()})"


def spy(report: Path, *words: Secret) -> str:
    """Return a submission's cell that records what it sees; only its assignments are run."""
    searches = ", ".join(word.search() for word in words)
    look = f"{LOOK}look['words'] = [{searches}]"
    return f"{look}\nwritten = open({str(report)!r}, 'w').write(json.dumps(look))"


@pytest.fixture
def in_the_air() -> Any:
    """Start a worker whose sandboxes have no walls."""
    worker = WorkerProcess(Settings(OPEN_AIR))
    yield worker
    worker.stop()


def test_a_sandbox_sees_what_it_sees_with_a_zygote_that_is_started(
    in_the_air: WorkerProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It sees no more: nothing of the environment, of the order or of the course, and no open file."""
    key, told, here = (Secret(secrets.token_hex(16)) for _ in range(3))
    monkeypatch.setenv("SECRET_KEY", key.word)
    monkeypatch.setenv("QKVLIB_DEBUG", told.word)
    cells = [spy(tmp_path / "forked", key, told), *FULL]
    in_the_air.grade(job(json.dumps(notebook(cells)).encode()))
    host = SandboxHost(OPEN_AIR)
    cells = [f"kept = {here.word!r}", spy(tmp_path / "started", key, here)]
    Judge(host).notebook(cells, NAMES, 5)
    host.close()
    forked, started = (json.loads((tmp_path / n).read_text()) for n in ("forked", "started"))
    assert started.pop("words") == [False, True]  # the second zygote's word can be found
    assert forked.pop("words") == [False, False]
    assert forked == started
    assert not forked["course"]
    assert not forked["where the course is"] or PACKAGE.parent.name == "site-packages"
    assert forked["the zygote leads a session"]


def test_a_zygote_and_its_worker_have_no_open_file_in_common(in_the_air: WorkerProcess) -> None:
    """Two are excepted: where both write errors, and their output, which nobody reads."""
    in_the_air.start()

    def files(number: int) -> list[str]:
        place = Path(f"/proc/{number}/fd")
        return [os.readlink(file) for file in place.iterdir() if file.name not in "12"]

    try:
        zygotes, workers = files(in_the_air.zygote), files(in_the_air.process.pid)
    except PermissionError:
        pytest.skip("only root may look")
    assert sorted(name.split(":")[0] for name in zygotes) == ["pipe", "socket"]
    assert not {*zygotes} & {*workers}


def test_a_worker_forks_its_zygote_from_itself(in_the_air: WorkerProcess) -> None:
    in_the_air.start()
    number = in_the_air.process.pid
    commands = {Path(f"/proc/{n}/cmdline").read_bytes() for n in (number, in_the_air.zygote)}
    assert len(commands) == 1
    assert b"begin.py" in commands.pop()
    children = Path(f"/proc/{number}/task/{number}/children").read_text().split()
    assert str(in_the_air.zygote) in children


def test_a_zygote_that_stands_still_ends_with_its_worker(in_the_air: WorkerProcess) -> None:
    in_the_air.start()
    os.kill(in_the_air.zygote, signal.SIGSTOP)
    in_the_air.process.kill()
    in_the_air.process.wait()
    wait_for_the_end_of(in_the_air.zygote)


def test_a_worker_puts_its_rooms_where_the_run_is_told_to(
    in_the_air: WorkerProcess, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    in_the_air.start()
    assert list(tmp_path.iterdir())


def test_nothing_is_forked_from_a_process_of_two_threads() -> None:
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    try:
        if sys.platform == "linux":
            with pytest.raises(RuntimeError, match="threads"):
                zygote.insist_on_a_single_thread()
    finally:
        done.set()
        thread.join()


def test_a_forked_process_is_waited_for_and_ended() -> None:
    import socket

    ours, theirs = socket.socketpair()
    reading, writing = os.pipe()
    sleep = os.posix_spawn("/bin/sleep", ["sleep", "60"], os.environ)
    forked = Forked(sleep, ours, writing, theirs.fileno())
    assert forked.poll() is None
    with pytest.raises(subprocess.TimeoutExpired):
        forked.wait(0.05)
    forked.tell({"plan": {}})
    with os.fdopen(reading) as stdin:
        assert json.loads(stdin.read()) == {"plan": {}, "handle": theirs.fileno()}
    forked.kill()
    assert forked.wait() == -signal.SIGKILL
    forked.kill()  # the process id could belong to another process by now
    assert forked.poll() == -signal.SIGKILL
    ours.close()
    theirs.close()


DRAWS = {"rand", "randn", "randint", "randperm", "normal", "bernoulli", "multinomial"}


@pytest.mark.parametrize("folder", ["tools/grading", "exercises", "checking"])
def test_what_judges_draws_from_no_state_that_the_zygote_shares(folder: str) -> None:
    """A sandbox can continue any state that a fork inherits. Numbers come from a seed or the system."""
    for path in sorted((PACKAGE / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            where = f"{path}:{getattr(node, 'lineno', 0)}"
            if isinstance(node, ast.Import):
                assert "random" not in {name.name for name in node.names}, where
            elif isinstance(node, ast.ImportFrom):
                assert node.module not in ("random", "numpy.random"), where
            elif isinstance(node, ast.Attribute) and node.attr == "random":
                raise AssertionError(where)
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                from_torch = isinstance(node.func.value, ast.Name) and node.func.value.id == "torch"
                if from_torch and node.func.attr in DRAWS:
                    assert "generator" in {word.arg for word in node.keywords}, where
