"""Run a solved chapter, and collect the final state of each widget.

Saved notebooks do not contain the widgets' states, and lessons do not contain what a prediction hides. So a
page takes both from a run. Running all chapters takes minutes, so runs are kept under a hash of the notebook
and of the package, without `qkvlib/tools`, which no lesson's numbers depend on.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from qkvlib.learner.files import write_atomically
from qkvlib.tools.authoring import build

_PACKAGE = Path(__file__).parents[2]
_OFFICE = {"tools", "app"}


def run(solution: Path, kept: Path) -> NotebookNode:
    """Return the notebook with outputs and widgets, from the folder of `kept` runs if it is there."""
    path = kept_at(solution, kept)
    if not path.exists():
        notebook = nbformat.read(solution, as_version=4)
        build.run(notebook, solution.parent.parent / "lessons", with_widgets=True)
        keep(notebook, path)
    return nbformat.read(path, as_version=4)


def kept_at(solution: Path, kept: Path) -> Path:
    """Return where the run of the present solution is kept."""
    key = hashlib.sha256(_package() + solution.read_bytes()).hexdigest()[:16]
    return kept / f"{solution.stem}-{key}.ipynb"


def keep(ran: NotebookNode, path: Path) -> None:
    """Write a run where `kept_at` looks for it."""
    write_atomically(path, nbformat.writes(ran))


@cache
def _package() -> bytes:
    """Return a digest of all Python code that a lesson can call, and of the glossary that it shows."""
    digest = hashlib.sha256()
    for path in sorted([*_PACKAGE.rglob("*.py"), *_PACKAGE.rglob("glossary.md")]):
        if path.relative_to(_PACKAGE).parts[0] not in _OFFICE:
            digest.update(path.read_bytes())
    return digest.digest()
