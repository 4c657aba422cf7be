"""Test that `qkv grade` gives the same verdicts where Gradescope runs them.

Gradescope: "Autograder Specifications", sections "File hierarchy" and "Output format": the zip has
setup.sh and run_autograder at its root, is unpacked to /autograder/source, finds the submission in
/autograder/submission and writes /autograder/results/results.json.
"""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from qkvlib.exercises import EXERCISES
from qkvlib.tools import cli
from qkvlib.tools.grading import autograder as qkv_autograder
from qkvlib.tools.grading.autograder import judged
from qkvlib.tools.grading.publish import platforms
from qkvlib.tools.grading.queue.pool import WallsMissingError
from qkvlib.tools.grading.sandbox.child.walls import WallPlan
from qkvlib.tools.grading.settings import Settings
from tests.tools.grading.classroom import IMPORTS, RIGHT, hand_in

POSSIBLE = sum(one.points for one in EXERCISES.values() if one.chapter == 1)
FORMATS = {"text", "html", "simple_format", "md", "ansi"}
VISIBILITIES = {"hidden", "after_due_date", "after_published", "visible"}
# The keys that we write, of those that the page permits: each with its type, or with the values that
# the page names.
RESULT = {
    "score": (int, float),
    "output": str,
    "output_format": FORMATS,
    "stdout_visibility": VISIBILITIES,
    "tests": list,
}
TEST = {
    "name": str,
    "score": (int, float),
    "max_score": (int, float),
    "status": {"passed", "failed"},
    "output": str,
    "output_format": FORMATS,
    "visibility": VISIBILITIES,
}
AVERAGED = [IMPORTS, "def dot(a, b):\n    return (a * b).mean()", *list(RIGHT.values())[1:]]


def held_to_gradescope(found: dict[str, Any]) -> None:
    """Fail if this is not what "Autograder Specifications" describes."""
    for what, promised in ((found, RESULT), *((one, TEST) for one in found["tests"])):
        for name, value in what.items():
            kind = promised[name]
            assert value in kind if isinstance(kind, set) else isinstance(value, kind), (name, value)


def autograder(root: Path) -> None:
    """Lay out an imitated /autograder: the unpacked zip, and the folders that Gradescope makes."""
    assert (
        cli.main(["export", "--gradescope", str(root / "a.zip"), "--exercises", "1", "--out", str(root)]) == 0
    )
    with zipfile.ZipFile(root / "a.zip") as archive:
        archive.extractall(root / "source")
    for name in ("submission", "results"):
        (root / name).mkdir()


