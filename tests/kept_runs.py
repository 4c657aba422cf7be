"""A plugin: what nbval sees of a solution is kept as a run, so that the site's tests need no other.

A page is built from a solution's outputs and from what its widgets were left with. nbval runs every
solution and compares its outputs; the messages that it reads say the widgets' state, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionComplete
from nbval.plugin import IPyNbCell, IPyNbFile, coalesce_streams

ROOT = Path(__file__).parent.parent
RUNS = ROOT / "build" / "runs"


class Run:
    """The outputs of a notebook, and its widgets, gathered message by message."""

    def __init__(self, notebook: Any) -> None:
        self.client = NotebookClient(deepcopy(notebook), store_widget_state=True, record_timing=False)
        self.client.reset_execution_trackers()
        self.client.clear_before_next_output = False  # nbclient sets it where a cell begins
        self.cells = [cell for cell in self.client.nb.cells if cell.cell_type == "code"]
        for cell in self.cells:
            cell.outputs = []
        self.now = 0
        self.passed: set[int] = set()

    def hear(self, message: Any) -> Any:
        """A message of the kernel's, which goes on to nbval."""
        with suppress(CellExecutionComplete):
            cell = self.cells[self.now]
            self.client.process_message(message, cell, self.client.nb.cells.index(cell))
        return message

    def keep(self, solution: Path) -> None:
        """Write it to where the site looks for runs."""
        from qkvlib.tools.site import run  # here: conftest checks shapes in what is imported after it

        for cell in self.cells:
            cell.outputs = coalesce_streams(cell.outputs)
        self.client.set_widgets_metadata()
        run.keep(self.client.nb, run.kept_at(solution, RUNS))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """A solution whose every cell passed is a run."""
    if not isinstance(item, IPyNbCell) or item.path.parent != ROOT / "solutions":
        return (yield)
    gathered = _of(item.parent)
    gathered.now = item.cell_num
    yield
    gathered.passed.add(item.cell_num)
    if len(gathered.passed) == len(gathered.cells):
        gathered.keep(item.path)
    return None


def _of(file: IPyNbFile) -> Run:
    """The run that this file's cells are part of, from the first cell on."""
    if not hasattr(file, "run_to_keep"):
        file.run_to_keep = Run(file.nb)
        read = file.get_kernel_message
        file.get_kernel_message = lambda *given, **named: file.run_to_keep.hear(read(*given, **named))
    return file.run_to_keep
