"""What a notebook can make the grader itself spend has an end, whatever reads it."""

from __future__ import annotations

import json
import socket
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from qkvlib.calling.call import Raised, call
from qkvlib.checking.cases import drawn_cases
from qkvlib.exercises.explanations import EXPLANATIONS
from qkvlib.tools.grading.inbox.notebook_file import read_notebook
from qkvlib.tools.grading.inbox.submissions import File, Student, Submission
from qkvlib.tools.grading.job import Job
from qkvlib.tools.grading.judge import grade_submission, judging, remote_function
from qkvlib.tools.grading.judge.grade_submission import grade
from qkvlib.tools.grading.judge.judging import Judge
from qkvlib.tools.grading.judge.own_limits import OwnLimitReached
from qkvlib.tools.grading.judge.remote_function import RemoteFunction, packed_cases
from qkvlib.tools.grading.queue import grade_class
from qkvlib.tools.grading.results import ExerciseFacts
from qkvlib.tools.grading.sandbox.child import protocol, tensors
from qkvlib.tools.grading.sandbox.host import Sandbox, SandboxHost
from tests.tools.grading.classroom import FULL, HASTY, NAMES, hand_in, notebook


def job(data: bytes, count: int = 1) -> Job:
    return Job(
        "k", ("x",) * count, (len(data),) * count, ("",) * count, tuple(NAMES), 5, data * count
    )


@pytest.mark.parametrize(
    "text",
    [
        "<!-- answer: x" + " " * 900_000, " " * 900_000, "<!--" + "\n" * 900_000,
        "<!-- answer:" + "\t" * 900_000 + "x", "<!-- answer: x, 1 points" + " " * 900_000 + "-",
    ],
    ids=["after", "before", "within", "amid", "points"],
)  # fmt: skip
def test_a_comment_of_a_million_spaces_is_read_at_once(text: str) -> None:
    data = json.dumps(notebook([("markdown", text)])).encode()
    started = time.process_time()
    assert read_notebook(data).answers == ()
    assert time.process_time() - started < 5  # the square of it would be an hour


def test_reading_a_notebook_has_an_end_of_its_own(
    host: SandboxHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(data: bytes) -> Any:
        while True:
            pass

    monkeypatch.setattr(grade_submission, "read_notebook", endless)
    judge = Judge(host, replace(HASTY, own=0.2))
    assert grade(judge, job(b"{}")).fault.startswith("OwnLimitReached")


def test_what_is_lent_after_the_verdict_is_the_graders_time_as_well(
    host: SandboxHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first case ends the verdict; the second, which nobody waits for, asks for a loan."""

    def endless(a: torch.Tensor, b: torch.Tensor) -> None:
        while True:
            pass

    monkeypatch.setattr(judging, "_lends", lambda name: {"dot": endless})
    cells = [
        "import qkvlib\ncalls = []\ndef nearest(query, keys):\n    calls.append(1)\n"
        "    if len(calls) == 1: raise NotImplementedError\n    qkvlib.dot(query, query)"
    ]
    judge = Judge(host, replace(HASTY, own=0.5))
    with pytest.raises(OwnLimitReached):
        judge.notebook(cells, ["nearest"], 1)


def test_nothing_large_is_worked_out_for_a_sandbox(
    host: SandboxHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    monkeypatch.setattr(judging, "_lends", lambda name: {"causal_mask": asked.append})
    cells = [
        "import qkvlib\ndef nearest(query, keys):\n"
        "    for n in (7, 40_000, -40_000): qkvlib.causal_mask(n)"
    ]
    verdict = Judge(host, HASTY).notebook(cells, ["nearest"], 1)[0]
    assert verdict.outcome == "raised"
    assert "a number over 4096" in verdict.message
    assert set(asked) == {7}


def test_the_results_of_a_function_have_a_size_in_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote_function, "_MOST_BYTES", 10_000)
    ours, theirs = socket.socketpair()
    packed, drawn = packed_cases("dot", 3), drawn_cases("dot", 3)
    answer = tensors.pack((torch.zeros(1000), None))

    def flood() -> None:
        protocol.receive(theirs, protocol.GRADER_LIMITS)
        for _ in packed.inputs:
            protocol.send(theirs, {"kind": "returned", "value": answer.tree}, answer.payload)

    thread = threading.Thread(target=flood)
    thread.start()
    function = RemoteFunction(Sandbox(ours, (), Path("/nowhere")), "dot", 0, packed, {}, {}, 9, 9)
    replies = [call(function, case.inputs, None) for case in drawn.cases]
    thread.join()
    ours.close()
    theirs.close()
    assert isinstance(replies[-1], Raised)
    assert "MB of results" in replies[-1].message
    assert sum(isinstance(reply, Raised) for reply in replies) == len(replies) - 2


def test_of_a_students_answers_in_words_no_more_is_kept_than_somebody_reads(
    host: SandboxHost, tmp_path: Path
) -> None:
    name = next(iter(EXPLANATIONS))
    cells = [("markdown", f"<!-- answer: {name} -->\n" + "x" * 19_000)] * 300
    data = hand_in(tmp_path / "x.ipynb", cells).read_bytes()
    found = grade(Judge(host), job(data, 3))
    assert sum(len(answer.text) for answer in found.answers) <= 200_000
    assert found.problems == ("of 900 answers in words the first 10 are kept",)
    empty = hand_in(tmp_path / "y.ipynb", [("markdown", f"<!-- answer: {name} -->")] * 3_900)
    assert len(grade(Judge(host), job(empty.read_bytes())).answers) == 2_000


def submission(*paths: Path) -> Submission:
    eve = Student("eve", "eve")
    return Submission(eve, tuple(File(eve, p.stem, p, None, 0.0) for p in paths), ())


def test_a_students_files_fit_into_one_job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the command itself would hold them all, and no worker could take them."""
    monkeypatch.setattr(grade_class, "_MOST_BYTES", 3_000)
    paths = [hand_in(tmp_path / f"{i}.ipynb", ["#" * 1_000]) for i in range(9)]
    budget = grade_class._Budget(HASTY)
    made = grade_class._job_maker(submission(*paths), "k", ("dot",), 1, budget)()
    assert len(made.payload) < 4_000
    assert [trouble[:4] for *_, trouble in made.contents()] == [""] * 2 + ["with"] * 7


def test_the_chapters_of_a_file_full_of_definitions_take_no_memory(tmp_path: Path) -> None:
    import tracemalloc

    path = tmp_path / "x.ipynb"
    path.write_bytes(b"".join(b"def f%d(" % i for i in range(300_000)) + b"def dot(")
    catalogue = {"dot": ExerciseFacts(1, 1), "softmax": ExerciseFacts(2, 1)}
    tracemalloc.start()
    assert grade_class._chapters(submission(path), catalogue) == {1}
    assert tracemalloc.get_traced_memory()[1] < 3 * path.stat().st_size
    tracemalloc.stop()


@pytest.mark.parametrize("when", [1e18, -1e18, float("inf"), float("nan")])
def test_a_time_that_no_calendar_has_stops_nobody(when: float) -> None:
    assert grade_class._moment(when) == ""


def test_an_honest_notebook_is_far_from_every_limit(host: SandboxHost, tmp_path: Path) -> None:
    data = hand_in(tmp_path / "x.ipynb", FULL).read_bytes()
    found = grade(Judge(host), job(data))
    assert (found.problems, found.fault) == ((), "")
