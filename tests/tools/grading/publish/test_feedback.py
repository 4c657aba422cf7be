"""Test that feedback has the form in which each platform looks for it.

Canvas: the names of the files that an instructor downloaded. In Canvas's public code, the first two
parts between underscores that consist only of digits are the numbers of the student and the file.
Moodle: the folders of its download of all submissions, as its public code names them: full name,
participant, plugin's type and plugin's name.
We have uploaded nothing to either of them.
"""

from __future__ import annotations

import os
import re
import zipfile
from pathlib import Path

import nbformat
import pytest

from qkvlib.tools import cli
from qkvlib.tools.grading.inbox.submissions import find_submissions
from qkvlib.tools.grading.publish.write_all import write_all
from qkvlib.tools.grading.results import ExerciseFacts, GradedClass, Row, WrittenAnswer
from tests.tools.grading.classroom import FULL, hand_in, result

CANVAS = ["doejane_LATE_1234_5678_02_lookup-1.ipynb", "roerichard_77_9001_2_of_3.ipynb"]
MOODLE = [
    "Jane Doe_1234_assignsubmission_file_/02_lookup.ipynb",
    "Anna-Maria O'Neil_1235_assignsubmission_file/deep/02_lookup.ipynb",
]
EVIL = "</main><script>alert(1)</script>\n\n[x](javascript:alert(2))"


def graded(place: Path) -> GradedClass:
    """Grade a class in which everyone made the same mistake, with a hostile message."""
    rows = (Row("dot", 1, "wrong", 0, 1, EVIL, "average", "You average.", "What is added?"),)
    results = tuple(
        result(
            one.student.key,
            name=one.student.name,
            number=one.student.number,
            exercises=rows,
            points=0,
            possible=1,
            answers=(WrittenAnswer("why", 2, "So."),),
            problems=("it hangs",),
        )
        for one in find_submissions(place)[0]
    )
    return GradedClass({"dot": ExerciseFacts(1, 1)}, results, (), 1, {"why": ExerciseFacts(1, 2)})


def packed(tmp_path: Path, names: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """Submit under these names, grade, and pack; return the complaints."""
    for name in names:
        hand_in(tmp_path / "in" / name, FULL)
    write_all(tmp_path / "out", graded(tmp_path / "in"))
    code = cli.main(["export", "--feedback", str(tmp_path / "in"), "--out", str(tmp_path / "out")])
    said = capsys.readouterr().err
    assert code == bool(said)
    return said


def test_canvas_gets_each_file_back_under_its_own_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert packed(tmp_path, CANVAS, capsys) == ""
    with zipfile.ZipFile(tmp_path / "out" / "feedback-canvas.zip") as archive:
        assert sorted(archive.namelist()) == sorted(CANVAS)
        for name in CANVAS:
            numbers = [part for part in name.split("_") if re.fullmatch(r"\d+", part)][:2]
            assert numbers in (["1234", "5678"], ["77", "9001"])
            notebook = nbformat.reads(archive.read(name).decode(), as_version=4)
            nbformat.validate(notebook)
            (output,) = notebook.cells[0].outputs
            assert "You average." in output.data["text/html"]
            assert "<script" not in output.data["text/html"]
            assert "&lt;/main&gt;" in output.data["text/html"]


def test_moodle_gets_the_folders_that_it_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert packed(tmp_path, MOODLE, capsys) == ""
    with zipfile.ZipFile(tmp_path / "out" / "feedback-moodle.zip") as archive:
        names = archive.namelist()
        html = archive.read(names[0]).decode()
    assert "You average." in html
    assert "<style>" in html
    for name in names:
        folder, file = name.split("/")
        full_name, participant, kind, plugin, nothing = folder.split("_")
        assert (kind, plugin, nothing, file) == ("assignsubmission", "file", "", "feedback.html")
        assert {"1234": "Jane Doe", "1235": "Anna-Maria O'Neil"}[participant] == full_name


def test_moodle_without_folders_gets_them_all_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert packed(tmp_path, ["Jane Doe_1234_assignsubmission_file_02_lookup.ipynb"], capsys) == ""
    with zipfile.ZipFile(tmp_path / "out" / "feedback-moodle.zip") as archive:
        assert archive.namelist() == ["Jane Doe_1234_assignsubmission_file_/feedback.html"]


def test_nobody_gets_the_report_of_one_who_writes_his_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A platform writes only the first part of a name."""
    packed(tmp_path, [f"zoe/{CANVAS[0]}", f"zoe/{MOODLE[0]}"], capsys)
    assert not list((tmp_path / "out").glob("feedback-*.zip"))
    eve = f"Eve_5_assignsubmission_onlinetext_/{MOODLE[0]}"
    packed(tmp_path, [MOODLE[0], eve], capsys)
    with zipfile.ZipFile(tmp_path / "out" / "feedback-moodle.zip") as archive:
        assert len(archive.namelist()) == 1
        assert "qkvlib: Jane Doe" in archive.read(archive.namelist()[0]).decode()


def test_it_is_packed_from_a_zip_as_well(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hand_in(tmp_path / "one.ipynb", FULL)
    place = tmp_path / "submissions.zip"
    with zipfile.ZipFile(place, "w") as archive:
        archive.write(tmp_path / "one.ipynb", CANVAS[0])
    write_all(tmp_path / "out", graded(place))
    assert cli.main(["export", "--feedback", str(place), "--out", str(tmp_path / "out")]) == 0
    path = tmp_path / "out" / "feedback-canvas.zip"
    with zipfile.ZipFile(path) as archive:
        assert archive.namelist() == CANVAS[:1]
    assert not path.stat().st_mode & 0o077, "nobody else reads it"
    assert capsys.readouterr().out.strip().endswith("feedback-canvas.zip")


def test_who_gets_none_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = packed(tmp_path, ["ada/01_similarity.ipynb", "bob/01_similarity.ipynb"], capsys)
    assert said.startswith("2 handed in under names that neither Canvas nor Moodle gives")
    assert said.endswith(f"{tmp_path / 'out' / 'reports'}\n")
    assert not list((tmp_path / "out").glob("*.zip"))
    hand_in(tmp_path / "in" / CANVAS[0], FULL)
    assert cli.main(["export", "--feedback", str(tmp_path / "in"), "--out", str(tmp_path)]) == 1
    assert "no report. Run `qkv grade`" in capsys.readouterr().err


def test_a_name_that_is_no_unicode_keeps_nobody_elses_feedback_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    odd = os.fsdecode(b"M\xfcller_9_assignsubmission_file_/02.ipynb")
    said = packed(tmp_path, [MOODLE[0], odd], capsys)
    assert said.startswith("Mller_9: ")
    with zipfile.ZipFile(tmp_path / "out" / "feedback-moodle.zip") as archive:
        assert archive.namelist() == ["Jane Doe_1234_assignsubmission_file_/feedback.html"]
