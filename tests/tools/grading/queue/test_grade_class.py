"""Test that a class is graded completely, whatever happens on the way, and no work is done twice."""

from __future__ import annotations

import json
import os
import shutil
import signal
import threading
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from qkvlib.exercises import EXERCISES
from qkvlib.tools.grading.inbox.submissions import find_submissions
from qkvlib.tools.grading.job import Job
from qkvlib.tools.grading.lateness import Extension, LatePolicy
from qkvlib.tools.grading.queue import pool
from qkvlib.tools.grading.queue.grade_class import (
    Options,
    _Budget,
    _choose,
    _once_each,
    _questions,
    grade_class,
)
from qkvlib.tools.grading.queue.pool import WorkerProcess
from qkvlib.tools.grading.queue.record import Record
from qkvlib.tools.grading.results import ExerciseFacts, GradedClass, Judgement
from qkvlib.tools.grading.sandbox.child.walls import WallPlan
from qkvlib.tools.grading.settings import Settings, TimeLimits
from tests.tools.grading.classroom import (
    FULL,
    HASTY,
    IMPORTS,
    MOST,
    NAMES,
    RIGHT,
    ZERO,
    Heard,
    hand_in,
    job,
    result,
    write,
)

SLOW = "import time\nx = time.sleep(0.5)"


def class_of(folder: Path, **students: list[str]) -> Path:
    for name, cells in students.items():
        hand_in(folder / name / "01_similarity.ipynb", cells)
    return folder


def grade(
    folder: Path, out: Path, workers: int = 1, settings: Settings | None = None, **more: Any
) -> tuple[GradedClass, list[str]]:
    heard, options = Heard(), Options(settings or Settings(), workers, **more)
    with closing(Record(out / "results.jsonl")) as record:
        found = grade_class(folder, record, options, heard)
    assert heard.total == heard.done == found.new
    return found, heard.said


def points(graded: GradedClass) -> dict[str, int | None]:
    return {result.student: result.points for result in graded.results}


def test_a_class_is_graded_and_graded_once_only(tmp_path: Path) -> None:
    folder = class_of(tmp_path / "in", ada=FULL, bob=ZERO)
    hand_in(folder / "cem" / "one.ipynb", FULL[:2])  # a student's notebooks
    hand_in(folder / "cem" / "two.ipynb", FULL[2:])  # count together
    (folder / "eve.ipynb").write_text("not a notebook")
    first, said = grade(folder, tmp_path / "out")
    assert points(first) == {"ada": MOST, "bob": 0, "cem": MOST, "eve": None}
    assert first.new == 4
    assert len({result.seed for result in first.results}) == 4  # each student has different cases
    assert all("limits" in result.walls for result in first.results[:3])
    assert ["eve" in line and "not a notebook" in line for line in said] == [True]
    hand_in(folder / "bob" / "01_similarity.ipynb", FULL)
    second, _ = grade(folder, tmp_path / "out")
    assert second.new == 1
    assert points(second) == {"ada": MOST, "bob": MOST, "cem": MOST, "eve": None}
    seeds = {result.student: result.seed for result in first.results}
    again = {result.student for result in second.results if result.seed != seeds[result.student]}
    assert again == {"bob"}


def test_after_a_change_of_version_all_is_graded_again_and_it_is_said(tmp_path: Path) -> None:
    folder, record = class_of(tmp_path / "in", ada=FULL), tmp_path / "out" / "results.jsonl"
    first, said = grade(folder, tmp_path / "out")
    assert (first.new, said) == (1, [])
    old = json.loads(record.read_text()) | {"key": "of another version", "grade": "A"}
    record.write_text(json.dumps(old) + "\n")
    again, said = grade(folder, tmp_path / "out")
    assert (again.new, points(again)) == (1, {"ada": MOST})
    assert ["Everything is graded again" in words for words in said] == [True]
    assert record.read_text().count("\n") == 2


def test_an_answer_in_other_words_than_before_is_said_once(tmp_path: Path) -> None:
    words = "<!-- answer: why, 3 points -->\n{}"
    known = ("ada", "why")
    for text, code, rewritten in (("a", "", ()), ("b", "", (known,)), ("b", "", ()), ("b", "x = 1", ())):
        cells = [*FULL, code, ("markdown", words.format(text))]
        hand_in(tmp_path / "in" / "ada" / "01_similarity.ipynb", cells)
        hand_in(tmp_path / "in" / "ada" / "02.ipynb", [("markdown", words.format("That does not count."))])
        assert grade(tmp_path / "in", tmp_path / "out")[0].rewritten == rewritten


def test_partial_isolation_is_warned_of_and_can_be_refused(tmp_path: Path) -> None:
    """A container whose profile forbids some walls is an example."""
    folder = class_of(tmp_path / "in", ada=FULL)
    bare = WallPlan(walls=("limits",))
    found, said = grade(folder, tmp_path / "out", settings=Settings(bare))
    assert points(found) == {"ada": MOST}
    assert any("isolation of submissions is partial" in line for line in said)
    with pytest.raises(pool.WallsMissingError, match="files"):
        grade(folder, tmp_path / "2", settings=Settings(bare, require_isolation=True))


