"""Test that a run that is killed, stopped or unable to write loses nothing and says what to do."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from qkvlib.tools import cli
from qkvlib.tools.grading.queue.record import Record
from tests.tools.grading.classroom import FULL, hand_in
from tests.tools.grading.kills import (
    COMMAND,
    below,
    hand_in_a_class,
    judged,
    kill_again_and_again,
    start,
    wait_for_the_end_of,
)


def test_a_run_that_is_killed_at_any_moment_goes_on_where_it_stopped(tmp_path: Path, swept_too: bool) -> None:
    """For a hundred kills: `python -m tests.tools.grading.kills 100`."""
    times = 3 if swept_too else 1
    assert kill_again_and_again(tmp_path, times, seed=20_261_123).total() >= times


def wait_for_lines(record: Path, count: int, run: subprocess.Popen[bytes]) -> None:
    while len(judged(record)) < count:
        assert run.poll() is None
        time.sleep(0.05)


def test_ctrl_c_ends_it_soon_and_says_how_to_go_on(tmp_path: Path) -> None:
    """This holds even while a submission hangs, which may take two minutes."""
    wanted = hand_in_a_class(tmp_path / "in", 2)
    hangs = "import time\ndef dot(a, b):\n    time.sleep(1e6)"
    for i in range(4):  # sorted after the others by their names
        hand_in(
            tmp_path / "in" / f"t{i}" / "01.ipynb",
            [hangs.replace("dot", n) for n in ("dot", "cosine_similarity", "nearest")],
        )
    record = tmp_path / "out" / "results.jsonl"
    run = start(tmp_path / "in", tmp_path / "out", tmp_path)
    wait_for_lines(record, len(wanted), run)
    time.sleep(0.5)
    started, alive = time.monotonic(), list(below(run.pid))
    run.send_signal(signal.SIGINT)
    said, _ = run.communicate(timeout=60)
    assert time.monotonic() - started < 30
    assert run.returncode == 130
    last = said.decode().splitlines()[-1]
    assert last.startswith("Stopped. Nothing graded so far is lost")
    assert "Run the same command again" in last
    assert "Traceback" not in said.decode()
    assert [json.loads(line)["student"] for line in judged(record)] == list(wanted)
    for number in alive:
        wait_for_the_end_of(number)
    assert not list(tmp_path.glob("qkv-sandbox-*"))


def test_a_worker_in_the_middle_of_a_job_ends_with_whoever_started_it(tmp_path: Path) -> None:
    hand_in(tmp_path / "in" / "ada.ipynb", ["import time\nx = time.sleep(1e6)", *FULL])
    run = start(tmp_path / "in", tmp_path / "out", tmp_path)
    while len(list(below(run.pid))) < 4:  # the main process, its worker, a zygote, a sandbox
        assert run.poll() is None
        time.sleep(0.05)
    alive = list(below(run.pid))
    run.kill()
    run.communicate()
    for number in alive:
        wait_for_the_end_of(number)


def test_a_second_run_on_the_same_folder_is_told_to_wait(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hand_in(tmp_path / "in" / "ada.ipynb", FULL)
    first = Record(tmp_path / "out" / "results.jsonl")
    assert cli.main(["grade", str(tmp_path / "in"), "--out", str(tmp_path / "out")]) == 3
    first.close()
    error = capsys.readouterr().err
    assert "another `qkv grade` writes there. Wait until it is done" in error
    assert error.count("\n") == 1


FULL_DISK = """
import errno, sys
from pathlib import Path
from qkvlib.learner import files
from qkvlib.tools import cli
from qkvlib.tools.grading.publish import write_all
def full(path, *more, **how):
    raise OSError(errno.ENOSPC, "No space left on device", str(path))
write_all.write_atomically = full
sys.exit(cli.main(sys.argv[1:]))
"""


def test_a_disk_that_is_full_when_the_pages_are_written_costs_no_result(tmp_path: Path) -> None:
    hand_in(tmp_path / "in" / "ada.ipynb", FULL)
    arguments = ["grade", str(tmp_path / "in"), "--out", str(tmp_path / "out")]
    ran = subprocess.run(
        [sys.executable, "-c", FULL_DISK, *arguments], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 3
    last = ran.stderr.splitlines()[-1]
    assert "No space left on device" in last
    assert "Run the same command again" in last
    assert cli.main(arguments) == 0
    assert len(judged(tmp_path / "out" / "results.jsonl")) == 1  # nothing was graded again
    assert (tmp_path / "out" / "reports" / "ada.html").exists()


@pytest.mark.sweep
@pytest.mark.slow
def test_a_scheduler_that_is_killed_costs_nothing_that_was_graded(tmp_path: Path) -> None:
    hand_in_a_class(tmp_path / "in", 8)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    dask = [sys.executable, "-m"]
    parts = (
        ["distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", str(port)],
        ["distributed.cli.dask_worker", address, "--nthreads", "1"],
    )
    started = [
        subprocess.Popen(
            [*dask, *part, "--no-dashboard"],
            cwd=tmp_path,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for part in parts
    ]
    command = [*COMMAND, str(tmp_path / "in"), "--out", str(tmp_path / "out")]
    run = subprocess.Popen(
        [*command, "--scheduler", address], stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    try:
        record = tmp_path / "out" / "results.jsonl"
        wait_for_lines(record, 1, run)
        started[0].kill()
        said, _ = run.communicate(timeout=120)
    finally:
        for process in (*started, run):
            process.kill()
            process.wait()
    assert run.returncode == 3, said.decode()
    last = said.decode().splitlines()[-1]
    assert "scheduler is gone" in last
    assert "Run the same command again" in last
    before = judged(record)
    assert subprocess.run(command, check=False, capture_output=True).returncode == 0
    assert judged(record)[: len(before)] == before
    keys = [json.loads(line)["key"] for line in judged(record)]
    assert len(keys) == len(set(keys)) == 8
