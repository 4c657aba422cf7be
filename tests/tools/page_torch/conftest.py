"""One Pyodide for all tests of a session, with the page's torch in it."""

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
    """Pyodide, which is asked what programs give."""
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
    """What each of these programs gives in the page, and what it gives under torch."""
    return asking(page)


def asking(page: Node) -> Runs:
    """Asks this page, and torch."""
    here: dict[str, Any] = {}
    exec((HERE / "programs.py").read_text(encoding="utf-8"), here)

    def run(programs: Sequence[str]) -> list[tuple[Any, Any]]:
        found = page.ask(list(programs))
        wanted = json.loads(here["outcomes"](json.dumps(list(programs))))
        return list(zip(found, wanted, strict=True))

    return run