def test_exercises_can_be_chosen(tmp_path: Path) -> None:
    """They are chosen by name or chapter; the default is each chapter that most submissions belong to."""
    one, two = ExerciseFacts(chapter=1, points=1), ExerciseFacts(chapter=2, points=1)
    catalogue = {"dot": one, "nearest": one, "softmax": two}
    more = ["def dot(a, b):\n    return 1", "# def softmax(x):"]
    found, _ = find_submissions(class_of(tmp_path, ada=more[:1], eve=more, none=["x = 1"]))
    heard = Heard()
    assert list(_choose(catalogue, [], found, heard)) == ["dot", "nearest"]
    assert ["Chapter 2 is in 1 of 2 submissions" in line for line in heard.said] == [True]
    assert list(_choose(catalogue, ["nearest", "2"], found, heard)) == ["nearest", "softmax"]
    with pytest.raises(ValueError, match="no exercise is called 'dott'"):
        _choose(catalogue, ["dott"], found, heard)


def test_a_stray_function_makes_no_chapter_count(tmp_path: Path) -> None:
    """Of two students on chapter 1, both have a helper named like an exercise of chapter 2."""
    catalogue = {name: ExerciseFacts(1, 1) for name in NAMES}
    catalogue |= {name: ExerciseFacts(2, 1) for name in ("softmax", "lookup", "mix")}
    helper = "def softmax(x):\n    return x.exp() / x.exp().sum()"
    found, _ = find_submissions(class_of(tmp_path, ada=[*FULL, helper], eve=[*FULL, helper]))
    assert list(_choose(catalogue, [], found, Heard())) == NAMES


def test_the_questions_are_those_of_the_chapters_that_are_graded_whole() -> None:
    one, two = ExerciseFacts(chapter=1, points=1), ExerciseFacts(chapter=2, points=1)
    catalogue = {"dot": one, "nearest": one, "softmax": two}
    asked = {"why": ExerciseFacts(1, 2), "how": ExerciseFacts(2, 3), "else": ExerciseFacts(3, 9)}
    assert _questions(asked, catalogue, {"dot": one, "nearest": one}).keys() == {"why"}
    assert _questions(asked, catalogue, {"dot": one, "softmax": two}).keys() == {"how"}


HANGS = "import time\ndef {}(*inputs):\n    while True: time.sleep(1)"


def test_a_student_has_so_much_time_however_many_files_that_is(tmp_path: Path) -> None:
    for i in range(6):
        hand_in(tmp_path / "in" / "eve" / f"{i}.ipynb", [HANGS.format(name) for name in NAMES])
    hand_in(tmp_path / "in" / "ada" / "1.ipynb", FULL)
    limits = replace(HASTY, exercise=2.0, call=2.0, student=3.0, usual=3.0)
    found, said = grade(tmp_path / "in", tmp_path / "out", settings=Settings(time_limits=limits))
    assert points(found) == {"ada": MOST, "eve": 0}
    assert ["eve" in line and "hangs" in line for line in said] == [True]


def test_a_class_has_so_much_time_for_those_that_hang() -> None:
    limits = TimeLimits(student=100.0, usual=20.0, hanging=150.0)
    budget = _Budget(limits)
    given = []
    for took in (5.0, 100.0, 19.0, 90.0, 20.0, 20.0):
        given.append(budget.seconds())
        budget.spend(took)
    assert given == [100, 100, 70, 70, 20, 20]


def test_a_line_about_two_students_names_both() -> None:
    def lines(*names: str) -> list[str]:
        return _once_each([result(name, problems=("odd",)) for name in names])

    assert lines("ada") == ["ada: odd"]
    assert lines("ada", "bob") == ["ada and bob: odd"]
    assert lines("ada", "bob", "cem") == ["ada and 2 more: odd"]
    many = _once_each([result("ada", problems=tuple(map(str, range(200))))])
    assert (len(many), many[-1]) == (9, "ada: and 192 lines more, in the report")


def test_who_handed_in_no_notebook_is_a_row_and_a_class_of_them_is_no_success(tmp_path: Path) -> None:
    folder = class_of(tmp_path / "in", ada=FULL)
    write(folder, "bob/essay.docx")
    found, _ = grade(folder, tmp_path / "out")
    assert points(found) == {"ada": MOST, "bob": None}
    assert "No notebook was handed in" in found.results[1].problems[0]
    shutil.rmtree(folder / "ada")
    with pytest.raises(FileNotFoundError, match="no notebook was handed in"):
        grade(folder, tmp_path / "out")


