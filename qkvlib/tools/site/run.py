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
    source = solution.read_bytes()
    key = hashlib.sha256(_package() + source).hexdigest()[:16]
    path = kept / f"{solution.stem}-{key}.ipynb"
    if not path.exists():
        notebook = nbformat.reads(source.decode(), as_version=4)
        build.run(notebook, solution.parent.parent / "lessons", with_widgets=True)
        kept.mkdir(parents=True, exist_ok=True)
        write_atomically(path, nbformat.writes(notebook))
    return nbformat.read(path, as_version=4)


@cache
def _package() -> bytes:
    """A digest of all Python that a lesson can call, and of the glossary it shows."""
    digest = hashlib.sha256()
    for path in sorted([*_PACKAGE.rglob("*.py"), *_PACKAGE.rglob("glossary.md")]):
        if path.relative_to(_PACKAGE).parts[0] not in _OFFICE:
            digest.update(path.read_bytes())
    return digest.digest()
