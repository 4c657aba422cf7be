"""Test that a page's Python gets everything that a check needs, nothing else, and all compiled."""

from __future__ import annotations

import ast
import io
import sys
import zipfile
from pathlib import Path

import pytest

from qkvlib.exercises import EXERCISES
from qkvlib.tools.site.in_page.files import _PYODIDE, compiled
from qkvlib.tools.site.in_page.pack import archive

ROOT = Path(__file__).parents[4]
_PARTS = {"torch", "qkvlib", "safetensors", "jaxtyping.py", "numpy.py"}


@pytest.fixture(scope="module")
def packed() -> bytes:
    return archive(ROOT / "lessons")


def _names(content: bytes) -> set[str]:
    return set(zipfile.ZipFile(io.BytesIO(content)).namelist())


@pytest.mark.whole
def test_the_same_course_is_packed_into_the_same_bytes(packed: bytes) -> None:
    assert archive(ROOT / "lessons") == packed
    dates = {each.date_time for each in zipfile.ZipFile(io.BytesIO(packed)).infolist()}
    assert len(dates) == 1
    assert dates < {(year, 1, 1, 0, 0, 0) for year in range(1980, 2025)}, "it is the hour's own"


def test_who_judges_and_every_exercise_are_packed_and_no_other_room(packed: bytes) -> None:
    names = _names(packed)
    assert {"qkvlib/tools/site/in_page/door.py", "qkvlib/tools/site/in_page/lessons.json"} <= names
    assert {"qkvlib/checking/verdicts.py", "qkvlib/checking/probes.py"} <= names
    homes = {exercise.__module__ for exercise in (each.reference for each in EXERCISES.values())}
    assert {f"{home.replace('.', '/')}.py" for home in homes} <= names
    assert {name.split("/")[0] for name in names} == _PARTS
    for room in ("tools/grading", "tools/authoring", "widgets", "app"):
        assert not [name for name in names if name.startswith(f"qkvlib/{room}/")], room


def test_what_is_packed_imports_nothing_that_a_page_has_not(packed: bytes) -> None:
    archived = zipfile.ZipFile(io.BytesIO(packed))
    there = {name.removesuffix(".py") for name in _PARTS} | sys.stdlib_module_names
    for name in _names(packed):
        if not name.startswith("qkvlib/") or not name.endswith(".py"):
            continue
        for node in ast.parse(archived.read(name)).body:
            if isinstance(node, ast.Import):
                assert {each.name.split(".")[0] for each in node.names} <= there, name
            elif isinstance(node, ast.ImportFrom):
                assert (node.module or "").split(".")[0] in there, name


@pytest.mark.whole
def test_all_of_the_course_and_the_loaded_part_of_the_library_is_compiled(packed: bytes) -> None:
    library = (_PYODIDE / "python_stdlib.zip").read_bytes()
    course, more = compiled(packed, library).values()
    assert _names(course) == {f"{n}c" if n.endswith(".py") else n for n in _names(packed)}
    as_text = {name.removesuffix("c") if name.endswith(".pyc") else name for name in _names(more)}
    assert as_text == _names(library)
    assert {"dataclasses.pyc", "json/decoder.pyc", "statistics.pyc", "argparse.py"} <= _names(more)
    code = zipfile.ZipFile(io.BytesIO(course)).read("qkvlib/checking/verdicts.pyc")
    assert code[4] == 1, "Python would look for the text, and for whether it has changed"
    assert b"/course.zip/qkvlib/checking/verdicts.py" in code
