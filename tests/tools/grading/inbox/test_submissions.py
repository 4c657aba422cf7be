"""Test whose work each file is, in the layouts of the common learning platforms."""

from __future__ import annotations

import os
import subprocess
import time
import zipfile
from pathlib import Path
from typing import Any

import pytest

from qkvlib.tools.grading.inbox import commit_times, submissions
from qkvlib.tools.grading.inbox.notebook_file import NotANotebookError
from tests.tools.grading.classroom import write, zipped

PLACES = {
    "doejane_1234_5678_02_lookup.ipynb": ("doejane_1234", "doejane", "1234", "02_lookup", 0),
    "doejane_LATE_1234_5678_02_lookup-2.ipynb": ("doejane_1234", "doejane", "1234", "02_lookup", 2),
    "Jane Doe_99_assignsubmission_file_/02_lookup.ipynb": ("Jane Doe_99", "Jane Doe", "99", "02_lookup", 0),
    "Jane Doe_99_assignsubmission_file/02_lookup.ipynb": ("Jane Doe_99", "Jane Doe", "99", "02_lookup", 0),
    "Jane Doe_99_assignsubmission_file_02_lookup.ipynb": ("Jane Doe_99", "Jane Doe", "99", "02_lookup", 0),
    "Lookup_jdoe_attempt_2026-11-20-23-10-05_02_lookup.ipynb": ("jdoe", "jdoe", "", "02_lookup", 0),
    "van_der_berg_1234_5678_02_lookup.ipynb": ("van_der_berg_1234", "van_der_berg", "1234", "02_lookup", 0),
    "anon_aB3xY_5678_02_lookup.ipynb": ("anon_aB3xY", "anon_aB3xY", "", "02_lookup", 0),
    "LATE_anon_aB3xY_5678_02_lookup.ipynb": ("anon_aB3xY", "anon_aB3xY", "", "02_lookup", 0),
    "jdoe/02_lookup.ipynb.json": ("jdoe", "jdoe", "", "02_lookup", 0),
    "submission_77/02_lookup.ipynb": ("submission_77_77", "submission_77", "77", "02_lookup", 0),
    "submitted/jdoe/02_lookup/02_lookup.ipynb": ("jdoe", "jdoe", "", "02_lookup", 0),
    "jdoe/a/b/02_lookup (1).ipynb": ("jdoe", "jdoe", "", "02_lookup", 1),
    "jdoe/02_lookup-Copy1.ipynb": ("jdoe", "jdoe", "", "02_lookup", 1),
    "jdoe__02_lookup.ipynb": ("jdoe", "jdoe", "", "02_lookup", 0),
    "jdoe.ipynb": ("jdoe", "jdoe", "", "notebook", 0),
    "=cmd|x\u202e/02.ipynb": ("=cmd|x~fe15f9", "=cmd|x", "", "02", 0),
}


@pytest.mark.parametrize("place", PLACES)
def test_the_student_is_found_in_the_name(place: str, tmp_path: Path) -> None:
    write(tmp_path / "in", place)
    for source in (tmp_path / "in", zipped(tmp_path / "in")):
        (found,), problems = submissions.find_submissions(source)
        (file,) = found.files
        student = found.student
        assert (student.key, student.name, student.number, file.name, file.copy) == PLACES[place]
        assert file.late == ("LATE" in place)
        assert (file.when is None) == ("attempt" not in place), "a file's own date is no time"
        assert file.read() == b"{}"
        assert not problems


def test_the_latest_counts_and_all_are_kept(tmp_path: Path) -> None:
    for i, name in enumerate(["02-1.ipynb", "02.ipynb", "02-2.ipynb", "03.ipynb"]):
        path = tmp_path / "jdoe" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(str(i))
        os.utime(path, (1000 + i, 1000 + i))
    (found,), _ = submissions.find_submissions(tmp_path)
    assert [file.path.name for file in found.files] == ["02-2.ipynb", "03.ipynb"]
    assert [file.path.name for file in found.earlier] == ["02-1.ipynb", "02.ipynb"]
    os.utime(tmp_path / "jdoe" / "03.ipynb", (1000, 1000))
    (found,), _ = submissions.find_submissions(tmp_path)
    assert [file.path.name for file in found.files] == ["03.ipynb", "02-2.ipynb"]


