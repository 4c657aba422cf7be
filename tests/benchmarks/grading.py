"""Measure the cost of whole runs of our grader: `python -m tests.benchmarks.grading [PART ...]`.

The parts: a class that grows, two jobs, a resumed run, and a class in which every fifth submission is
an attack. Without a name all of them run.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.tools.grading.classroom import hand_in
from tests.tools.grading.make_class import students
from tests.tools.grading.sandbox.attacks import ATTACKS

ROOT = Path(__file__).resolve().parents[2]
ASSIGNMENT = "01_similarity"


@dataclass(frozen=True)
class Cost:
    """The cost of one run; `memory` is that of its largest trusted process, in MiB."""

    wall: float
    cpu: float
    memory: float


def cost(folder: Path, *options: str) -> Cost:
    """Run `qkv grade` as an instructor does, and return its cost."""
    command = [sys.executable, "-m", "qkvlib.tools.cli", "grade", "submitted", "--out", "graded"]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    started, nowhere = time.perf_counter(), subprocess.DEVNULL
    process = subprocess.Popen(
        [*command, *options], cwd=folder, env=environment, stdout=nowhere, stderr=nowhere
    )
    memory = 0.0
    while not (ended := os.wait4(process.pid, os.WNOHANG))[0]:
        memory = max([memory, *map(peak, trusted(process.pid))])
        time.sleep(0.1)
    _, status, used = ended
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):  # 1: something needs the instructor's attention
        raise SystemExit(f"qkv grade ended with {process.returncode}")
    wall = time.perf_counter() - started
    return Cost(wall, used.ru_utime + used.ru_stime, memory)


def trusted(pid: int, depth: int = 2) -> Iterator[int]:
    """Yield a run's trusted processes: itself, its workers and zygotes, but not the zygotes' sandboxes."""
    yield pid
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split() if depth else ():
                yield from trusted(int(child), depth - 1)


def peak(pid: int) -> float:
    """Return the peak memory of a process in MiB; 0 if it has ended."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmHWM"):
                return int(line.split()[1]) / 1024
    return 0.0


def growth(folder: Path) -> Iterator[str]:
    """Grade classes of 50 to 1,000 in one job."""
    for size in (50, 250, 1000):
        hand_in_all(folder / str(size), students(size))
        found = cost(folder / str(size), "--jobs", "1")
        yield f"class of {size:4}, one job: {shown(found)}"


def jobs(folder: Path) -> Iterator[str]:
    """Grade a class of 1,000 in one job and in two."""
    hand_in_all(folder, students(1000))
    one = cost(folder, "--jobs", "1")
    shutil.rmtree(folder / "graded")
    two = cost(folder, "--jobs", "2")
    yield f"class of 1000, one job: {shown(one)}"
    yield f"class of 1000, two jobs: {shown(two)}; {one.wall / two.wall:.2f} times as fast"


def resumed(folder: Path) -> Iterator[str]:
    """Grade a class of 400 again with nothing new, and then with ten late submissions."""
    everybody = students(400)
    hand_in_all(folder, everybody[10:])
    yield f"390 of a class: {shown(cost(folder))}"
    yield f"again, nothing new: {shown(cost(folder))}"
    hand_in_all(folder, everybody[:10])
    yield f"again, 10 new: {shown(cost(folder))}"


def hostile(folder: Path) -> Iterator[str]:
    """Grade a class of 200, and the same class with an attack as every fifth submission."""
    hand_in_all(folder / "honest", students(200))
    honest = cost(folder / "honest")
    attacks = list(ATTACKS.values())[:: len(ATTACKS) // 40]
    mixed = students(200)
    for i, attack in enumerate(attacks[:40]):
        mixed[5 * i] = (mixed[5 * i][0], list(attack.cells(folder / "loot", 9)))
    hand_in_all(folder / "hostile", mixed)
    found = cost(folder / "hostile", "--require-isolation")
    yield f"class of 200, honest: {shown(honest)}"
    yield (
        f"class of 200, every fifth an attack: {shown(found)}; {found.cpu / honest.cpu:.1f} times "
        f"the CPU seconds, {found.wall / honest.wall:.1f} times the wall seconds"
    )


PARTS = {one.__name__: one for one in (growth, jobs, resumed, hostile)}


def hand_in_all(folder: Path, work: Sequence[tuple[str, Sequence[str | tuple[str, str]]]]) -> None:
    """Write all notebooks in the form in which Moodle delivers them."""
    for name, cells in work:
        hand_in(folder / "submitted" / name / f"{ASSIGNMENT}.ipynb", cells)


def shown(found: Cost) -> str:
    """Format the cost as words."""
    return f"wall {found.wall:.1f} s, CPU {found.cpu:.1f} s, memory {found.memory:.0f} MiB"


def main() -> None:
    """Run the chosen parts, each in a folder of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    for name in parser.parse_args().parts or PARTS:
        with tempfile.TemporaryDirectory() as place:
            for line in PARTS[name](Path(place)):
                print(line, flush=True)


if __name__ == "__main__":
    main()
