"""Test that the page's torch imports its neighbours and Python's library, at the top of a file."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.tools.page_torch.conftest import LAYER

FILES = sorted(LAYER.rglob("*.py"))
OF_THE_PAGE = "qkv_tensors"  # JavaScript's loops, imported at the first call


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(LAYER)))
def test_a_file_imports_python_and_its_neighbours_at_its_top(file: Path) -> None:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            modules = [n.name for n in node.names] if isinstance(node, ast.Import) else [node.module]
            assert not any((name or "").startswith("qkvlib") for name in modules)
            assert node in tree.body or modules == [OF_THE_PAGE]
