"""Test that the grader's folders import in one direction, and the sandbox's code nothing of the course."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from qkvlib.tools import grading

GRADING = Path(grading.__file__).resolve().parent
CHILD = GRADING / "sandbox" / "child"

# What a folder may import from its neighbours; all may import the files directly beside the folders.
MAY_IMPORT = {
    "queue": {"inbox", "judge", "sandbox"},
    "judge": {"inbox", "sandbox"},
    "inbox": {"sandbox"},
    "sandbox": set(),
    "publish": set(),
}


def imported(path: Path) -> set[str]:
    """Return the modules that a file imports, anywhere in it; "up" for one from the folder above."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            module = "up" if node.level > 1 else node.module or "child"
            found |= {module, *(f"{module}.{name.name}" for name in node.names)}
    return found


def neighbours(path: Path) -> set[str]:
    start = "qkvlib.tools.grading."
    names = {name[len(start) :].split(".")[0] for name in imported(path) if name.startswith(start)}
    return names & MAY_IMPORT.keys()


@pytest.mark.parametrize("folder", MAY_IMPORT)
def test_folders_import_one_way(folder: str) -> None:
    for path in (GRADING / folder).rglob("*.py"):
        assert neighbours(path) <= MAY_IMPORT[folder] | {folder}, path


def test_every_folder_has_its_place() -> None:
    folders = {path.parent.name for path in GRADING.glob("*/__init__.py")}
    assert folders == set(MAY_IMPORT)


@pytest.mark.parametrize("path", sorted(CHILD.glob("*.py")), ids=lambda path: path.name)
def test_the_child_imports_nothing_of_the_course(path: Path) -> None:
    assert not {name.split(".")[0] for name in imported(path)} & {"qkvlib", "up"}
