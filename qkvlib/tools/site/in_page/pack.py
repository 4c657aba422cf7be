"""Pack the part of the course that a page's Python needs into an archive from which it imports.

There is no list of files: the starting modules are named, and their imports are followed. A package that only
re-exports names is packed with those names that are used.
"""

from __future__ import annotations

import ast
import io
import json
import sys
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from qkvlib.tools.site.in_page.lessons import before_each
from qkvlib.tools.site.in_page.torch_names import torch_names

_PACKAGE = Path(__file__).parents[3]
_STAND_INS = Path(__file__).with_name("stand_ins")
_LAYER = _PACKAGE / "tools" / "page_torch"
_DOOR = "qkvlib.tools.site.in_page.door"
_MADE_WITH_THE_BANK = "qkvlib.exercises"
_A_DAY = (2020, 1, 1, 0, 0, 0)  # the same contents give the same bytes, and so the same address


def archive(lessons: Path) -> bytes:
    """Return the course's part, the page's torch and the stand-ins, as files for the top of the path."""
    files = dict(_course(lessons)) | torch_files() | dict(_files(_STAND_INS, ""))
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name in sorted(files):
            zipped.writestr(zipfile.ZipInfo(name, _A_DAY), files[name], zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def torch_files() -> dict[str, str]:
    """Return the page's torch, with the names that torch has, so that it can say which of them it lacks."""
    return dict(_files(_LAYER, "torch/")) | {"torch/names.json": torch_names()}


def _files(folder: Path, under: str) -> Iterator[tuple[str, str]]:
    for path in sorted(folder.rglob("*.py")):
        yield under + path.relative_to(folder).as_posix(), path.read_text(encoding="utf-8")


def _course(lessons: Path) -> Iterator[tuple[str, str]]:
    before = before_each(lessons)
    asked = _followed([_DOOR, *_bank(), *_imported("\n".join(before.values()))])
    for module, names in sorted(asked.items()):
        path = _path(module)
        text = path.read_text(encoding="utf-8")
        if path.name == "__init__.py" and _only_gathers(ast.parse(text)):
            text = _gathering(ast.parse(text), names)
        yield path.relative_to(_PACKAGE.parent).as_posix(), text
    yield "qkvlib/tools/site/in_page/lessons.json", json.dumps(before)


def _bank() -> Iterator[str]:
    """Return every file of the bank, which finds its exercises by listing its folders."""
    folder = _PACKAGE / "exercises"
    for path in sorted(folder.glob("chapter_*/*.py")):
        name = path.parent if path.name == "__init__.py" else path.with_suffix("")
        yield ".".join([_MADE_WITH_THE_BANK, *name.relative_to(folder).parts])


def _followed(roots: list[str]) -> Mapping[str, set[str]]:
    """Return each module that these import, directly or indirectly, with the names that are imported from
    it."""
    asked: dict[str, set[str]] = {}
    waiting = [(root, "") for root in roots]
    while waiting:
        module, name = waiting.pop()
        if name and _is_module(f"{module}.{name}"):
            waiting.append((f"{module}.{name}", ""))
        if name in asked.get(module, ()):
            continue
        new = module not in asked
        asked.setdefault(module, set()).add(name)
        waiting += [(parent, "") for parent in _parents(module)]
        path = _path(module)
        tree = ast.parse(path.read_text(encoding="utf-8"))
        if path.name == "__init__.py" and _only_gathers(tree):
            waiting += [(home, name) for home, given in _gathered(tree) if given == name]
        elif new:
            waiting += _asks(tree)
    return asked


def _imported(text: str) -> Iterator[str]:
    for module, name in _asks(ast.parse(text)):
        yield f"{module}.{name}" if _is_module(f"{module}.{name}") else module


def _asks(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Return the course's modules that a file imports, and the names that it takes from each."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((each.name, "") for each in node.names if _is_module(each.name))
        elif isinstance(node, ast.ImportFrom) and node.module and _is_module(node.module):
            yield from ((node.module, each.name) for each in node.names)


def _gathered(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from ((node.module, each.name) for each in node.names)


def _gathering(tree: ast.Module, names: set[str]) -> str:
    lines = [f'"""{ast.get_docstring(tree)}"""']
    lines += [f"from {home} import {name}" for home, name in _gathered(tree) if name in names]
    return "\n".join(lines) + "\n"


def _only_gathers(tree: ast.Module) -> bool:
    """Tell whether a package's own file has only a docstring, imports and a list of names."""
    return all(
        isinstance(node, ast.ImportFrom)
        or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        or (isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__")
        for node in tree.body
    )


def _parents(module: str) -> list[str]:
    parts = module.split(".")
    return [".".join(parts[:end]) for end in range(1, len(parts))]


def _is_module(name: str) -> bool:
    return name.split(".")[0] == _PACKAGE.name and _path(name).exists()


def _path(module: str) -> Path:
    place = _PACKAGE.parent.joinpath(*module.split("."))
    return place / "__init__.py" if place.is_dir() else place.with_suffix(".py")


if __name__ == "__main__":
    sys.stdout.buffer.write(archive(Path(sys.argv[1])))
