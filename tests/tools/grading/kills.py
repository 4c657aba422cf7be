"""Kill a run of `qkv grade` again and again, and restart it until it is done.

    python -m tests.tools.grading.kills 100 [SEED]

Workers and zygotes are killed at random moments, and then the main process. Nothing may be lost,
duplicated or left behind. Sandboxes are not killed: the submission is responsible for what happens
in them.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from tests.tools.grading.classroom import FULL, MOST, ZERO, hand_in

SLOW = "import time\nx = time.sleep(0.1)"
COMMAND = (sys.executable, "-m", "qkvlib.tools.cli", "grade")


def hand_in_a_class(folder: Path, count: int) -> dict[str, int]:
    """Write the work of `count` students, and return the points that it is worth."""
    for i in range(count):
        cells = [SLOW, *(FULL if i % 2 else ZERO), f"# {i}"]
        hand_in(folder / f"s{i:03}" / "01_similarity.ipynb", cells)
    return {f"s{i:03}": MOST if i % 2 else 0 for i in range(count)}


def start(folder: Path, out: Path, temporary: Path) -> subprocess.Popen[bytes]:
    """Start a run with its sandboxes in `temporary`."""
    environment = os.environ | {"TMPDIR": str(temporary)}
    return subprocess.Popen(
        [*COMMAND, str(folder), "--out", str(out), "--jobs", "2"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        preexec_fn=_hear_ctrl_c,
    )


def _hear_ctrl_c() -> None:
    """Undo a shell's setting for background jobs, which makes them, and so these tests, ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def below(number: int, depth: int = 9) -> Iterator[int]:
    """Yield a process and those of its descendants that exist, down to `depth` generations."""
    yield number
    with suppress(OSError):
        for path in Path(f"/proc/{number}/task").iterdir():
            for child in (path / "children").read_text().split():
                if depth:
                    yield from below(int(child), depth - 1)


def judged(record: Path) -> list[bytes]:
    """Return the record's complete lines."""
    if not record.exists():
        return []
    return [line for line in record.read_bytes().splitlines(keepends=True) if line[-1:] == b"\n"]


def kill_again_and_again(place: Path, kills: int, seed: int) -> Counter[str]:
    """Kill the run `kills` times, then let it finish; return how often each kind of process was hit."""
    chance, hit = random.Random(seed), Counter[str]()
    folder, out, temporary = place / "in", place / "out", place / "tmp"
    temporary.mkdir()
    wanted = hand_in_a_class(folder, 4 + 3 * kills)
    record, before = out / "results.jsonl", list[bytes]()
    while hit.total() < kills:
        run = start(folder, out, temporary)
        while_it_grades = chance.random() < 0.7  # otherwise while it starts
        while while_it_grades and judged(record) == before and run.poll() is None:
            time.sleep(0.1)
        alive = set[int]()
        for _ in range(chance.randrange(3)):
            time.sleep(chance.random() * 2)
            alive |= set(below(run.pid))
            helpers = list(below(run.pid, 2))[1:]
            if helpers and run.poll() is None:
                with suppress(ProcessLookupError):
                    os.kill(chance.choice(helpers), signal.SIGKILL)
                    hit["a worker or a zygote"] += 1
        time.sleep(chance.random() * 2)
        alive |= set(below(run.pid))
        if run.poll() is None:
            hit["the command"] += 1
        run.kill()
        run.communicate()
        for number in alive:
            wait_for_the_end_of(number)
        now = judged(record)
        assert now[: len(before)] == before, "a line that was there has changed"
        before = now
        print(f"{dict(hit)}, {len(before)} of {len(wanted)} graded", flush=True)
    last = start(folder, out, temporary)
    said, _ = last.communicate(timeout=240)
    assert last.returncode == 0, said.decode()
    results = [json.loads(line) for line in judged(record)]
    assert judged(record)[: len(before)] == before
    graded = [result for result in results if not result["fault"]]
    assert Counter(result["student"] for result in graded) == Counter(wanted.keys())
    assert {result["student"]: result["points"] for result in graded} == wanted
    assert not list(temporary.glob("qkv-sandbox-*")), "a sandbox's folder is left"
    return hit


def wait_for_the_end_of(number: int) -> None:
    """Wait until a process has ended, which must be soon; its parent may not have waited for it."""
    for _ in range(400):
        try:
            if Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z":
                return
        except OSError:
            return
        time.sleep(0.05)
    raise AssertionError(f"process {number} runs on")


if __name__ == "__main__":
    kills, seed = (*sys.argv[1:], "0")[:2]
    with tempfile.TemporaryDirectory() as name:
        print(kill_again_and_again(Path(name), int(kills), int(seed)))
