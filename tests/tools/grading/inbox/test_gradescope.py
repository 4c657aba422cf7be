"""A Gradescope export: its table says who handed in what, and when."""

from __future__ import annotations

import io
import time
from pathlib import Path

import pytest

from qkvlib.tools.grading.inbox import gradescope
from qkvlib.tools.grading.inbox.submissions import find_submissions
from tests.tools.grading.classroom import write, zipped

TABLE = """\
submission_11:
  :submitters:
  - :name: Ada Brook
    :sid: '1001'
    :email: ada@example.org
  :created_at: 2026-11-20 12:00:00.000000000 Z
  :score: 2.0
  :status: processed
  :results:
    output: |-
      submission_12:
        :submitters:
        - :name: Nobody
  :history:
  - :id: 5
    :submitters:
    - :name: Somebody Else
    :created_at: 2026-11-19 12:00:00.000000000 Z
    :name: Somebody
submission_12:
  :submitters:
  - :name: Bo O'Neil
    :sid:
    :email: bo@example.org
  - :name: '李 ''Lei'''
    :sid: "1003"
  :created_at: 2026-11-21 13:30:00.5 +01:30
"""


def export(folder: Path, table: str = TABLE, around: str = "assignment_4711_export") -> list[Path]:
    """Write the export as a folder and as a zip, and return both."""
    root = folder / "in" / around
    write(root, "submission_11/02.ipynb", "submission_12/02.ipynb", "submission_13/02.ipynb")
    (root / "submission_12" / gradescope.NAME).write_text(table.replace("Ada", "Eve"))
    (root / gradescope.NAME).write_text(table, encoding="utf-8")
    return [folder / "in", zipped(folder / "in")]


@pytest.mark.parametrize("around", ["assignment_4711_export", ""])
def test_the_table_names_the_submitters_and_the_time(around: str, tmp_path: Path) -> None:
    for place in export(tmp_path, around=around):
        found, problems = find_submissions(place)
        assert {one.student.key: (one.student.name, one.student.number) for one in found} == {
            "Ada Brook_1001": ("Ada Brook", "1001"),
            "Bo O'Neil_bo@example.org": ("Bo O'Neil", "bo@example.org"),
            "submission_13_13": ("submission_13", "13"),
            "李 'Lei'_1003": ("李 'Lei'", "1003"),
        }
        assert {one.student.number: one.files[0].when for one in found} == {
            "1001": 1795176000.0,
            "bo@example.org": 1795262400.0,
            "1003": 1795262400.0,
            "13": None,
        }
        assert problems == []


def test_very_many_files_of_a_group_are_not_multiplied(tmp_path: Path) -> None:
    place, _ = export(tmp_path)
    for i in range(1_100):
        (place / "assignment_4711_export/submission_12" / f"{i}.txt").write_text("x")
    found, _ = find_submissions(place)
    assert [len(one.files) for one in found] == [1, 1, 1, 1]
    lines = {one.problems[-1] for one in found if one.problems}
    assert lines == {"and 1096 more files are no notebooks", "and 993 more files are no notebooks"}


def test_nobody_gets_the_work_of_a_namesake(tmp_path: Path) -> None:
    twice = TABLE.replace("Bo O'Neil", "Ada Brook").replace(":sid:\n", ":sid: 1001\n")
    for place in export(tmp_path, twice):
        found, problems = find_submissions(place)
        assert [one.student.key for one in found][:2] == ["Ada Brook_1001", "Ada Brook_12"]
        assert [len(one.files) for one in found] == [1, 1, 1, 1]
        assert [line.split(":")[0] for line in problems] == ["Ada Brook_1001"]


def test_a_table_that_says_nothing_is_pointed_out(tmp_path: Path) -> None:
    for place in export(tmp_path, "no table\n"):
        found, problems = find_submissions(place)
        assert [one.student.number for one in found] == ["11", "12", "13"]
        assert [line.split(":")[0] for line in problems] == [gradescope.NAME]


@pytest.mark.parametrize("piece", [b" ", b"'", b"submission_1", b"  - :name: ", b"  :submitters:\n", b"\n"])
def test_no_table_takes_long_to_read(piece: bytes) -> None:
    started = time.process_time()
    found = gradescope.read_metadata(io.BytesIO(b"submission_1:\n" + piece * (1_000_000 // len(piece))))
    assert time.process_time() - started < 5
    assert len(found) == 1


def test_a_long_line_is_one_line() -> None:
    line = b"  :results: "
    text = b"submission_1:\n" + line + b"x" * (1_000 - len(line)) + b"  :submitters:\n"
    assert not gradescope.read_metadata(io.BytesIO(text + b"  - :name: Eve\n"))["submission_1"].submitters
