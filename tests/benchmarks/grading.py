"""Compare our grader with nbgrader on the same course exercises, in one run.

    python -m tests.benchmarks.grading [--graders VENV/bin] [--sizes 10 100 400] [--others 3 10]
    python -m tests.benchmarks.grading --alone [growth jobs resumed hostile]

VENV is an environment with nbgrader 0.9.6 in which torch and qkvlib can be imported; the default is
the tests' own. The benchmark measures wall and CPU seconds of whole runs; "one more" is the slope between
two sizes. For our grader these are the two largest sizes, which use the same number of workers, so that no
worker's start counts as a submission's cost. nbgrader runs at only a few sizes, because it takes minutes.
`--alone` measures our grader only: a class that grows, two jobs, a resumed run, a class in which every fifth
submission is an attack.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from qkvlib.exercises import EXERCISES
from qkvlib.tools.grading.publish.nbgrader_course import write_course
from tests.tools.grading.classroom import NAMES, RIGHT, hand_in, notebook
from tests.tools.grading.make_class import students
from tests.tools.grading.sandbox.attacks import ATTACKS

ROOT = Path(__file__).resolve().parents[2]
ASSIGNMENT = "01_similarity"


@dataclass(frozen=True)
class Run:
    """One grader on one class: seconds, and each student's points."""

    grader: str
    size: int
    wall: float
    cpu: float
    points: dict[str, float]


def timed(grader: str, size: int, work: Callable[[], dict[str, float]]) -> Run:
    """Run a grader and its child processes, and measure their seconds."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    points = work()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Run(grader, size, time.perf_counter() - started, cpu, points)


@dataclass(frozen=True)
class Cost:
    """The cost of one run of our grader; `memory` is that of its largest trusted process, in MiB."""

    wall: float
    cpu: float
    memory: float


def shell(command: Sequence[str | Path], folder: Path, graders: Path) -> None:
    """Run a command with this checkout's qkvlib and one thread."""
    environment = os.environ | {
        "PATH": f"{graders}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "OMP_NUM_THREADS": "1",
        "QKVLIB_HOME": str(folder / "home"),
    }
    ran = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    if ran.returncode:
        raise SystemExit(f"{command[0]} failed:\n{ran.stdout[-2000:]}{ran.stderr[-3000:]}")


def release() -> dict:  # type: ignore[type-arg]
    """Return the solution notebook of chapter 1, with only its graded cells and nbgrader's metadata."""
    cells = ["import torch\nfrom qkvlib import check"]
    for name in NAMES:
        answer, check = RIGHT[name].rsplit("\n", 1)
        head, body = answer.split("\n", 1)
        cells += [f"{head}\n    ### BEGIN SOLUTION\n{body}\n    ### END SOLUTION", check]
    made = notebook(cells)
    for i, name in enumerate(NAMES):
        answer, check = made["cells"][1 + 2 * i], made["cells"][2 + 2 * i]
        marks = {"schema_version": 3, "task": False}
        answer["metadata"]["nbgrader"] = marks | {
            "grade": False,
            "grade_id": name,
            "locked": False,
            "solution": True,
        }
        check["metadata"]["nbgrader"] = marks | {
            "grade": True,
            "grade_id": f"check-{name}",
            "locked": True,
            "solution": False,
            "points": EXERCISES[name].points,
        }
    for i, cell in enumerate(made["cells"]):
        cell["id"] = f"cell-{i}"
    made["metadata"] = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    return made


def submission(cells: Sequence[object], released: dict) -> dict:  # type: ignore[type-arg]
    """Return a student's notebook: the released one with this student's answers."""
    made = json.loads(json.dumps(released))
    texts = [str(cell) for cell in cells if isinstance(cell, str)]
    for name in NAMES:
        text = next(text for text in texts if f"def {name}(" in text)
        cell = next(c for c in made["cells"] if c["metadata"].get("nbgrader", {}).get("grade_id") == name)
        cell["source"] = text[: text.rindex("\n")]
    return made