def run(root: Path) -> subprocess.CompletedProcess[str]:
    """Run the script as Gradescope does, from the place to which Gradescope copies it."""
    environment = os.environ | {
        "AUTOGRADER_ROOT": str(root),
        "AUTOGRADER_PYTHON": sys.executable,
        "PYTHONPATH": "",
    }
    return subprocess.run(
        ["bash", root / "source" / "run_autograder"],
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_gradescopes_autograder_gives_the_same_verdicts(tmp_path: Path) -> None:
    (tmp_path / "plan.csv").write_text("what,points\nnearest,7\n")
    autograder(tmp_path)
    hand_in(tmp_path / "submission" / "01_similarity.ipynb", AVERAGED)
    (tmp_path / "submission" / "readme.txt").write_text("x")
    done = run(tmp_path)
    assert done.returncode == 0, done.stderr
    found = json.loads((tmp_path / "results" / "results.json").read_text())
    held_to_gradescope(found)
    dot, nearest = (one for one in found["tests"] if one["name"] in ("dot", "nearest"))
    assert (dot["status"], dot["score"]) == ("failed", 0)
    assert dot["output"].startswith("You average the products.")
    assert (nearest["status"], nearest["score"], nearest["max_score"]) == ("passed", 7, 7)
    assert found["score"] == sum(one["score"] for one in found["tests"])  # Gradescope handles lateness
    with (tmp_path / "source" / "qkvlib" / "attention.py").open("a") as file:
        file.write("raise SystemExit('this is the copy that runs')\n")
    (tmp_path / "results" / "results.json").unlink()
    assert run(tmp_path).returncode != 0


def test_what_a_submission_writes_into_the_tables_comes_too_late(tmp_path: Path) -> None:
    """If a wall is missing, its code can reach the tables, but they have been read by then."""
    autograder(tmp_path)
    hand_in(tmp_path / "submission" / "01_similarity.ipynb", AVERAGED)

    def judging(*given: Any) -> Any:
        (tmp_path / "source" / "plan.csv").write_text("what,points\nnearest,1000\n")
        return judged(*given)

    with mock.patch.multiple(qkv_autograder, judged=judging, hide_from_others=lambda: None):
        qkv_autograder.run_gradescope(tmp_path)
    found = json.loads((tmp_path / "results" / "results.json").read_text())
    assert 0 < found["score"] < POSSIBLE
    assert "Isolation: " in found["output"]


def test_gradescope_can_be_told_to_refuse_where_a_wall_is_missing(tmp_path: Path) -> None:
    arguments = ["export", "--gradescope", str(tmp_path / "a.zip"), "--require-isolation"]
    assert cli.main([*arguments, "--exercises", "1", "--out", str(tmp_path)]) == 0
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        archive.extractall(tmp_path / "source")
    hand_in(tmp_path / "submission" / "01_similarity.ipynb", AVERAGED)
    bare = functools.partial(Settings, WallPlan(walls=("limits",)))
    with (
        mock.patch.multiple(qkv_autograder, Settings=bare, hide_from_others=lambda: None),
        pytest.raises(WallsMissingError, match="files"),
    ):
        qkv_autograder.run_gradescope(tmp_path)


def test_where_no_notebook_was_handed_in_gradescope_is_told(tmp_path: Path) -> None:
    autograder(tmp_path)
    (tmp_path / "submission" / "essay.pdf").write_text("")
    assert run(tmp_path).returncode == 0
    found = json.loads((tmp_path / "results" / "results.json").read_text())
    held_to_gradescope(found)
    assert found["score"] == 0
    assert found["output"].startswith("No notebook was handed in: its name has to end in .ipynb")
    assert "essay.pdf is no notebook" in found["output"]


def test_what_a_browser_has_renamed_is_judged_and_of_what_never_ran_no_wall_is_missing(
    tmp_path: Path,
) -> None:
    autograder(tmp_path)
    (tmp_path / "submission" / "01.ipynb.json").write_text("no notebook")
    assert run(tmp_path).returncode == 0
    found = json.loads((tmp_path / "results" / "results.json").read_text())
    assert "is not a notebook" in found["output"]
    assert "walls" not in found["output"]


def test_the_zip_has_what_is_needed_at_its_root_and_can_be_run(tmp_path: Path) -> None:
    path = platforms.write_gradescope(tmp_path / "a.zip", ["1"], tmp_path / "none")
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        for name in ("setup.sh", "run_autograder"):
            assert archive.read(name).startswith(b"#!/usr/bin/env bash\n")
            assert archive.getinfo(name).external_attr >> 16 & 0o111
        pins = archive.read("requirements.txt").decode().split()
        setup = archive.read("setup.sh").decode()
    assert "requirements.txt" in setup
    assert [pin.split("<=")[0] for pin in pins] == list(platforms.NEEDED)
    assert not [name for name in names if "node_modules" in name or "__pycache__" in name]
    assert "order.json" in names
    assert subprocess.run(["bash", "-n"], input=setup, text=True, check=True)


def test_a_grader_imports_no_package_that_is_not_installed_there() -> None:
    code = (
        "import sys, importlib.metadata as m\n"
        "import qkvlib.tools.grading.autograder, qkvlib.tools.grading.judge.grade_submission\n"
        "known = m.packages_distributions()\n"
        "print(*{n for k in list(sys.modules) for n in known.get(k.split('.')[0], ())})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.lower() for name in done.stdout.split()}
    # setuptools hooks itself into every Python in which it is installed.
    brought_along = {"torch", "setuptools", "markupsafe", "typing_extensions", "qkvlib", "wadler-lindig"}
    assert loaded - brought_along <= set(platforms.NEEDED)
    assert "ipython" in platforms.NEEDED  # which reads magics, and is imported where it is there
