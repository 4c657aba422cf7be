"""Test that nbgrader's own commands run on the exported course and agree with our scores.

nbgrader is installed in a separate environment inside that of the tests. Otherwise its buttons would
appear in the JupyterLab that other tests use. `make test` creates this environment.
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from qkvlib.tools import cli
from tests.tools.grading.classroom import MOST, RIGHT

ROOT = Path(__file__).resolve().parents[4]
PROGRAMS = Path(sys.prefix) / "nbgrader" / "bin"
ASSIGNMENT = "01_similarity"

WRONG = {
    "dot": "def dot(a, b):\n    return (a * b).mean()",
    "cosine_similarity": "def cosine_similarity(a, b):\n    return a @ b.T",
}
CLASS: dict[str, dict[str, str]] = {"ada": RIGHT, "bob": RIGHT | WRONG}
POINTS = {"ada": MOST, "bob": 2}


def nbgrader(course: Path, *words: str) -> None:
    program = PROGRAMS / "nbgrader"
    assert program.exists(), f"no {program}: `make test` makes it"
    environment = os.environ | {
        "PATH": f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "QKVLIB_HOME": str(course / "home"),
    }
    ran = subprocess.run([program, *words], cwd=course, env=environment, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr[-3000:]


def scores(course: Path, column: str, path: str, who: str) -> dict[str, float]:
    with (course / path).open(encoding="utf-8-sig") as file:
        return {row[who]: float(row[column]) for row in csv.DictReader(file)}


def hand_in(course: Path, student: str, answers: dict[str, str]) -> None:
    """Write the released notebook, with a student's answers instead of the stubs."""
    released = course / "release" / ASSIGNMENT / f"{ASSIGNMENT}.ipynb"
    made = json.loads(released.read_text(encoding="utf-8"))
    for cell in made["cells"]:
        marks = cell["metadata"].get("nbgrader", {})
        source = "".join(cell["source"])
        if marks.get("solution") and cell["cell_type"] == "code":
            assert "NotImplementedError" in source
            for name, answer in answers.items():
                if f"def {name}(" in source:
                    cell["source"] = answer.removesuffix(f"\n{name} = check({name})")
    path = course / "submitted" / student / ASSIGNMENT / f"{ASSIGNMENT}.ipynb"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(made), encoding="utf-8")


@pytest.mark.sweep
def test_nbgraders_commands_run_on_the_exported_course_and_agree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    assert cli.main(["export", "--nbgrader", str(tmp_path)]) == 0
    nbgrader(tmp_path, "generate_assignment", ASSIGNMENT)
    for student, answers in CLASS.items():
        hand_in(tmp_path, student, answers)
    nbgrader(tmp_path, "autograde", ASSIGNMENT)
    nbgrader(tmp_path, "export")
    assert scores(tmp_path, "score", "grades.csv", "student_id") == POINTS

    out = tmp_path / "graded"
    submitted = str(tmp_path / "submitted")
    cli.main(["grade", submitted, "--out", str(out), "--jobs", "1", "--exercises", "1"])
    assert scores(out, "total", "grades.csv", "student") == POINTS

    (tmp_path / "gradebook.db").unlink()
    export = "import sys; from qkvlib.tools.cli import main; sys.exit(main(sys.argv[1:]))"
    subprocess.run(
        [PROGRAMS / "python", "-c", export, "export", "--gradebook", "gradebook.db"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        check=True,
    )
    nbgrader(tmp_path, "export")
    assert scores(tmp_path, "score", "grades.csv", "student_id") == POINTS
