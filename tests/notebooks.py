"""A plugin: run every notebook as a new learner with no progress.

A kernel that dies at its start is started a second time: its ports are chosen before it listens, and
with several tests at once another program can take one meanwhile. Kernels are forked (kernels.py),
and runs are shared (shared_runs.py). plotly's output is not compared, because its numbers have digits
in which processors differ. The text next to it is compared, as agreement.py describes.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from functools import lru_cache
from typing import Any
from unittest import mock

import pytest
from nbval import kernel
from nbval.plugin import IPyNbCell, IPyNbFile

from qkvlib.figures.plot import MIME
from tests import kernels
from tests.agreement import Trained, has_trained
from tests.shared_runs import ROOM, for_kernels

if ROOM not in os.environ:  # the processes that xdist starts inherit it, and so do their kernels
    os.environ[ROOM] = tempfile.mkdtemp(prefix="notebooks-")
_start = kernel.start_new_kernel
kernels.are_forked()


def pytest_collectstart(collector: pytest.Collector) -> None:
    """Stop nbval from comparing plotly's output, by the list that nbval provides for this."""
    if isinstance(collector, IPyNbFile):
        collector.skip_compare += (MIME,)


def compared(cell: IPyNbCell, output: Any) -> Any:
    """Return what nbval should compare instead of an output, saved or shown."""
    code = [other.source for other in cell.parent.nb.cells if other.cell_type == "code"]
    trained = isinstance(output, str) and has_trained(code[: cell.cell_num + 1])
    return Trained(output) if trained else output


IPyNbCell.sanitize = compared


@lru_cache
def home_of(notebook: str) -> str:
    """Return the folder for the progress made in this notebook."""
    return tempfile.mkdtemp(dir=os.environ[ROOM])


def start_patiently(*given: Any, **named: Any) -> Any:
    """Start a kernel, and start it again if it died before it answered."""
    try:
        return _start(*given, **named)
    except RuntimeError:
        return _start(*given, **named)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    """Start a notebook's kernel with its first cell, so that it inherits the folder."""
    if item.path.suffix != ".ipynb":  # a fixture's own changes must outlive the set-up
        return (yield)
    learner = {"QKVLIB_HOME": home_of(str(item.path)), **for_kernels()}
    with mock.patch.dict(os.environ, learner), mock.patch.object(kernel, "start_new_kernel", start_patiently):
        return (yield)