def test_other_files_are_named_and_hidden_ones_passed_over(tmp_path: Path) -> None:
    write(tmp_path, "jdoe/essay.pdf", "jdoe/.ipynb_checkpoints/02.ipynb", "__MACOSX/02.ipynb")
    (tmp_path / "link.ipynb").symlink_to("/etc/passwd")
    (tmp_path / "linked").symlink_to(tmp_path / "jdoe")
    (tmp_path / "jdoe" / "01.ipynb").mkdir()
    found, problems = submissions.find_submissions(tmp_path)
    assert [line.split(":")[0] for line in problems] == ["link.ipynb", "linked", "jdoe/01.ipynb"]
    (jdoe,) = (one for one in found if one.student.key == "jdoe")
    assert jdoe.files == ()
    assert jdoe.problems[1:] == ("essay.pdf is no notebook, and is not read",)


def test_a_name_in_a_zip_cannot_point_elsewhere(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr("../../jdoe/02.ipynb", "{}")
    (found,), _ = submissions.find_submissions(tmp_path / "x.zip")
    assert found.student.key == "jdoe"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["x.zip"]


def test_a_zip_that_grows_without_end_is_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(submissions, "LARGEST_FILE", 1000)
    with zipfile.ZipFile(tmp_path / "x.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("jdoe/02.ipynb", b"0" * 10_000_000)
    (found,), _ = submissions.find_submissions(tmp_path / "x.zip")
    assert len(found.files[0].read()) == 1001


def test_a_file_that_cannot_be_read_says_so(tmp_path: Path) -> None:
    (tmp_path / "jdoe.ipynb").write_text("{}")
    (found,), _ = submissions.find_submissions(tmp_path)
    (tmp_path / "jdoe.ipynb").unlink()
    with pytest.raises(NotANotebookError, match="cannot be read"):
        found.files[0].read()


@pytest.mark.parametrize(
    "packing", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]
)
def test_a_damaged_member_of_a_zip_is_named_and_harms_nobody(tmp_path: Path, packing: int) -> None:
    place = tmp_path / "class.zip"
    with zipfile.ZipFile(place, "w", packing) as archive:
        archive.writestr("ada/02.ipynb", "{}")
        archive.writestr("eve/02.ipynb", "[1, 2, 3]" * 500)
        start = archive.getinfo("eve/02.ipynb").header_offset + 30 + len("eve/02.ipynb")
    data = bytearray(place.read_bytes())
    data[start : start + 12] = b"\xff" * 12
    place.write_bytes(data)
    submissions._archive.cache_clear()
    (ada, eve), _ = submissions.find_submissions(place)
    with pytest.raises(NotANotebookError, match="cannot be read"):
        eve.files[0].read()
    assert ada.files[0].read() == b"{}"


def test_folders_in_folders_without_end_are_named_and_left(tmp_path: Path) -> None:
    write(tmp_path, "ada/02.ipynb")
    made, handle = [], os.open(tmp_path, os.O_RDONLY)
    for name in ("eve", *["d"] * 1_200):
        os.mkdir(name, dir_fd=handle)
        made.append(handle)
        handle = os.open(name, os.O_RDONLY, dir_fd=handle)
    try:
        found, problems = submissions.find_submissions(tmp_path)
    finally:
        os.close(handle)
        for at, name in zip(reversed(made), ["d"] * 1_200 + ["eve"], strict=True):
            os.rmdir(name, dir_fd=at)
            os.close(at)
    assert [one.student.key for one in found] == ["ada", "eve"]
    (problem,) = problems
    assert problem.startswith("eve/d/")
    assert "deeper" in problem


def test_users_of_blackboard_whose_names_end_alike_are_two(tmp_path: Path) -> None:
    said = {"a_lee": "a_lee", "b_lee": "b_lee", "lee": "lee", "kim": "kim"}
    for user in said:
        (tmp_path / f"HW_1_{user}_attempt_2026-11-20-10-00-00_02.ipynb").write_text(user)
    found, problems = submissions.find_submissions(tmp_path)
    assert {s.student.key: s.files[0].read().decode() for s in found} == said
    assert [problem.split(":")[0] for problem in problems] == ["a_lee", "b_lee"]


def test_of_a_student_with_very_many_notebooks_the_first_are_read(tmp_path: Path) -> None:
    write(tmp_path, *(f"eve/{i}x.ipynb" for i in range(300)))
    (found,), problems = submissions.find_submissions(tmp_path)
    assert len(found.files) == 200
    assert problems == ["eve: of 300 notebooks the first 200 are read"]


def test_the_list_of_a_zips_names_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise it would be read once for each file, and it is as long as there are files."""
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        for i in range(20):
            archive.writestr(f"s{i}/02.ipynb", str(i))
    found, _ = submissions.find_submissions(tmp_path / "x.zip")
    opened, own = [], zipfile.ZipFile

    def noted(path: Path) -> zipfile.ZipFile:
        opened.append(path)
        return own(path)

    monkeypatch.setattr(zipfile, "ZipFile", noted)
    assert {s.files[0].read() for s in found} == {str(i).encode() for i in range(20)}
    assert len(opened) == 1


def test_what_is_neither_folder_nor_zip_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.zip").write_text("no zip")
    for place in (tmp_path / "x.zip", tmp_path / "missing"):
        with pytest.raises(FileNotFoundError, match=r"zip"):
            submissions.find_submissions(place)


def test_whoever_handed_in_anything_is_somewhere(tmp_path: Path) -> None:
    write(tmp_path / "in", "a/picture.png", "b/noending", "c/.ipynb_checkpoints/02.ipynb")
    write(tmp_path / "in", "d/02.ipynb", "submitted/e/02/02.py")
    (tmp_path / "in" / "f").mkdir()
    for place in (tmp_path / "in", zipped(tmp_path / "in")):
        found, problems = submissions.find_submissions(place)
        assert {one.student.key: len(one.files) for one in found} == {
            "a": 0,
            "b": 0,
            "c": 0,
            "d": 1,
            "e": 0,
            "f": 0,
        }
        without = [one for one in found if not one.files]
        assert all("No notebook was handed in" in str(one.problems) for one in without)
        assert problems == []
    canvas = ("ada_1_10_02.ipynb", "bob_2_20_essay.pdf", "cem_LATE_3_30_x.png", "readme.txt")
    write(tmp_path / "canvas", *canvas)
    found, problems = submissions.find_submissions(tmp_path / "canvas")
    assert [one.student.number for one in found] == ["1", "2", "3"]
    assert problems == ["readme.txt: nobody's, and no notebook: not graded"]


def test_what_was_typed_into_canvas_has_an_author(tmp_path: Path) -> None:
    texts = ("itofemi_1057_text.html", "cem_LATE_3_link.html", "ada_1_text.html")
    write(tmp_path, *texts, "LATE_anon_aB3xY_text.html", "ada_1_10_02.ipynb", "notes_text.html")
    found, problems = submissions.find_submissions(tmp_path)
    assert {one.student.key: len(one.files) for one in found} == {
        "ada_1": 1,
        "anon_aB3xY": 0,
        "cem_3": 0,
        "itofemi_1057": 0,
    }
    assert "text.html is no notebook, and is not read" in found[-1].problems
    assert problems == ["notes_text.html: nobody's, and no notebook: not graded"]
    (tmp_path / "ada_1_10_02.ipynb").rename(tmp_path / "ada__02.ipynb")
    found, problems = submissions.find_submissions(tmp_path)
    assert [one.student.key for one in found] == ["ada"], "this is no class of Canvas's"
    assert len(problems) == 5


@pytest.mark.parametrize(
    ("notebook", "text"),
    [
        ("Ada_1_assignsubmission_file_/02.ipynb", "Femi Ito_2_assignsubmission_onlinetext_/onlinetext.html"),
        ("Ada_1_assignsubmission_file_02.ipynb", "Femi Ito_2_assignsubmission_onlinetext_onlinetext.html"),
        ("Ada_1_assignsubmission_file_02.ipynb", "Femi Ito_2_assignsubmission_onlinetext.html"),
    ],
)
def test_what_was_typed_into_moodle_is_the_students(notebook: str, text: str, tmp_path: Path) -> None:
    own = notebook.replace("Ada_1", "Femi Ito_2")
    write(tmp_path, notebook, text, text.replace("Femi Ito_2", "Cem_3"), own)
    found, problems = submissions.find_submissions(tmp_path)
    assert [(one.student.key, len(one.files)) for one in found] == [
        ("Ada_1", 1),
        ("Cem_3", 0),
        ("Femi Ito_2", 1),
    ]
    assert [len(one.problems) for one in found] == [0, 2, 1]
    assert problems == []


def test_canvas_s_newest_is_the_highest_number_whatever_the_zip_says(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        for second, name in ((2, "ada_1_11_02-1.ipynb"), (4, "ada_1_10_02.ipynb")):
            archive.writestr(zipfile.ZipInfo(name, (2026, 11, 26, 8, 56, second)), name)
    (found,), _ = submissions.find_submissions(tmp_path / "x.zip")
    assert [file.copy for file in found.files] == [1]


def test_of_a_clone_the_commit_says_when(tmp_path: Path) -> None:
    clone, trap = tmp_path / "ada", tmp_path / "trap"
    write(clone, "02.ipynb")
    own = {**os.environ, "GIT_COMMITTER_DATE": "2026-11-20T12:00:00Z"}
    for words in ("init -q", "add .", "-c user.name=a -c user.email=a@b.c commit -qm x"):
        subprocess.run(["git", *words.split()], cwd=clone, env=own, check=True)
    with (clone / ".git" / "config").open("a") as file:
        file.write(f"[core]\n fsmonitor = touch {trap}\n[gpg]\n program = touch {trap}\n")
        file.write("[log]\n showSignature = true\n")
    (found,), _ = submissions.find_submissions(tmp_path)
    assert found.files[0].when == 1795176000.0
    assert not trap.exists(), "what a repository names is not run"


def test_a_clone_has_so_much_time_for_all_its_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A history of 150,000 commits took five seconds for each of 300 notebooks."""
    clone = tmp_path / "eve"
    (clone / ".git" / "objects").mkdir(parents=True)
    (clone / ".git" / "HEAD").write_text("a" * 40)
    write(clone, *(f"{i}.ipynb" for i in range(30)))
    monkeypatch.setattr(commit_times, "_SECONDS", 0.3)
    asked = []

    def slow(*_: object, **options: Any) -> None:
        asked.append(options["timeout"])
        time.sleep(0.06)
        raise subprocess.TimeoutExpired("git", 1)

    monkeypatch.setattr(subprocess, "run", slow)
    (found,), problems = submissions.find_submissions(tmp_path)
    assert [file.when for file in found.files] == [None] * 30
    assert len(asked) <= 6
    assert asked[0] <= 0.3 > asked[-1]
    assert problems == ["eve: its history is too long to look for the time of every commit"]


def test_git_has_so_much_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clone = tmp_path / "eve"
    write(clone, "02.ipynb")
    (tmp_path / "message").write_text("x" * (1 << 26))
    for words in (
        "init -q",
        "add .",
        f"-c user.name=a -c user.email=a@b.c commit -qF {tmp_path / 'message'}",
    ):
        subprocess.run(["git", *words.split()], cwd=clone, check=True)
    assert commit_times.committed(clone, "02.ipynb")
    monkeypatch.setattr(commit_times, "_KILOBYTES", 50_000)
    assert commit_times.committed(clone, "02.ipynb") is None


def test_who_hands_in_a_file_of_results_is_in_no_way_passed_over(tmp_path: Path) -> None:
    write(tmp_path, "eve/01.ipynb", "eve/results.jsonl", "graded/results.jsonl")
    write(tmp_path, "zoe/notebooks/01.ipynb", "zoe/results.jsonl")
    found, problems = submissions.find_submissions(tmp_path)
    assert [one.student.key for one in found] == ["eve", "zoe"]
    assert problems == ["graded: results of `qkv grade`, passed over"]


def test_a_line_end_in_a_name_makes_nobody_somebody_else(tmp_path: Path) -> None:
    names = ("ada_1_2_01.ipynb", "bob_2_3_a\nb.ipynb", "Cem_3_assignsubmission_file_a\nb.ipynb")
    for i, name in enumerate(names):
        write(tmp_path / str(i // 2), name)
    found = [submissions.find_submissions(tmp_path / place)[0] for place in "01"]
    assert [one.student.key for class_ in found for one in class_] == ["ada_1", "bob_2", "Cem_3"]


def test_a_line_end_in_a_name_makes_no_line_about_somebody_else(tmp_path: Path) -> None:
    write(tmp_path / "eve", "x\nBob: NOT GRADED.ipynb", "x\nBob: late.txt")
    (tmp_path / "x\nBob: late").symlink_to(tmp_path)
    (tmp_path / "x\nBob: nobody.txt").touch()
    (eve,), problems = submissions.find_submissions(tmp_path)
    assert len(problems) == 2
    assert not [line for line in (*problems, *eve.problems, eve.files[0].name) if "\n" in line]


def test_a_key_belongs_to_one_student(tmp_path: Path) -> None:
    """Here somebody has unpacked what a student handed in beside it."""
    write(tmp_path, "doejane_1234_5678_01.ipynb", "doejane_1234/02.ipynb", "doejane_1234/02.pdf")
    (found,), _ = submissions.find_submissions(tmp_path)
    assert found.student == submissions.Student("doejane_1234", "doejane", "1234")
    assert {file.name for file in found.files} == {"01", "02"}
    assert found.problems == ("02.pdf is no notebook, and is not read",)
