"""Points and deadlines by exercise, from a table that the run lays out and the instructor fills."""

from __future__ import annotations

import csv
from datetime import datetime
from pathlib import Path

import pytest

from qkvlib.tools.grading.lateness import Deadline, Extension
from qkvlib.tools.grading.publish.csv_files import TableError
from qkvlib.tools.grading.publish.overrides import read_extensions
from qkvlib.tools.grading.publish.plan import Plan, read_plan
from qkvlib.tools.grading.publish.write_all import write_all
from qkvlib.tools.grading.results import ExerciseFacts, GradedClass, Result, Row, WrittenAnswer

HEAD = "what,points,due,cut-off,percent a day,note"
MOMENT = datetime(2026, 11, 20, 23, 59).timestamp()


@pytest.fixture
def graded() -> GradedClass:
    rows = (Row("dot", 1, "right", 1, 1), Row("nearest", 1, "wrong", 0, 3))
    ada = Result(
        key="a", student="ada", name="Ada", handed_in="2026-11-20T12:00:00", exercises=rows,
        points=1, possible=4, answers=(WrittenAnswer("why", 2, "Because."),),
    )  # fmt: skip
    exercises = {"dot": ExerciseFacts(1, 1), "nearest": ExerciseFacts(1, 3)}
    return GradedClass(exercises, (ada,), (), 1, {"why": ExerciseFacts(1, 2)})


def plan(out: Path, *lines: str) -> Path:
    out.mkdir(exist_ok=True)
    path = out / "plan.csv"
    path.write_text("\n".join([HEAD, *lines]) + "\n", encoding="utf-8")
    return path


def test_the_table_is_laid_out_with_every_exercise_and_decides_nothing(
    graded: GradedClass, tmp_path: Path
) -> None:
    assert write_all(tmp_path, graded).totals == [1]
    path = tmp_path / "plan.csv"
    first = path.read_bytes()
    with path.open(newline="") as file:
        names = [line[0] for line in csv.reader(file)]
    assert [name for name in names if not name.startswith("#")] == [
        "what", "all", "chapter 1", "dot", "nearest", "why",
    ]  # fmt: skip
    assert sum(name.startswith("#") for name in names) >= 5
    assert read_plan(path) == Plan()
    write_all(tmp_path, graded)
    assert path.read_bytes() == first


def test_points_that_were_decided_count(graded: GradedClass, tmp_path: Path) -> None:
    plan(tmp_path, "dot,5,,,,", "nearest,2,,,,", "why,4,,,,")
    written = write_all(tmp_path, graded)
    assert (written.totals, written.best) == ([5], 5 + 2 + 4)
    (report,) = (tmp_path / "reports").iterdir()
    assert "5 of 5 points" in report.read_text()
    assert "4 points for your own words may still be added" in report.read_text()
    assert not written.graded.problems


def test_nbgraders_database_gets_them_too(graded: GradedClass, tmp_path: Path) -> None:
    result = read_plan(plan(tmp_path, "dot,5,,,,")).count(graded.results[0])
    assert [(row.points, row.possible) for row in result.exercises] == [(5, 5), (0, 3)]
    assert (result.points, result.possible) == (5, 8)


def test_deadlines_are_read_as_a_spreadsheet_may_save_them(tmp_path: Path) -> None:
    forms = ["2026-11-20 23:59", "2026-11-20T23:59", "2026-11-20 23:59:00", "20.11.2026 23:59"]
    for form in forms:
        found = read_plan(plan(tmp_path, f'all,,{form},,"12,5",', "# chapter 1,9,x,,,"))
        assert found.deadlines == {"all": Deadline(MOMENT, None, 12.5)}


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("dot,many,,,,", "'many' under points is no number"),
        ("dot,1.5,,,,", "'1.5' under points is no whole number"),
        ("dot,-1,,,,", "'-1' under points is not a number from 0 on"),
        ("dot,inf,,,,", "'inf' under points is not a number from 0 on"),
        ("chapter 1,3,,,,", "'3' under points is for several exercises: give points to each"),
        ("all,,tomorrow,,,", "'tomorrow' under due is no day and time: write 2026-11-20 23:59"),
        ("all,,11/20/2026 23:59,,,", "under due is no day and time"),
        ("all,,2026-02-30 10:00,,,", "'2026-02-30 10:00' under due is in no calendar"),
        ("all,,2026-11-20 23:59,2026-11-19 23:59,,", "under cut-off comes before the work is due"),
        ("all,,,,101,", "'101' under percent a day is more than there is"),
    ],
)
def test_what_cannot_be_is_refused_by_line_and_column(
    line: str, words: str, tmp_path: Path
) -> None:
    path = plan(tmp_path, "nearest,1,,,,", line)
    with pytest.raises(TableError) as error:
        read_plan(path)
    assert str(error.value).startswith(f"{path}, line 3: ")
    assert words in str(error.value)


def test_a_name_that_stands_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"line 3: 'dot' under what stands in line 2 already"):
        read_plan(plan(tmp_path, "dot,1,,,,", "dot,2,,,,"))


def test_a_name_of_nothing_is_pointed_out(graded: GradedClass, tmp_path: Path) -> None:
    plan(tmp_path, "dott,1,,,,", "chapter 9,,2026-11-20 23:59,,,", "dot,,,,,a note alone")
    assert write_all(tmp_path, graded).graded.problems == (
        "plan.csv, line 2: nothing that is graded here is called 'dott'",
        "plan.csv, line 3: nothing that is graded here is called 'chapter 9'",
    )


def test_an_extension_is_days_or_a_moment_and_free_days(tmp_path: Path) -> None:
    path = tmp_path / "extensions.csv"
    path.write_text(
        "student;days;due;free days;reason\nada;1,5;;;ill\nbob;;20.11.2026 23:59;;\ncem;;;3;\n"
    )
    assert read_extensions(path) == {
        "ada": Extension(1.5), "bob": Extension(due=MOMENT), "cem": Extension(free=3),
    }  # fmt: skip
    path.write_text("student,days,due,free days,reason\nada,,,half,\n")
    with pytest.raises(TableError, match=r"line 2: 'half' under free days is no number"):
        read_extensions(path)
