"""Test points by exercise, from a table that the run creates and the instructor fills in."""

from __future__ import annotations

import csv
import re
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from qkvlib.tools.grading import cli
from qkvlib.tools.grading.lateness import Extension
from qkvlib.tools.grading.publish.csv_files import TableError
from qkvlib.tools.grading.publish.overrides import read_extensions
from qkvlib.tools.grading.publish.plan import Plan, read_plan
from qkvlib.tools.grading.publish.write_all import write_all
from qkvlib.tools.grading.results import ExerciseFacts, GradedClass, Row, WrittenAnswer
from tests.tools.grading.classroom import result

HEAD = "what,points,note"
MOMENT = datetime(2026, 11, 20, 23, 59).timestamp()


@pytest.fixture
def graded() -> GradedClass:
    rows = (Row("dot", 1, "right", 1, 1), Row("nearest", 1, "wrong", 0, 3))
    why = WrittenAnswer("why", 2, "Because.")
    ada = result("ada", exercises=rows, points=1, possible=4, answers=(why,))
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
    with path.open(encoding="utf-8-sig", newline="") as file:
        names = [line[0] for line in csv.reader(file)]
    assert [name for name in names if not name.startswith("#")] == ["what", "dot", "nearest", "why"]
    assert sum(name.startswith("#") for name in names) == 2
    assert read_plan(path) == Plan()
    write_all(tmp_path, graded)
    assert path.read_bytes() == first


def test_points_that_were_decided_count(graded: GradedClass, tmp_path: Path) -> None:
    plan(tmp_path, "dot,5,", "nearest,2,", "why,4,")
    written = write_all(tmp_path, graded)
    assert (written.totals, written.best) == ([5], 5 + 2 + 4)
    (report,) = (tmp_path / "reports").iterdir()
    assert "5 of 5 points" in report.read_text()
    assert "4 points for your own words may still be added" in report.read_text()
    assert not written.graded.problems


def test_nbgraders_database_gets_them_too_and_the_most_of_work_that_could_not_be_read(
    graded: GradedClass, tmp_path: Path
) -> None:
    decided, (ada,) = read_plan(plan(tmp_path, "dot,5,")), graded.results
    counted, unread = decided.count(ada), decided.count(replace(ada, points=None))
    assert [(row.points, row.possible) for row in counted.exercises] == [(5, 5), (0, 3)]
    assert (counted.points, counted.possible) == (5, 8)
    assert (unread.points, unread.exercises[0].possible) == (None, 5)


def test_what_excel_has_put_into_one_column_is_refused(tmp_path: Path) -> None:
    """If the decimal sign is a comma, Excel reads each line of a comma-separated table as one cell."""
    path = tmp_path / "plan.csv"
    path.write_text('what,points,note;\n"dot,,""chapter 1, 1 point""";3\n')
    with pytest.raises(TableError, match="Excel has put all columns into one"):
        read_plan(path)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("dot,many,", "'many' under points is no number"),
        ("dot,1.5,", "'1.5' under points is no whole number"),
        ("dot,-1,", "'-1' under points is no number from 0 on"),
        ("dot,1_0,", "'1_0' under points is no number from 0 on"),
        ("dot,1e308,", "'1e308' under points is no number from 0 on"),
        ("dot,1,a note, unquoted", "' unquoted' is in no column"),
        ("nearest,2,", "'nearest' under what stands in line 2 already"),
    ],
)
def test_what_cannot_be_is_refused_by_line_and_column(line: str, words: str, tmp_path: Path) -> None:
    path = plan(tmp_path, "nearest,1,", line)
    with pytest.raises(TableError) as error:
        read_plan(path)
    assert str(error.value).startswith(f"{path}, line 3: ")
    assert words in str(error.value)


def test_a_name_of_nothing_is_pointed_out(graded: GradedClass, tmp_path: Path) -> None:
    plan(tmp_path, "dott,1,", "chapter 9,2,", "dot,,a note alone")
    assert write_all(tmp_path, graded).graded.problems == (
        "plan.csv, line 2: nothing that is graded here is called 'dott'",
        "plan.csv, line 3: nothing that is graded here is called 'chapter 9'",
    )


def test_an_extension_is_days_or_a_moment(tmp_path: Path) -> None:
    path = tmp_path / "extensions.csv"
    for form in ("2026-11-20 23:59", "2026-11-20T23:59:00", "20.11.2026 23:59"):
        path.write_text(f"student;days;due;reason\nada;1,5;;ill\nbob;;{form};\n")
        assert read_extensions(path) == {"ada": Extension(1.5), "bob": Extension(due=MOMENT)}


def test_a_day_alone_ends_at_midnight_in_the_table_and_on_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "extensions.csv"
    for form in ("2026-11-20", "20.11.2026"):
        path.write_text(f"student,days,due,reason\nada,,{form},ill\n")
        due = read_extensions(path)["ada"].due
        assert due == datetime(2026, 11, 21).timestamp() == cli._moment("2026-11-20")
    assert cli._moment("2026-11-20T23:59") == datetime(2026, 11, 20, 23, 59).timestamp()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("ada,half,,", "'half' under days is no number"),
        ("ada,,tomorrow,", "'tomorrow' under due is no day: write 2026-11-20, or 2026-11-20 23:59"),
        ("ada,,11/20/2026 23:59,", "under due is no day"),
        ("ada,,2026-02-30,", "'2026-02-30' under due is in no calendar"),
        ("ada,,9999-12-31,", "'9999-12-31' under due is in no calendar"),
        ("ada,,0000-01-01 00:00,", "'0000-01-01 00:00' under due is in no calendar"),
        ("ada,1,,\nada,3,,", "line 3: 'ada' under student stands in an earlier line, too"),
        ("ada,1,2026-12-01,", "'2026-12-01' under due stands beside a number of days: keep one of the two"),
        ('ada,1,,"ill\nbob,2,,travel', "line 2, is no line of a table: unexpected end of data"),
        ("ada,1,,ill,travel", "line 2: 'travel' is in no column"),
    ],
)
def test_an_extension_that_cannot_be_is_refused(line: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "extensions.csv"
    path.write_text(f"student,days,due,reason\n{line}\n")
    with pytest.raises(TableError, match=re.escape(words)):
        read_extensions(path)
