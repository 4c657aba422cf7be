"""Test the architecture: two parts, imports that point down, no import cycle, a cheap import."""

from __future__ import annotations

import ast
import subprocess
import sys
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "qkvlib"

# The mathematics: only these files are directly in `qkvlib/`.
OPEN_FILES = (
    *("attention", "masks", "positions", "multi_head"),
    *("sampling", "cached", "gradients", "shapes"),
)

# From the bottom up: a module may import from its own layer and from the layers below it.
FLOORS = (
    (*OPEN_FILES, "data", "models", "tasks", "training", "calling", "learner"),
    ("figures", "widgets"),
    ("exercises", "checking", "course"),
    ("app",),
    # The second part: whatever makes, grades and publishes the course.
    ("tools/page_torch",),
    ("tools/authoring", "tools/grading"),
    ("tools/site",),
    ("tools/cli",),
)
FLOOR_OF = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}

# Python that a page loads under other names, and that imports nothing of the course.
STAND_INS = PACKAGE / "tools/site/in_page/stand_ins"


def name_of(path: Path) -> str:
    """Return a file's dotted name; for a package, its folder's."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {
    name_of(path): path for path in sorted(PACKAGE.rglob("*.py")) if not path.is_relative_to(STAND_INS)
}


def room(module: str) -> str:
    """Return the file or folder that contains a module: `figures`, or `tools/grading`."""
    parts = module.split(".")[1:]
    return "/".join(parts[:2] if parts[:1] == ["tools"] else parts[:1])


@cache
def imported(module: str) -> set[str]:
    """Return the modules of the course that a module imports, anywhere in its file."""
    path = MODULES[module]
    above = [*module.split("."), ""] if path.name == "__init__.py" else module.split(".")
    found = set()
    for node in statements(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names if name.name in MODULES}
        elif isinstance(node, ast.ImportFrom):
            start = above[: -node.level] if node.level else []
            home = ".".join([*start, *(node.module or "").split(".")]).rstrip(".")
            for name in node.names:
                inner = f"{home}.{name.name}"
                found |= {inner} if inner in MODULES else {home} & MODULES.keys()
    return found - {module}


def statements(tree: ast.AST) -> list[ast.AST]:
    """Return all code that runs: imports that serve only the type checker are left out."""
    found = [tree]
    for node in ast.iter_child_nodes(tree):
        if not (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"):
            found += statements(node)
    return found


def circle(modules: dict[str, set[str]]) -> list[str]:
    """Return the modules of an import cycle, in order, if there is one."""
    try:
        TopologicalSorter(modules).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_the_files_that_lie_open_are_the_mathematics() -> None:
    assert {path.stem for path in PACKAGE.glob("*.py")} == {"__init__", *OPEN_FILES}


def test_every_room_has_a_floor_and_every_floor_its_rooms() -> None:
    rooms = {room(module) for module in MODULES} - {"", "tools"}
    assert rooms == FLOOR_OF.keys(), "enter the folder in FLOORS, in this test"


@pytest.mark.parametrize("module", sorted(MODULES.keys() - {"qkvlib", "qkvlib.tools"}))
def test_imports_point_down(module: str) -> None:
    for other in imported(module) - {"qkvlib", "qkvlib.tools"}:
        assert FLOOR_OF[room(other)] <= FLOOR_OF[room(module)], f"{module} stands below {other}"


def test_nothing_outside_the_tools_imports_them() -> None:
    outside = [module for module in MODULES if not module.startswith("qkvlib.tools")]
    assert len(outside) > 100
    for module in outside:
        tools = {other for other in imported(module) if other.startswith("qkvlib.tools")}
        assert not tools, f"{module} imports {tools}"


def test_the_torch_of_a_page_imports_nothing_of_the_course() -> None:
    layer = [module for module in MODULES if module.startswith("qkvlib.tools.page_torch")]
    assert len(layer) > 20
    for module in layer:
        others = {one for one in imported(module) if not one.startswith("qkvlib.tools.page_torch")}
        assert not others, f"{module} imports {others}"


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert not circle({module: imported(module) for module in MODULES})


def test_a_circle_is_found_also_where_a_function_imports() -> None:
    tree = ast.parse("def f():\n    from qkvlib import masks\nif TYPE_CHECKING:\n    import torch")
    assert [type(node) for node in statements(tree)].count(ast.ImportFrom) == 1
    assert not [node for node in statements(tree) if isinstance(node, ast.Import)]
    assert circle({"a": {"b"}, "b": {"a"}}) in (["a", "b", "a"], ["b", "a", "b"])


def test_importing_loads_nothing_heavy() -> None:
    code = "import sys, qkvlib; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"torch", "plotly", "anywidget", "numpy"} & set(loaded.stdout.split())