def test_no_submission_sees_the_others_and_no_moment_is_made_up(tmp_path: Path) -> None:
    folder = class_of(tmp_path / "in", ada=FULL)
    peeks = f"import os\nif os.path.exists({str(folder / 'ada')!r}):\n    {RIGHT['dot'].splitlines()[0]} 1"
    found, _ = grade(class_of(folder, bob=[IMPORTS, peeks]), tmp_path / "out", exercises=("dot",))
    assert [one.handed_in for one in found.results] == ["", ""]  # the platform told none
    if "own disk" in found.results[1].walls:
        assert found.results[1].exercises[0].outcome == "not attempted"


def test_an_extension_holds_for_what_was_graded_before(tmp_path: Path) -> None:
    folder = tmp_path / "submitted"
    for name in ("ada", "bob"):
        hand_in(folder / name / "01" / "01_similarity.ipynb", FULL)
        (folder / name / "01" / "timestamp.txt").write_text("1970-01-12 13:46:40 UTC")
    due = 1_000_000 - 2 * 86_400
    first, _ = grade(folder, tmp_path / "out", late=LatePolicy(due, 10))
    assert [result.late_days for result in first.results] == [2, 2]
    late = LatePolicy(due, 10, {"ada": Extension(1.0), "eve": Extension(3.0)})
    again, _ = grade(folder, tmp_path / "out", late=late)
    assert again.new == 0
    assert [result.late_days for result in again.results] == [1, 2]
    assert [result.late_factor for result in again.results] == pytest.approx([0.9, 0.8])
    assert again.problems == ("extensions.csv: 'eve' is none of the students who handed in",)


def test_who_builds_on_what_he_has_not_is_judged_alone_with_the_courses_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spend, spent = _Budget.spend, []
    do, asked = WorkerProcess.grade, list[tuple[str, ...]]()

    def noted(self: _Budget, seconds: float) -> None:
        spent.append(seconds)
        spend(self, seconds)

    def listed(self: WorkerProcess, work: Job) -> Judgement:
        asked.append(work.names)
        return do(self, work)

    monkeypatch.setattr(_Budget, "spend", noted)
    monkeypatch.setattr(WorkerProcess, "grade", listed)
    names = (*NAMES, "softmax")
    softmax = "def softmax(scores):\n    return torch.softmax(scores, -1)"
    borrows = [IMPORTS, RIGHT["dot"], ZERO[2], RIGHT["nearest"], softmax]
    folder = class_of(tmp_path / "in", ada=FULL, bob=borrows, cem=borrows, dot=ZERO)
    found, _ = grade(folder, tmp_path / "out", workers=2, exercises=names)
    worth = sum(EXERCISES[name].points for name in ("dot", "nearest", "softmax"))
    assert points(found) == {"ada": MOST, "bob": worth, "cem": worth, "dot": 0}
    assert not found.problems
    assert len(spent) == 6, "what the first look took of the class's time is counted at once"
    assert asked == [names] * 4 + [("nearest",)] * 2, "what asked for nothing is judged once"
    assert [[row.exercise for row in one.exercises] for one in found.results] == [list(names)] * 4


def kill_once(find_number: Callable[[], int], after: float, hit: list[int]) -> threading.Thread:
    def shoot() -> None:
        time.sleep(after)
        number = find_number()
        os.kill(number, signal.SIGKILL)
        hit.append(number)

    thread = threading.Thread(target=shoot)
    thread.start()
    return thread


@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize("victim", ["worker", "zygote", "child"])
def test_kill_9_costs_a_moment_and_no_points(victim: str, tmp_path: Path) -> None:
    worker = WorkerProcess(Settings())
    worker.start()
    number = worker.process.pid if victim == "worker" else worker.zygote

    def target() -> int:
        if victim != "child":
            return int(number)
        return int(Path(f"/proc/{number}/task/{number}/children").read_text().split()[0])

    hit: list[int] = []
    shot = kill_once(target, 0.25, hit)
    try:
        data = hand_in(tmp_path / "x.ipynb", [SLOW, *FULL]).read_bytes()
        judged = worker.grade_or_explain(job(data))
        assert judged.points == MOST, judged
    finally:
        shot.join()
        worker.stop()
    assert hit


def test_a_worker_that_keeps_dying_is_reported_and_the_rest_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    do = WorkerProcess.grade

    def fragile(self: WorkerProcess, work: Job) -> Judgement:
        if b"unlucky" in work.payload:
            raise pool.WorkerLostError("gone")
        return do(self, work)

    monkeypatch.setattr(WorkerProcess, "grade", fragile)
    folder = class_of(tmp_path / "in", ada=FULL, bob=[*FULL, "# unlucky"])
    found, said = grade(folder, tmp_path / "out")
    assert points(found) == {"ada": MOST, "bob": None}
    assert any("NOT GRADED: 3 workers were lost" in line for line in said)
    monkeypatch.undo()
    again, _ = grade(folder, tmp_path / "out")
    assert again.new == 1
    assert points(again) == {"ada": MOST, "bob": MOST}