def course(folder: Path, graders: Path, size: int) -> None:
    """Make an nbgrader course with a class of `size`; nbgrader itself generates the assignment."""
    (folder / "solutions").mkdir(parents=True)
    (folder / "solutions" / f"{ASSIGNMENT}.ipynb").write_text(json.dumps(release()))
    write_course(folder / "solutions", folder)
    shell(["nbgrader", "generate_assignment", ASSIGNMENT], folder, graders)
    released = json.loads((folder / "release" / ASSIGNMENT / f"{ASSIGNMENT}.ipynb").read_text())
    for i, (_, cells) in enumerate(students(size)):
        path = folder / "submitted" / f"s{i:04}" / ASSIGNMENT / f"{ASSIGNMENT}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(submission(cells, released)))


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


def ours(folder: Path, graders: Path) -> dict[str, float]:
    """Return the points that `qkv grade` gives."""
    shutil.rmtree(folder / "graded", ignore_errors=True)
    cost(folder)
    with (folder / "graded" / "grades.csv").open(encoding="utf-8-sig") as file:
        return {row["student"]: float(row["total"]) for row in csv.DictReader(file)}


def nbgraders(folder: Path, graders: Path) -> dict[str, float]:
    """Return the points from `nbgrader autograde` and `nbgrader export`."""
    shell(["nbgrader", "autograde", ASSIGNMENT], folder, graders)
    shell(["nbgrader", "export"], folder, graders)
    with (folder / "grades.csv").open(encoding="utf-8-sig") as file:
        return {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}


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


ALONE = {one.__name__: one for one in (growth, jobs, resumed, hostile)}


def hand_in_all(folder: Path, work: Sequence[tuple[str, Sequence[str | tuple[str, str]]]]) -> None:
    """Write all notebooks in the form in which Moodle delivers them."""
    for name, cells in work:
        hand_in(folder / "submitted" / name / f"{ASSIGNMENT}.ipynb", cells)


def shown(found: Cost) -> str:
    """Format the cost as words."""
    return f"wall {found.wall:.1f} s, CPU {found.cpu:.1f} s, memory {found.memory:.0f} MiB"


def main() -> None:
    """Run everything and print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--graders", type=Path, default=ROOT / ".venv/nbgrader/bin")
    parser.add_argument("--sizes", type=int, nargs="+", default=[10, 100, 400])
    parser.add_argument("--others", type=int, nargs="*", default=[3, 10])
    parser.add_argument("--alone", nargs="*", choices=ALONE)
    chosen = parser.parse_args()
    if chosen.alone is not None:
        for name in chosen.alone or ALONE:
            with tempfile.TemporaryDirectory() as place:
                for line in ALONE[name](Path(place)):
                    print(line, flush=True)
        return
    runs: list[Run] = []
    for size in sorted({*chosen.sizes, *chosen.others}):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            course(folder, chosen.graders, size)
            work = [("qkv", ours)]
            if size in chosen.others:
                work += [("nbgrader", nbgraders)]
            for grader, grade in work:
                runs.append(timed(grader, size, lambda g=grade, f=folder: g(f, chosen.graders)))
                run = runs[-1]
                print(f"{grader:9} {size:4}  wall {run.wall:8.2f} s  CPU {run.cpu:8.2f} s", flush=True)
    report(runs)


def report(runs: Sequence[Run]) -> None:
    """Print the slopes, and whether the graders agree."""
    for grader in sorted({run.grader for run in runs}):
        found = sorted((run for run in runs if run.grader == grader), key=lambda run: run.size)
        if len(found) > 1:
            first, last = found[-2:]
            more = last.size - first.size
            print(
                f"{grader:9} one more submission: wall {(last.wall - first.wall) / more:.4f} s, "
                f"CPU {(last.cpu - first.cpu) / more:.4f} s; a class of 200 by this: "
                f"CPU {first.cpu + (200 - first.size) * (last.cpu - first.cpu) / more:.0f} s"
            )
    for run in runs:
        same = next(r for r in runs if r.grader == "qkv" and r.size == run.size)
        if run.grader != "qkv":
            agree = sum(run.points.get(k) == v for k, v in same.points.items())
            print(f"{run.grader} agrees with qkv on {agree} of {run.size} students")


if __name__ == "__main__":
    main()
