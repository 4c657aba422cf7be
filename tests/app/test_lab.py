"""`qkv lab` trusts the lessons that it opens, and no others."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbformat.sign import NotebookNotary

from qkvlib.app.lab import trust


def written(path: Path, html: str) -> Path:
    """A notebook that shows something, as a saved widget does."""
    shown = nbformat.v4.new_output("display_data", {"text/html": html})
    cell = nbformat.v4.new_code_cell("1", outputs=[shown])
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), path)
    return path


def trusted(path: Path) -> bool:
    return bool(NotebookNotary().check_signature(nbformat.read(path, as_version=4)))


def test_a_lesson_that_is_opened_is_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "data"))
    lesson = written(tmp_path / "01_one.ipynb", "<b>one</b>")
    other = written(tmp_path / "other.ipynb", "<b>other</b>")
    assert not trusted(lesson)
    trust([lesson])
    assert trusted(lesson)
    assert not trusted(other)
