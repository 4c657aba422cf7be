"""Test that a lesson continues after a slip, in a real kernel: cell by cell, and with "Run all"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import start_new_kernel

from qkvlib.checking import lend
from qkvlib.exercises import EXERCISES

pytestmark = pytest.mark.whole

SLIP = "def dot(a, b:\n    return (a * b).sum()"
STOPS = "def dot(a, b=undefined):\n    return 0"
CHECK = "dot = check(dot)"
GO_ON = "print(dot(torch.ones(3), torch.ones(3)))"


class Notebook:
    """Send cells to a kernel as JupyterLab's "Run all" does."""

    def __init__(self, client: BlockingKernelClient) -> None:
        self.client = client
        self.run("import torch\nfrom qkvlib import check")

    def run(self, cell: str) -> tuple[str, str]:
        """Return a cell's outcome, ok or error, and everything it shows."""
        shown: list[str] = []

        def see(message: dict[str, Any]) -> None:
            content = message["content"]
            shown.append(content.get("text") or content.get("data", {}).get("text/plain", ""))
            shown.extend(content.get("traceback", []))

        reply = self.client.execute_interactive(cell, output_hook=see, timeout=60)
        return reply["content"]["status"], "\n".join(shown)


@pytest.fixture
def notebook(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Notebook]:
    """Start JupyterLab's kernel or, with `False`, one that runs a notebook by itself."""
    if getattr(request, "param", True):
        monkeypatch.setenv("JPY_SESSION_NAME", "lesson.ipynb")
    else:
        monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    manager, client = start_new_kernel()
    try:
        yield Notebook(client)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


@pytest.mark.parametrize("attempt", [SLIP, STOPS])
def test_run_all_goes_on_with_the_courses_own_after_an_attempt_that_stops(
    notebook: Notebook, attempt: str
) -> None:
    status, shown = notebook.run(attempt)
    assert status == "ok"  # otherwise JupyterLab would not run the cells below
    assert "Error" in shown
    status, shown = notebook.run(CHECK)
    assert status == "ok"
    assert "This is the course's own `dot`, not yours" in shown
    assert "Until then the lesson uses the course's own" in shown
    assert "tensor(3.)" in notebook.run(GO_ON)[1]


def test_a_check_before_the_exercise_was_run_says_so(notebook: Notebook) -> None:
    assert "the cell with your function has not been run" in notebook.run(CHECK)[1]


def test_the_learners_own_is_judged_when_it_is_there(notebook: Notebook) -> None:
    notebook.run("def dot(a, b):\n    return (a * b).sum()")
    assert "The lesson goes on with your `dot`" in notebook.run(CHECK)[1]


def test_other_cells_and_interrupts_still_stop(notebook: Notebook) -> None:
    assert notebook.run("1 / 0")[0] == "error"
    assert notebook.run("def other(a:\n    pass")[0] == "error"
    assert notebook.run("def dot(a, b):\n    pass\nraise KeyboardInterrupt")[0] == "error"


@pytest.mark.parametrize("notebook", [False], indirect=True)
def test_a_notebook_that_runs_by_itself_still_ends_at_an_error(notebook: Notebook) -> None:
    assert notebook.run(SLIP)[0] == "error"


def test_lending_says_whose_functions_run(capsys: pytest.CaptureFixture[str]) -> None:
    def dot() -> None: ...

    ours = EXERCISES["softmax"].reference
    assert lend(dot, one=ours) is dot
    assert capsys.readouterr().out == (
        "`softmax` is the course's own, until yours is right.\n`dot` is yours.\n"
    )


def test_the_courses_own_loop_trains_the_heads_that_are_yours() -> None:
    calls = []

    def multi_head_attention(*given: Any) -> Any:
        calls.append(given)
        return EXERCISES["multi_head_attention"].reference(*given)

    train_two_heads = EXERCISES["train_two_heads"]
    params, batches, mask, lr = train_two_heads.draw(0)[-1].inputs
    loop = lend(train_two_heads.reference, heads=multi_head_attention)
    losses = loop(params, batches, mask, lr)
    assert len(calls) == len(losses) == len(batches)
