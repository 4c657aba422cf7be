"""A solved chapter, run, with what each widget was left with.

The saved notebooks hold no widget's state, and lessons hold nothing that a prediction asks for. So
a page takes both from a run. All chapters take minutes, so runs are kept, each under what it is
made of: the notebook, and the package but for the office, which no lesson's number comes from.
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
    """The notebook with outputs and widgets, from the folder of `kept` runs where it is there."""
    path = kept_at(solution, kept)
    if not path.exists():
        notebook = nbformat.read(solution, as_version=4)
        build.run(notebook, solution.parent.parent / "lessons", with_widgets=True)
        keep(notebook, path)
    return nbformat.read(path, as_version=4)


def kept_at(solution: Path, kept: Path) -> Path:
    """Where the run of a solution as it stands is kept."""
    key = hashlib.sha256(_package() + solution.read_bytes()).hexdigest()[:16]
    return kept / f"{solution.stem}-{key}.ipynb"


def keep(ran: NotebookNode, path: Path) -> None:
    """Write a run to where `kept_at` looks for it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, nbformat.writes(ran))


@cache
def _package() -> bytes:
    """A digest of all Python that a lesson can call, and of the glossary it shows."""
    digest = hashlib.sha256()
    for path in sorted([*_PACKAGE.rglob("*.py"), *_PACKAGE.rglob("glossary.md")]):
        if path.relative_to(_PACKAGE).parts[0] not in _OFFICE:
            digest.update(path.read_bytes())
    return digest.digest()
