"""Test that only a platform's own names decide whose a file is and when it came.

In each of these classes Eve chooses the name of a file or folder, and Ada must lose nothing by it.
"""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest

from qkvlib.tools.grading.inbox import submissions
from qkvlib.tools.grading.inbox.notebook_file import NotANotebookError
from qkvlib.tools.grading.publish.csv_files import harmless

# How a platform names Ada's file and Eve's, and Eve's with a name that imitates Ada's.
CLASSES = {
    "Blackboard, as Blackboard": (
        "HW_ada_attempt_2026-11-20-10-00-00_02.ipynb",
        "HW_eve_attempt_2026-11-20-10-00-00_x_ada_attempt_2027-01-01-00-00-00_02.ipynb",
    ),
    "Blackboard, as Moodle": (
        "HW_ada_attempt_2026-11-20-10-00-00_02.ipynb",
        "HW_eve_attempt_2026-11-20-10-00-00_ada_1_assignsubmission_file_02.ipynb",
    ),
    "Canvas, as Blackboard": ("ada_1_10_02.ipynb", "eve_2_20_x_ada_attempt_2027-01-01-00-00-00_02.ipynb"),
    "Canvas, as Moodle": ("ada_1_10_02.ipynb", "eve_2_20_ada_1_assignsubmission_file_02.ipynb"),
    "Canvas, as Canvas": ("ada_1_10_02.ipynb", "eve_2_20_ada_1_10_02.ipynb"),
    "Moodle in folders, as Moodle": (
        "Ada_1_assignsubmission_file_/02.ipynb",
        "Eve_2_assignsubmission_file_/Ada_1_assignsubmission_file_/02.ipynb",
    ),
    "Moodle in folders, as a file of Moodle's": (
        "Ada_1_assignsubmission_file_/02.ipynb",
        "Eve_2_assignsubmission_file_/Ada_1_assignsubmission_file_02.ipynb",
    ),
    "Moodle, as Moodle": (
        "Ada_1_assignsubmission_file_02.ipynb",
        "Eve_2_assignsubmission_file_Ada_1_assignsubmission_file_02.ipynb",
    ),
    "Moodle, as Blackboard": (
        "Ada_1_assignsubmission_file_02.ipynb",
        "Eve_2_assignsubmission_file_x_Ada_attempt_2027-01-01-00-00-00_02.ipynb",
    ),
    "Gradescope, as Gradescope": ("submission_1/02.ipynb", "submission_2/a/submission_1/02.ipynb"),
    "Gradescope, as Blackboard": (
        "assignment_5_export/submission_1/02.ipynb",
        "assignment_5_export/submission_2/x_submission_1_attempt_2027-01-01-00-00-00_02.ipynb",
    ),
    "nbgrader, as nbgrader": ("submitted/ada/02/02.ipynb", "submitted/eve/02/submitted/ada/02/02.ipynb"),
    "folders, as nbgrader": ("ada/02.ipynb", "eve/submitted/ada/02/02.ipynb"),
    "folders, as Gradescope": ("submission_1/02.ipynb", "eve/submission_1/02.ipynb"),
    "folders, as Canvas": ("ada_1/02.ipynb", "eve/ada_1_10_02.ipynb"),
    "plain files, as Blackboard": ("ada__02.ipynb", "eve__x_ada_attempt_2027-01-01-00-00-00_02.ipynb"),
    "plain files, as Moodle": ("ada__02.ipynb", "eve__ada_1_assignsubmission_file_02.ipynb"),
    # The instructor has put a file of another form next to them.
    "Blackboard and others, as Moodle": (
        "HW_ada_attempt_2026-11-20-10-00-00_02.ipynb",
        "HW_eve_attempt_2026-11-20-10-00-00_ada_1_assignsubmission_file_02.ipynb",
        "late.ipynb",
    ),
    "Moodle and others, as Blackboard": (
        "Ada_1_assignsubmission_file_02.ipynb",
        "Eve_2_assignsubmission_file_x_Ada_attempt_2027-01-01-00-00-00_02.ipynb",
        "late.ipynb",
    ),
}


def write(folder: Path, *names: str) -> None:
    for when, name in enumerate(names):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
        os.utime(path, (2e9 + when, 2e9 + when))


@pytest.mark.parametrize("platform", CLASSES)
def test_a_name_that_speaks_takes_nothing_from_anybody(platform: str, tmp_path: Path) -> None:
    names = CLASSES[platform]
    write(tmp_path / "in", *names)
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as archive:
        for name in names:
            archive.writestr(name, name)
    for place in (tmp_path / "in", tmp_path / "class.zip"):
        found, _ = submissions.find_submissions(place)
        files = {s.student.key: [f.read().decode() for f in s.files] for s in found}
        assert sorted(files.values()) == sorted([name] for name in names)
        assert not any(submission.earlier for submission in found)


def test_a_folder_that_seems_to_hold_others_is_pointed_out(tmp_path: Path) -> None:
    """Either Eve made it, or the instructor has given the folder above the class's."""
    write(tmp_path, "eve/Ada_1_assignsubmission_file_/02.ipynb", "bob/02.ipynb")
    found, problems = submissions.find_submissions(tmp_path)
    assert [submission.student.key for submission in found] == ["bob", "eve"]
    (problem,) = problems
    assert problem.startswith("eve/Ada_1")
    assert "counts as eve's" in problem


