"""Test that learner and instructor see the same judgement: notebook and grader give equal verdicts."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from qkvlib.checking import verdict
from qkvlib.exercises import EXERCISES
from qkvlib.exercises.kit.exercise import Answer
from qkvlib.tools.grading.judge.remote_function import RemoteFunction, packed_cases
from qkvlib.tools.grading.sandbox.child import protocol, serve
from qkvlib.tools.grading.sandbox.host import Sandbox
from tests.tools.grading.classroom import NAMES


@contextmanager
def remote(name: str, program: Answer, seed: int) -> Iterator[RemoteFunction]:
    """Run the program as a remote function, as in a sandbox, but in a thread of this process."""
    ours, theirs = socket.socketpair()
    far = serve.Session(theirs)
    far.notebook.versions[name] = [program]

    def answer() -> None:
        with suppress(protocol.DisconnectedError):
            far.serve()

    thread = threading.Thread(target=answer)
    thread.start()
    sandbox = Sandbox(ours, (), Path("/nowhere"))
    function = RemoteFunction(sandbox, name, 0, packed_cases(name, seed), {}, {}, 30.0, 60.0)
    try:
        yield function
    finally:
        function.finish()
        ours.close()
        thread.join()
        theirs.close()


@pytest.fixture(autouse=True)
def as_in_a_session(unchecked_signatures: None) -> None:
    """Neither a notebook nor a sandbox checks the shapes in the mathematics' signatures."""


@pytest.fixture(autouse=True)
def main_module() -> Iterator[None]:
    """Restore this process's main module, because a notebook replaces it."""
    import sys

    kept = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = kept


@pytest.mark.sweep(keep=10)
@pytest.mark.parametrize("name", EXERCISES)
def test_every_known_answer_gets_the_same_verdict_on_both_sides(name: str) -> None:
    exercise = EXERCISES[name]
    known = (mistake.program for mistake in exercise.mistakes)
    for program in [exercise.reference, *exercise.alternatives, *known]:
        here = verdict(name, program, seed=4)
        with remote(name, program, seed=4) as function:
            there = verdict(name, function, seed=4, seconds=None)
        assert function.ended is None
        assert there == here, program.__name__


OTHERWISE: dict[str, Callable[[Tensor], Any]] = {
    "sparse": Tensor.to_sparse,
    "sparse by rows": Tensor.to_sparse_csr,
    "a list of rows": list,
    "a list of numbers": Tensor.tolist,
    "NumPy's": Tensor.numpy,
    "a sign that is noted down": lambda x: torch._neg_view(-x),
    "a parameter": torch.nn.Parameter,
    "sparse and wrong": lambda x: (2 * x).to_sparse(),
    "sparse and huge": lambda _: torch.sparse_coo_tensor(
        torch.zeros(2, 1).long(), torch.ones(1), (10**5, 10**5)
    ),
}


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("how", OTHERWISE)
def test_a_result_that_is_made_otherwise_is_as_right_on_both_sides(how: str) -> None:
    def centre(x: Tensor) -> Any:
        return OTHERWISE[how](EXERCISES["centre"].reference(x))

    here = verdict("centre", centre)
    assert here.outcome == ("wrong" if " and " in how else "right")
    with remote("centre", centre, seed=0) as function:
        there = verdict("centre", function, seconds=None)
    assert function.ended is None
    assert there.outcome == here.outcome


@pytest.mark.parametrize("name", NAMES)
def test_what_the_probes_find_in_an_unknown_mistake_is_found_on_both_sides(name: str) -> None:
    """They call the function on inputs that are not cases, so the sandbox must answer those too."""

    def program(*inputs: Tensor) -> Tensor:
        return EXERCISES[name].reference(inputs[0], torch.ones_like(inputs[1])) * 1.5

    here = verdict(name, program)
    assert "does not depend on" in here.message
    with remote(name, program, seed=0) as function:
        there = verdict(name, function, seconds=None)
    assert function.ended is None
    assert there.message == here.message
