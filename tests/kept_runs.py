"""A plugin that keeps what nbval sees of a solution as a run, so that the site's tests need no other.

A page is built from a solution's outputs and the final state of its widgets. nbval runs every
solution and compares its outputs; the messages that it reads also contain the widgets' state.
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
    """The outputs and widgets of a notebook, collected message by message."""

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
        """Read a message of the kernel, and pass it on to nbval."""
        with suppress(CellExecutionComplete):
            cell = self.cells[self.now]
            self.client.process_message(message, cell, self.client.nb.cells.index(cell))
        return message

    def keep(self, solution: Path) -> None:
        """Write the run to the folder where the site looks for it."""
        from qkvlib.tools.site import run  # imported here because conftest checks shapes in later imports

        for cell in self.cells:
            cell.outputs = coalesce_streams(cell.outputs)
        self.client.set_widgets_metadata()
        run.keep(self.client.nb, run.kept_at(solution, RUNS))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Keep a run if every cell of the solution passed."""
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
    """Return the run of this file's cells, which begins with the first cell."""
    if not hasattr(file, "run_to_keep"):
        file.run_to_keep = Run(file.nb)
        read = file.get_kernel_message
        file.get_kernel_message = lambda *given, **named: file.run_to_keep.hear(read(*given, **named))
    return file.run_to_keep
