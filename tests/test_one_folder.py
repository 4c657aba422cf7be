"""Test that a test run leaves nothing in the system's temporary folder, however it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PATIENCE = 300  # seconds: the machine may be busy
TESTS = """
import subprocess, sys, tempfile, time, pathlib
WRITES = '''
import tempfile, time
for _ in range(20):
    tempfile.mkdtemp()
    time.sleep(0.05)
'''
def test_one(tmp_path):
    tempfile.mkdtemp()
    subprocess.Popen([sys.executable, "-c", WRITES], start_new_session=True)
def test_two(tmp_path):
    (tmp_path / "file").touch()
    pathlib.Path({begun!r}).touch()
    time.sleep({seconds})
"""


@contextmanager
def running(folder: Path, seconds: int) -> Iterator[subprocess.Popen[bytes]]:
    """Run pytest in its own process group, with `folder / "temporary"` as its temporary folder."""
    folder.joinpath("temporary").mkdir()
    tests = folder / "test_that_leaves_things.py"
    tests.write_text(TESTS.format(begun=str(folder / "begun"), seconds=seconds), encoding="utf-8")
    ours = {name: of for name, of in os.environ.items() if not name.startswith("QKVLIB")}
    run = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "pytest",
            "-c",
            str(ROOT / "pyproject.toml"),
            "-n",
            "1",
            "-p",
            "no:cacheprovider",
            str(tests),
        ],
        env={**ours, "TMPDIR": str(folder / "temporary")},
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=_hear_ctrl_c,
    )
    try:
        yield run
    finally:
        with suppress(ProcessLookupError):
            os.killpg(run.pid, signal.SIGKILL)


def _hear_ctrl_c() -> None:
    """Undo a shell's setting for background jobs, which makes them, and so these tests, ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.whole
@pytest.mark.sweep
def test_nothing_is_left_behind(tmp_path: Path) -> None:
    with running(tmp_path, seconds=0) as run:
        assert run.wait(PATIENCE) == 0
    assert os.listdir(tmp_path / "temporary") == []


@pytest.mark.whole
@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL], ids=["ctrl-c", "killed"])
def test_nothing_is_left_behind_by_a_run_that_is_stopped(tmp_path: Path, how: int) -> None:
    with running(tmp_path, seconds=2 * PATIENCE) as run:
        _wait_until(lambda: (tmp_path / "begun").exists())
        assert os.listdir(tmp_path / "temporary") != []
        os.killpg(run.pid, how)
        assert run.wait(PATIENCE) != 0
    _wait_until(lambda: os.listdir(tmp_path / "temporary") == [])


def _wait_until(holds: Callable[[], bool]) -> None:
    given_up = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < given_up
        time.sleep(0.1)
