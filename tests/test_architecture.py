"""The house keeps its plan: imports point down its floors, in no circle, and importing is cheap."""

from __future__ import annotations

import ast
import subprocess
import sys
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "qkvlib"

# The files that lie open in `qkvlib/` are the mathematics, and they and their folders are the
# ground. From there up: a module may import from its own floor and from those below it.
FLOORS = {
    "the mathematics": ("calling", "data", "learner", "models", "tasks", "training"),
    "seeing": ("figures", "widgets"),
    "teaching": ("exercises", "checking", "course"),
    "the instructor's office": ("grading", "authoring", "site", "app"),
}
FLOOR_OF = {room: i for i, rooms in enumerate(FLOORS.values()) for room in rooms}
OPEN_FILES = {path.stem for path in PACKAGE.glob("*.py")}


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def room(module: Path) -> str:
    """The file or folder of the package that a module belongs to."""
    return module.relative_to(PACKAGE).parts[0].removesuffix(".py")


def floor(name: str) -> int:
    assert name in OPEN_FILES or name in FLOOR_OF, f"give the folder {name!r} a floor in this test"
    return FLOOR_OF.get(name, 0)


@cache
def imported(module: Path) -> set[str]:
    """The rooms of this package that a module imports, wherever in it the import stands."""
    rooms = set()
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "qkvlib":
            rooms |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("qkvlib."):
            rooms.add((node.module or "").split(".")[1])
        elif isinstance(node, ast.Import):
            rooms |= {n.name.split(".")[1] for n in node.names if n.name.startswith("qkvlib.")}
    return rooms


@pytest.mark.parametrize("module", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_down(module: Path) -> None:
    own = room(module)
    for other in imported(module):
        assert floor(other) <= floor(own), f"{own} stands below {other}"


def test_every_folder_has_a_floor_and_every_floor_its_folders() -> None:
    folders = {path.parent.relative_to(PACKAGE).parts[0] for path in PACKAGE.glob("*/**/*.py")}
    assert folders == set(FLOOR_OF)


def test_no_rooms_import_each_other_in_a_circle() -> None:
    needs: dict[str, set[str]] = {}
    for module in modules():
        needs.setdefault(room(module), set()).update(imported(module) - {room(module)})
    TopologicalSorter(needs).prepare()  # raises, and names the circle


@pytest.mark.parametrize(
    "module",
    [
        "qkvlib",
        "qkvlib.app.page",
        "qkvlib.grading.queue.grade_class",
        "qkvlib.grading.publish.write_all",
    ],
)
def test_importing_loads_nothing_heavy(module: str) -> None:
    """For a learner, for JupyterLab's list of exports, for who hands a class out to its judges."""
    code = f"import sys, {module}; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert not {"torch", "plotly", "anywidget", "numpy"} & set(loaded.stdout.split())
