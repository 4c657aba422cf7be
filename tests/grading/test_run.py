"""A class is graded to its end, whatever happens on the way, and no work is done twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from qkvlib.exercises import EXERCISES
from qkvlib.grading import outputs, pool
from qkvlib.grading.pool import Job, Worker
from qkvlib.grading.record import Record
from qkvlib.grading.room.walls import Plan
from qkvlib.grading.run import Graded, Late, _choose, grade_class
from qkvlib.grading.settings import Settings
from qkvlib.grading.submissions import find
from tests.grading.classroom import FULL, HASTY, MOST, NAMES, ZERO, hand_in, notebook

SLOW = "import time\nx = time.sleep(0.5)"


def class_of(folder: Path, **students: list[str]) -> Path:
    for name, cells in students.items():
        hand_in(folder / name / "01_similarity.ipynb", cells)
    return folder


def grade(
    folder: Path, out: Path, workers: int = 1, settings: Settings | None = None, **more: Any
) -> tuple[Graded, list[str]]:
    said: list[str] = []
    record = Record(out / "results.jsonl")
    try:
        found = grade_class(
            folder, record, settings or Settings(), workers, say=said.append, **more
        )
    finally:
        record.close()
    return found, said


def points(graded: Graded) -> dict[str, Any]:
    return {result["student"]: result.get("points") for result in graded.results}


def test_a_class_is_graded_and_graded_once_only(tmp_path: Path) -> None:
    folder = class_of(tmp_path / "in", ada=FULL, bob=ZERO)
    hand_in(folder / "cem" / "one.ipynb", FULL[:2])  # several notebooks of a student
    hand_in(folder / "cem" / "two.ipynb", FULL[2:])  # count together
    (folder / "eve.ipynb").write_text("not a notebook")
    first, said = grade(folder, tmp_path / "out")
    assert points(first) == {"ada": MOST, "bob": 0, "cem": MOST, "eve": 0}
    assert first.new == 4
    assert len({result["seed"] for result in first.results}) == 1  # a class has the same cases
    assert all("limits" in result["walls"] for result in first.results[:3])
    assert ["eve" in line and "not a notebook" in line for line in said] == [True]
    hand_in(folder / "bob" / "01_similarity.ipynb", FULL)
    second, _ = grade(folder, tmp_path / "out")
    assert second.new == 1
    assert points(second) == {"ada": MOST, "bob": MOST, "cem": MOST, "eve": 0}
    assert len({result["seed"] for result in second.results}) == 2  # and each run new ones


def test_hints_asked_for_are_mentioned_and_cost_nothing(tmp_path: Path) -> None:
    """They are read from what the notebook shows, where somebody may clear or forge them."""
    printed = [
        "Hint 1 of 3: " + EXERCISES["dot"].hints[0] + "\n",
        "Hint 2 of 3: " + EXERCISES["dot"].hints[1] + "\nhint(dot) once more shows the next.\n",
    ]
    made = notebook([*FULL, "hint(dot)"])
    made["cells"][-1]["outputs"] = [
        {"output_type": "stream", "name": "stdout", "text": printed},
        {"output_type": "stream", "text": "Hint 3 of 3: of somebody's own"}, {"text": 5}, None,
    ]  # fmt: skip
    path = tmp_path / "in" / "ada.ipynb"
    path.parent.mkdir()
    path.write_text(json.dumps(made))
    graded, _ = grade(tmp_path / "in", tmp_path / "out")
    (found,) = graded.results
    asked_for = {row["exercise"]: row["hints"] for row in found["exercises"]}
    assert {name for name, count in asked_for.items() if count} == {"dot"}
    assert asked_for["dot"] == 2
    assert found["points"] == MOST
    outputs.write_all(tmp_path / "out", graded)
    assert "Hints asked for: 2 of 3." in (tmp_path / "out" / "reports" / "ada.html").read_text()


def test_partial_isolation_is_warned_of_and_can_be_refused(tmp_path: Path) -> None:
    """As on a platform without the walls, where each room is an interpreter of its own."""
    folder = class_of(tmp_path / "in", ada=FULL)
    bare = Plan(walls=("limits",))
    found, said = grade(folder, tmp_path / "out", settings=Settings(bare, fork=False))
    assert points(found) == {"ada": MOST}
    assert any("isolation of submissions is partial" in line for line in said)
    with pytest.raises(pool.WallsMissingError, match="files"):
        grade(folder, tmp_path / "2", settings=Settings(bare, require_isolation=True))


def test_exercises_can_be_chosen(tmp_path: Path) -> None:
    """By name or chapter; else every chapter of which somebody defines an exercise."""
    catalogue = {"dot": {"chapter": 1}, "nearest": {"chapter": 1}, "softmax": {"chapter": 2}}
    found, _ = find(class_of(tmp_path, ada=["def dot(a, b):\n    return 1"]))
    assert list(_choose(catalogue, [], found)) == ["dot", "nearest"]
    assert list(_choose(catalogue, ["nearest", "2"], found)) == ["nearest", "softmax"]
    with pytest.raises(ValueError, match="no exercise is called 'dott'"):
        _choose(catalogue, ["dott"], found)


def test_lateness_costs_what_was_said(tmp_path: Path) -> None:
    folder = class_of(tmp_path / "in", ada=FULL)
    os.utime(folder / "ada" / "01_similarity.ipynb", (1_000_000, 1_000_000))
    (submission,) = find(folder)[0]
    assert Late(1_000_000.0, 10).days(submission) == 0
    assert Late(999_999.0, 10).days(submission) == 1
    assert Late(1_000_000.0 - 86_400 * 2.5, 10).days(submission) == 3
    assert Late(0.0, 10).factor(3) == pytest.approx(0.7)
    assert Late(0.0, 10).factor(30) == 0


def kill_once(find_number: Callable[[], int], after: float) -> threading.Thread:
    def shoot() -> None:
        time.sleep(after)
        os.kill(find_number(), signal.SIGKILL)

    thread = threading.Thread(target=shoot)
    thread.start()
    return thread


def job(cells: list[str], tmp_path: Path) -> Job:
    data = hand_in(tmp_path / "x.ipynb", cells).read_bytes()
    files = [{"name": "x", "size": len(data)}]
    return Job("k", {"files": files, "names": NAMES, "seed": 5}, data)


@pytest.mark.parametrize("victim", ["worker", "zygote", "child"])
def test_kill_9_costs_a_moment_and_no_points(victim: str, tmp_path: Path) -> None:
    worker = Worker(Settings())
    worker.start()
    assert worker.process is not None
    number = worker.process.pid if victim == "worker" else worker.hello["zygote"]

    def target() -> int:
        if victim != "child":
            return int(number)
        return int(Path(f"/proc/{number}/task/{number}/children").read_text().split()[0])

    shot = kill_once(target, 0.25)
    try:
        result = worker.do_or_explain(job([SLOW, *FULL], tmp_path))
        assert result.get("points") == MOST, result
    finally:
        shot.join()
        worker.stop()


def test_a_worker_that_keeps_dying_is_reported_and_the_rest_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    do = Worker.do

    def fragile(self: Worker, work: Job) -> dict[str, Any]:
        if b"unlucky" in work.payload:
            raise pool.WorkerLostError("gone")
        return do(self, work)

    monkeypatch.setattr(Worker, "do", fragile)
    folder = class_of(tmp_path / "in", ada=FULL, bob=[*FULL, "# unlucky"])
    found, said = grade(folder, tmp_path / "out")
    assert points(found) == {"ada": MOST, "bob": None}
    assert any("NOT GRADED: 3 workers were lost" in line for line in said)
    monkeypatch.undo()
    again, _ = grade(folder, tmp_path / "out")
    assert again.new == 1
    assert points(again) == {"ada": MOST, "bob": MOST}


def test_two_workers_share_a_class(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    do, took = Worker.do, set()

    def noted(self: Worker, work: Job) -> dict[str, Any]:
        took.add(self)
        return do(self, work)

    monkeypatch.setattr(Worker, "do", noted)
    work = job([SLOW, *FULL], tmp_path)  # written once: two threads that write a file tear it
    workers = [Worker(Settings()) for _ in "12"]
    found = [result["points"] for _, result in pool.run([lambda: work] * 6, workers)]
    assert found == [MOST] * 6
    assert len(took) == 2


def test_the_grader_killed_in_the_middle_is_taken_up_where_it_stopped(tmp_path: Path) -> None:
    names = [f"s{i}" for i in range(6)]
    folder = class_of(tmp_path / "in", **{name: [SLOW, *FULL, f"# {name}"] for name in names})
    record = tmp_path / "out" / "results.jsonl"
    command = [sys.executable, "-m", "qkvlib.app.cli", "grade", str(folder), "--jobs", "1"]
    process = subprocess.Popen(
        [*command, "--out", str(record.parent)],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    while not record.exists() or record.read_bytes().count(b"\n") < 2:
        assert process.poll() is None
        time.sleep(0.05)
    process.kill()
    process.wait()
    done = record.read_bytes().count(b"\n")
    found, _ = grade(folder, tmp_path / "out")
    assert found.new == len(names) - done < len(names) - 1
    assert points(found) == dict.fromkeys(names, MOST)
    keys = [json.loads(line)["key"] for line in record.read_text().splitlines()]
    assert len(keys) == len(set(keys)) == len(names)


def test_nothing_of_a_killed_grader_keeps_running(tmp_path: Path) -> None:
    worker = Worker(Settings(allowance=HASTY))
    worker.start()
    zygote = worker.hello["zygote"]
    assert worker.process is not None
    worker.process.kill()
    worker.process.wait()
    for _ in range(100):
        if not Path(f"/proc/{zygote}").exists():
            break
        time.sleep(0.05)
    assert not Path(f"/proc/{zygote}").exists()
    worker.stop()
