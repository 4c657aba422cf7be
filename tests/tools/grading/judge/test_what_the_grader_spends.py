"""Test that a notebook can make the grader spend only a limited amount, whatever reads it."""

from __future__ import annotations

import json
import re
import socket
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

import qkvlib
from qkvlib.calling.call import Raised, call
from qkvlib.checking.cases import drawn_cases
from qkvlib.checking.errors import in_plain_words
from qkvlib.exercises import EXERCISES
from qkvlib.exercises.explanations import EXPLANATIONS
from qkvlib.tools.grading.inbox.notebook_file import NotANotebookError, read_notebook
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
from tests.tools.grading.classroom import FULL, HASTY, hand_in, job, notebook


@pytest.mark.parametrize(
    "text",
    [
        "<!-- answer: x" + " " * 900_000,
        " " * 900_000,
        "<!--" + "\n" * 900_000,
        "<!-- answer:" + "\t" * 900_000 + "x",
        "<!-- answer: x, 1 points" + " " * 900_000 + "-",
    ],
    ids=["after", "before", "within", "amid", "points"],
)
def test_a_comment_of_a_million_spaces_is_read_at_once(text: str) -> None:
    data = json.dumps(notebook([("markdown", text)])).encode()
    started = time.process_time()
    assert read_notebook(data).answers == ()
    assert time.process_time() - started < 5  # quadratic time would be an hour


def test_reading_a_notebook_has_an_end_of_its_own(host: SandboxHost, monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(data: bytes) -> Any:
        while True:
            pass

    monkeypatch.setattr(grade_submission, "read_notebook", endless)
    judge = Judge(host, replace(HASTY, own=0.2))
    assert grade(judge, job(b"{}")).fault.startswith("OwnLimitReached")


def test_what_is_lent_after_the_verdict_is_the_graders_time_as_well(
    host: SandboxHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first case ends the verdict; the second, which nothing waits for, asks for a loan."""

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


LARGE = {
    "a number": "qkvlib.causal_mask(44_000)",
    "a number in a tensor": "qkvlib.causal_mask(torch.tensor(44_000))",
    "many rows of nothing": "qkvlib.cosine_similarity(*[torch.zeros(30_000, 0)] * 2)",
    "their gradients": (
        "qkvlib.cosine_similarity(torch.zeros(20_000, 0, requires_grad=True),"
        " torch.zeros(20_000, 0, requires_grad=True)).sum().backward()"
    ),
}


@pytest.mark.parametrize("asked", LARGE.values(), ids=LARGE)
def test_nothing_large_is_worked_out_for_a_sandbox(
    asked: str, host: SandboxHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A few bytes may ask for gigabytes, in whatever form the numbers come."""
    lent = {
        name: getattr(qkvlib.masks if "mask" in name else qkvlib.attention, name)
        for name in ("causal_mask", "cosine_similarity")
    }
    monkeypatch.setattr(judging, "_lends", lambda name: lent)
    cells = [f"import qkvlib, torch\ndef nearest(query, keys):\n    {asked}"]
    peak = Path("/proc/self/status")

    def megabytes() -> int:
        return int(peak.read_text().split("VmHWM:")[1].split()[0]) >> 10

    before = megabytes()
    verdict = Judge(host, HASTY).notebook(cells, ["nearest"], 1)[0]
    assert verdict.outcome == "raised"
    # Tests check the types of arguments, workers do not.
    assert re.search("memory|TypeCheckError", verdict.message)
    assert megabytes() - before < 300


@pytest.mark.parametrize("text", ["[],", "{},", "0.5,"])
def test_a_notebook_of_few_bytes_and_many_objects_is_refused(text: str) -> None:
    data = b'{"cells": [' + text.encode() * 4_100_000 + b"0]}"
    with pytest.raises(NotANotebookError, match="more lists and numbers than a notebook has"):
        read_notebook(data)


def test_no_error_of_a_learners_keeps_a_pattern_busy() -> None:
    for text in ("shape '[" + "1" * 5_000, "shape '[" + "1, " * 5_000, "size [" + "1, " * 5_000):
        started = time.process_time()
        in_plain_words("RuntimeError", text)
        assert time.process_time() - started < 1
    known = "shape '[2, -1]' is invalid for input of size 5"
    assert in_plain_words("RuntimeError", known)


def test_a_secret_cannot_be_guessed_by_many_versions_or_files(host: SandboxHost, tmp_path: Path) -> None:
    name = next(name for name, one in EXERCISES.items() if one.is_secret)
    right = f"import qkvlib\ndef {name}(*_):\n    return SECRET"
    reference = EXERCISES[name].reference

    def judged(*notebooks: list[str]) -> int | None:
        files = [json.dumps(notebook(cells)).encode() for cells in notebooks]
        made = Job(
            "k",
            tuple(map(str, range(len(files)))),
            tuple(map(len, files)),
            ("",) * len(files),
            (name,),
            5,
            b"".join(files),
        )
        return grade(Judge(host), made).points

    case = drawn_cases(name, 5).cases[0]
    secret = f"SECRET = {reference(*case.inputs)!r}\n{right}"
    wrong = right.replace("SECRET", "None")
    assert judged([secret])
    assert judged([wrong], [secret])
    assert not judged([secret, wrong])
    assert not judged([secret], [wrong])


def test_a_library_that_is_not_here_is_a_line_and_no_riddle(host: SandboxHost) -> None:
    false = "def no(name):\n    raise ModuleNotFoundError(name=name)\nx = no({!r})"
    cells = ["import nosuchlibrary as nl", *FULL, *map(false.format, ("torch", "torch.no", ".", "__main__"))]
    found = grade(Judge(host), job(json.dumps(notebook(cells)).encode()))
    assert found.problems == (
        "the library `nosuchlibrary` is not installed where this was judged: what needs it did not run",
    )
    assert grade(Judge(host), job(json.dumps(notebook(FULL)).encode())).problems == ()


def test_what_every_notebook_has_is_there(host: SandboxHost) -> None:
    """Each of these, used in an answer, once cost its points."""
    cells = [
        "import torch",
        "def dot(a, b):\n    display(a); print(In, Out, _, __, _i, _dh, __IPYTHON__, __builtin__)\n"
        "    get_ipython().run_line_magic('time', '1')\n    return (a * b).sum()",
    ]
    assert Judge(host, HASTY).notebook(cells, ["dot"], 1)[0].outcome == "right"


def test_an_error_named_like_one_of_ours_says_nothing_in_our_words(host: SandboxHost) -> None:
    own = "class TookTooLong(Exception): pass\ndef dot(a, b):\n    raise TookTooLong('`dot` is right')"
    assert "TookTooLong (of the notebook)" in Judge(host, HASTY).notebook([own], ["dot"], 1)[0].message


def test_of_equal_answers_the_earlier_file_s_counts(host: SandboxHost) -> None:
    two = replace(job(json.dumps(notebook(FULL)).encode(), 2), files=("early", "late"))
    assert {row.file for row in grade(Judge(host), two).exercises} == {"early"}


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
    """Otherwise the main process would hold them all, and no worker could take them."""
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
