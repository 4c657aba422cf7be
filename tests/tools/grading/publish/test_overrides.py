"""Test that an instructor's overrides survive every run, even after a spreadsheet has saved them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from qkvlib.tools.grading.lateness import Extension
from qkvlib.tools.grading.publish import overrides
from qkvlib.tools.grading.publish.csv_files import TableError, harmless
from qkvlib.tools.grading.publish.write_all import write_all
from qkvlib.tools.grading.results import ExerciseFacts, GradedClass, Result, Row
from tests.tools.grading import classroom

NAME = "=ada;-1"
WHY = "The notebook says 3; the table on paper is right."


def result(student: str, points: int) -> Result:
    row = Row("dot", 1, "wrong", points, 2)
    return classroom.result(student, exercises=(row,), points=points)


@pytest.fixture
def graded() -> GradedClass:
    exercises = {"dot": ExerciseFacts(1, 2), "nearest": ExerciseFacts(1, 3)}
    lost = replace(result("bob", 0), exercises=(), points=None, fault="three workers were lost")
    return GradedClass(exercises, (result(NAME, 0), lost, result("cem", 1)), (), 3)


def table(out: Path, *lines: str, sign: str = ",") -> Path:
    path = out / "overrides.csv"
    out.mkdir(exist_ok=True)
    head = sign.join(overrides.OVERRIDE)
    path.write_text("\n".join([head, *lines]) + "\n", encoding="utf-8-sig")
    return path


@pytest.mark.parametrize("sign", [",", ";"])
def test_points_that_were_decided_count_in_every_run(sign: str, graded: GradedClass, tmp_path: Path) -> None:
    name = f'"{harmless(NAME)}"'
    lines = ([name, "dot", "2", f'"{WHY}"'], ["bob", "nearest", "3", "by hand"])
    path = table(tmp_path, *map(sign.join, lines), sign=sign)
    before = path.read_bytes()
    for _ in "12":
        written = write_all(tmp_path, graded)
        assert written.totals == [2, 3, 1]
    assert path.read_bytes() == before
    (report,) = (tmp_path / "reports").glob("ada*.html")
    assert f"gives this 2 of 2 points: {WHY}" in report.read_text()


def test_nbgraders_database_gets_them_too(graded: GradedClass, tmp_path: Path) -> None:
    from qkvlib.tools.grading.publish.nbgrader_gradebook import _decided

    path = table(tmp_path, "cem,dot,2,x", "bob,nearest,3,not judged: in no database")
    found = _decided(list(graded.results), path)
    assert [result.points for result in found] == [0, None, 2]


def test_the_tables_are_there_to_be_filled_and_never_written_into(
    graded: GradedClass, tmp_path: Path
) -> None:
    write_all(tmp_path, graded)
    assert (tmp_path / "overrides.csv").read_text(encoding="utf-8-sig") == "student,exercise,points,reason\n"
    assert overrides.read_extensions(tmp_path / "extensions.csv") == {}
    (tmp_path / "extensions.csv").write_text("student;days;reason\nada;1,5;ill\n;;\n")
    write_all(tmp_path, graded)
    assert overrides.read_extensions(tmp_path / "extensions.csv") == {"ada": Extension(1.5)}


def test_who_is_not_there_is_pointed_out(graded: GradedClass, tmp_path: Path) -> None:
    table(tmp_path, "eve,dot,1,", "cem,dott,1,", ",,,")
    written = write_all(tmp_path, graded)
    assert [line.split(":")[0] for line in written.graded.problems] == [
        "overrides.csv, line 2",
        "overrides.csv, line 3",
    ]


HEAD = "student,exercise,points,reason"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        *(
            (f"{HEAD}\ncem,dot,{points},x", "overrides.csv, line 2")
            for points in ("3", "-1", "1.5", "many", "")
        ),
        (f"{HEAD}\ncem,dot,1,x\ncem,dot,2,y", "line 3: 'dot' under exercise is decided for cem twice"),
        (f"{HEAD},points\ncem,dot,0,x,2", "has the column 'points' twice"),
        ("who,exercise,points,reason", "no column 'student'"),
    ],
)
def test_what_cannot_be_is_refused(text: str, words: str, graded: GradedClass, tmp_path: Path) -> None:
    (tmp_path / "overrides.csv").write_text(f"{text}\n")
    with pytest.raises(TableError, match=words):
        write_all(tmp_path, graded)