LONG = "a" * 120
LOOK_ALIKE = [
    ("ada", "ada\u202e"),
    ("ada", "ada\u200b"),
    ("ada", "a\u00adda"),
    ("ada", "ada "),
    ("ada bo", "ada  bo"),
    ("ada", "\ufeffada"),
    (f"{LONG}1", f"{LONG}2"),
    ("ada\u200b", "ada\u200c"),
    ("\u00e9mile", "e\u0301mile"),  # macOS writes an accent as a separate character, other systems do not
]


@pytest.mark.parametrize("names", LOOK_ALIKE, ids=ascii)
@pytest.mark.parametrize("form", ["{}/02.ipynb", "{}.ipynb", "{}__02.ipynb", "submitted/{}/02/02.ipynb"])
def test_names_that_look_alike_are_two(names: tuple[str, str], form: str, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as archive:
        for name in names:
            archive.writestr(form.format(name), name)
    found, problems = submissions.find_submissions(tmp_path / "class.zip")
    assert sorted(s.files[0].read().decode() for s in found) == sorted(names)
    assert len(found) == len({s.student.key for s in found}) == 2
    assert any("looks like another's" in line for line in problems)
    assert all(line.isprintable() for line in problems)


def test_a_name_cannot_be_that_of_a_name_that_looks_alike(tmp_path: Path) -> None:
    marked = submissions._student("ada\u200b").key
    assert marked.startswith("ada~")
    assert submissions._student(marked).key != marked


def test_names_that_a_table_would_write_alike_are_two() -> None:
    """A table puts an apostrophe before what a spreadsheet would take for a formula."""
    names = ["=eve", "'=eve", "''=eve", "x;=1", "x;'=1", 'x|"=1', "x|\"'=1"]
    keys = [submissions._student(name).key for name in names]
    assert len({harmless(key) for key in keys}) == len(names)
    assert submissions._student("Anna-Maria O'Neil (B.)").key == "Anna-Maria O'Neil (B.)"


def test_names_that_are_no_unicode_are_two(tmp_path: Path) -> None:
    for name in (b"M\xfcller", b"M\xf6ller"):
        os.mkdir(os.path.join(os.fsencode(tmp_path), name))
        (tmp_path / os.fsdecode(name) / "02.ipynb").write_text("{}")
    found, _ = submissions.find_submissions(tmp_path)
    assert len({submission.student.key for submission in found}) == 2


STAMP = "2001-01-01 00:00:00.5 UTC"


@pytest.mark.parametrize(
    "stamp", ["ada/timestamp.txt", "ada/02/timestamp.txt", "submitted/ada/02/extra/timestamp.txt"]
)
def test_a_notebook_never_names_its_own_time(stamp: str, tmp_path: Path) -> None:
    write(tmp_path, str(Path(stamp).parent / "02.ipynb"))
    (tmp_path / stamp).write_text(STAMP)
    (found,), _ = submissions.find_submissions(tmp_path)
    assert [file.when for file in found.files] == [None]


def test_nbgraders_stamp_holds_for_all_below_it(tmp_path: Path) -> None:
    write(tmp_path, "submitted/ada/02/extra/02.ipynb")
    (tmp_path / "submitted/ada/02/timestamp.txt").write_text(STAMP)
    (tmp_path / "submitted/ada/02/extra/timestamp.txt").write_text("2030-01-01 00:00:00 UTC")
    for place in (tmp_path, tmp_path / "submitted"):
        (found,), _ = submissions.find_submissions(place)
        assert [file.when for file in found.files] == [978307200.5]


def test_a_moment_that_never_was_is_no_moment(tmp_path: Path) -> None:
    write(tmp_path, "HW_ada_attempt_2026-13-40-25-61-61_02.ipynb")
    (found,), _ = submissions.find_submissions(tmp_path)
    assert found.files[0].when is None


def test_what_is_no_file_is_refused_by_name_and_waited_for_by_nobody(tmp_path: Path) -> None:
    (tmp_path / "ada").mkdir()
    os.mkfifo(tmp_path / "ada" / "02.ipynb")
    (tmp_path / "eve.ipynb").symlink_to("/dev/zero")
    folder = tmp_path / "submitted" / "bob" / "02"
    write(folder, "02.ipynb")
    os.mkfifo(folder / "timestamp.txt")
    found, problems = submissions.find_submissions(tmp_path)
    assert {s.student.key for s in found} >= {"bob"}
    assert [line.split(":")[0] for line in problems] == ["eve.ipynb", "ada/02.ipynb"]
    assert all("no ordinary file" in line for line in problems)


def test_a_file_that_becomes_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    write(tmp_path, "ada.ipynb")
    (found,), _ = submissions.find_submissions(tmp_path)
    (tmp_path / "ada.ipynb").unlink()
    os.mkfifo(tmp_path / "ada.ipynb")
    with pytest.raises(NotANotebookError, match="no ordinary file"):
        found.files[0].read()
