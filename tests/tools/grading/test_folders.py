"""Test that the grader's folders import in one direction, and the sandbox's code nothing of the course."""

from __future__ import annotations

import pytest

from tests.test_architecture import MODULES, PACKAGE, imported

GRADING = "qkvlib.tools.grading."
CHILD = f"{GRADING}sandbox.child"

# What a folder may import from its neighbours; all may import the files directly beside the folders.
MAY_IMPORT = {
    "queue": {"inbox", "judge", "sandbox"},
    "judge": {"inbox", "sandbox"},
    "inbox": {"sandbox"},
    "sandbox": set(),
    "publish": set(),
}


def folder_of(module: str) -> str:
    return module.removeprefix(GRADING).split(".")[0]


@pytest.mark.parametrize("folder", MAY_IMPORT)
def test_folders_import_one_way(folder: str) -> None:
    for module in MODULES:
        if module.startswith(f"{GRADING}{folder}"):
            neighbours = {folder_of(name) for name in imported(module)} & MAY_IMPORT.keys()
            assert neighbours <= MAY_IMPORT[folder] | {folder}, module


def test_every_folder_has_its_place() -> None:
    folders = {path.parent.name for path in (PACKAGE / "tools/grading").glob("*/__init__.py")}
    assert folders == set(MAY_IMPORT)


def test_the_child_imports_nothing_of_the_course() -> None:
    child = [module for module in MODULES if module.startswith(CHILD)]
    assert child
    for module in child:
        assert all(name.startswith(CHILD) for name in imported(module)), module
