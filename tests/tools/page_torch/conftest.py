"""Share one Pyodide, with the page's torch in it, between all tests of a session."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from qkvlib.tools.site.in_page.pack import torch_files
from tests.node import Node

HERE = Path(__file__).parent
LAYER = HERE.parents[2] / "qkvlib" / "tools" / "page_torch"

Runs = Callable[[Sequence[str]], list[tuple[Any, Any]]]


@contextmanager
def opened() -> Iterator[Node]:
    """Start Pyodide, which runs programs and returns their results."""
    script, programs = HERE / "in_pyodide.mjs", HERE / "programs.py"
    with tempfile.TemporaryDirectory() as folder:
        for name, text in torch_files().items():
            place = Path(folder, name)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
        with Node(script, f"{folder}/torch", str(programs)) as node:
            yield node


@pytest.fixture(scope="session")
def page() -> Iterator[Node]:
    with opened() as node:
        yield node


@pytest.fixture(scope="session")
def both(page: Node) -> Runs:
    """Return the function that runs programs in the page and under torch."""
    return asking(page)


def asking(page: Node) -> Runs:
    """Return a function that runs programs in this page and under torch."""
    here: dict[str, Any] = {}
    exec((HERE / "programs.py").read_text(encoding="utf-8"), here)

    def run(programs: Sequence[str]) -> list[tuple[Any, Any]]:
        found = page.ask(list(programs))
        wanted = json.loads(here["outcomes"](json.dumps(list(programs))))
        return list(zip(found, wanted, strict=True))

    return run
