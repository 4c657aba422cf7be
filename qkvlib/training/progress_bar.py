"""How far training is, for whoever waits for it."""

from __future__ import annotations

import os
import sys
import time
from dataclasses import dataclass, field

from torch import Tensor
from tqdm import tqdm

_PATIENCE = 2.0  # seconds


@dataclass
class _Cell:
    """A cell of a notebook that trains, once or many times."""

    number: int | None
    began: float = field(default_factory=time.monotonic)
    runs: int = 0


_cell = _Cell(None)


def progress_bar(steps: int) -> tqdm:
    """A progress bar once a cell has trained for two seconds, where somebody may be watching.

    A cell may train twenty models, each too quickly for a bar of its own. So the two seconds are
    counted from the cell's first run, and the later runs are numbered.

    In JupyterLab what stderr says leaves a pink band behind, even when it is wiped out again.
    """
    notebook = "JPY_SESSION_NAME" in os.environ  # JupyterLab sets it; nbval and nbclient do not
    file = sys.stdout if notebook else sys.stderr
    cell = _cell_that_runs()
    cell.runs += 1
    return tqdm(
        range(steps),
        desc=f"run {cell.runs}" if cell.runs > 1 else None,
        delay=max(0.0, cell.began + _PATIENCE - time.monotonic()),
        disable=not (notebook or file.isatty()),
        file=file,
        leave=False,
        unit=" steps",
    )


def tell(bar: tqdm, loss: Tensor) -> None:
    """Have the bar say this loss when it is drawn next."""
    if not bar.disable:
        bar.set_postfix_str(f"loss {loss.detach():.3f}", refresh=False)


def _cell_that_runs() -> _Cell:
    """The cell that trains now; outside of a notebook each run is one of its own."""
    global _cell
    number = _number()
    if number is None or number != _cell.number:
        _cell = _Cell(number)
    return _cell


def _number() -> int | None:
    """What stands in the brackets beside the cell that runs."""
    if "IPython" not in sys.modules:
        return None
    shell = sys.modules["IPython"].get_ipython()
    return shell.execution_count if shell else None
