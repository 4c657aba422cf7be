"""Test that the page's torch imports in one direction, and nothing of the course."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.tools.page_torch.conftest import LAYER

FILES = sorted(LAYER.rglob("*.py"))
OF_THE_PAGE = "qkv_tensors"  # JavaScript's loops, imported at the first call


def imported(file: Path, tree: ast.Module) -> Iterator[Path]:
    """Yield the files that a file imports, anywhere in it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            home = file.parents[node.level - 1].joinpath(*(node.module or "").split("."))
            for name in [home, *(home / each.name for each in node.names)]:
                found = name / "__init__.py" if name.is_dir() else name.with_suffix(".py")
                own_folder = found.name == "__init__.py" and found.parent in file.parents
                if found.exists() and found != file and not own_folder:
                    yield found


def needs(file: Path) -> set[Path]:
    return set(imported(file, ast.parse(file.read_text(encoding="utf-8"))))


def test_no_files_import_each_other_in_a_circle() -> None:
    assert len(FILES) > 20
    TopologicalSorter({file: needs(file) for file in FILES}).prepare()  # raises, and names the cycle


def test_an_import_within_a_function_counts() -> None:
    one, other = LAYER / "tensor.py", LAYER / "making.py"
    late = ast.parse("def f():\n    from .making import tensor\n    from . import making")
    assert set(imported(one, late)) == {other}
    with pytest.raises(CycleError):
        TopologicalSorter({one: set(imported(one, late)), other: needs(other)}).prepare()


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(LAYER)))
def test_a_file_imports_python_and_its_neighbours_at_its_top(file: Path) -> None:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            modules = [n.name for n in node.names] if isinstance(node, ast.Import) else [node.module]
            assert not any((name or "").startswith("qkvlib") for name in modules)
            assert node in tree.body or modules == [OF_THE_PAGE]
