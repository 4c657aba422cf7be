"""Test that `qkv lab` finds or copies the lessons, trusts them, and starts JupyterLab with its options."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbformat.sign import NotebookNotary

from qkvlib.app import lab
from qkvlib.app.lab import trust
from qkvlib.tools import cli


def written(path: Path, html: str) -> Path:
    """Write a notebook that displays some HTML, as a saved widget does."""
    shown = nbformat.v4.new_output("display_data", {"text/html": html})
    cell = nbformat.v4.new_code_cell("1", outputs=[shown])
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), path)
    return path


def trusted(path: Path) -> bool:
    return bool(NotebookNotary().check_signature(nbformat.read(path, as_version=4)))


def test_a_lesson_that_is_opened_is_trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "data"))
    lesson = written(tmp_path / "01_one.ipynb", "<b>one</b>")
    other = written(tmp_path / "other.ipynb", "<b>other</b>")
    assert not trusted(lesson)
    trust([lesson])
    assert trusted(lesson)
    assert not trusted(other)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch, home: Path) -> list[list[str]]:
    """Record the arguments that JupyterLab would have been started with."""
    calls: list[list[str]] = []
    monkeypatch.setattr(lab.LabApp, "launch_instance", calls.append)
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(home / "data"))
    return calls


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make the lessons of a course that pip has installed, in a read-only folder."""
    folder = tmp_path / "site-packages" / "lessons"
    (folder / "pictures").mkdir(parents=True)
    for name in ("00_start.ipynb", "01_one.ipynb"):
        written(folder / name, name)
    (folder / "pictures" / "one.svg").write_text("<svg/>")
    for path in folder.rglob("*.*"):
        path.chmod(0o444)
    monkeypatch.setattr(lab, "SHIPPED", folder)
    return folder


def test_an_installed_course_brings_its_lessons_and_leaves_what_was_written(
    tmp_path: Path,
    shipped: Path,
    started: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    place = tmp_path / "a folder with ümlauts"
    place.mkdir()
    monkeypatch.chdir(place)
    assert cli.main(["lab"]) == 0
    lessons = place / "qkvlib-course" / "lessons"
    assert str(lessons) in capsys.readouterr().out
    assert (lessons / "pictures" / "one.svg").exists()
    own = written(lessons / "01_one.ipynb", "my work")
    (lessons / "00_start.ipynb").unlink()
    assert cli.main(["lab", "1"]) == 0
    assert "my work" in own.read_text("utf-8")
    assert (lessons / "00_start.ipynb").exists()
    monkeypatch.chdir(lessons.parent)
    assert cli.main(["lab", "1"]) == 0
    assert {f"--ServerApp.root_dir={lessons.parent}" in given for given in started} == {True}


def test_what_follows_is_jupyterlabs_own(
    shipped: Path, started: list[list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.main(["lab", "--port", "9999", "--allow-root"]) == 0
    assert cli.main(["lab", "01", "--no-browser"]) == 0
    assert started[0][-3:] == ["--port", "9999", "--allow-root"]
    assert started[1][-1] == "--no-browser"


@pytest.mark.parametrize("name", ["--ServerApp.root_dir", "--notebook-dir"])
@pytest.mark.parametrize("sign", ["=", " "])
def test_a_root_that_is_given_is_the_only_one(
    name: str,
    sign: str,
    shipped: Path,
    started: list[list[str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The lesson opens from that root if it is below it. JupyterLab refuses a setting given twice."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "aside").mkdir()
    for root, page in ((tmp_path, "/lab/tree/qkvlib-course/lessons/01_one.ipynb"), ("aside", "/lab")):
        assert cli.main(["lab", "1", *f"{name}{sign}{root}".split(" ")]) == 0
        lab.LabApp().parse_command_line(started[-1])  # exits if an option is given twice
        assert f"--LabApp.default_url={page}" in started[-1]
        assert started[-1][-1].endswith(str(root))


def test_any_setting_of_the_course_can_be_given(
    shipped: Path, started: list[list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.main(["lab", "--LabApp.default_url=/lab"]) == 0
    assert [each for each in started[0] if each.startswith("--LabApp.default_url")] == [
        "--LabApp.default_url=/lab"
    ]


def test_only_the_lab_passes_on_what_it_does_not_know(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["doctor", "--port=9999"])
    assert "unrecognized arguments: --port=9999" in capsys.readouterr().err
    with pytest.raises(SystemExit) as stopped:
        cli.main(["lab", "--help"])
    assert stopped.value.code == 0
    assert "--no-browser" in capsys.readouterr().out


@pytest.mark.parametrize("blocked", ["qkvlib-course", "home"])
def test_a_folder_that_cannot_be_written_is_said(
    blocked: str,
    shipped: Path,
    started: list[list[str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QKVLIB_HOME", str(tmp_path / "home" / "progress"))
    (tmp_path / blocked).write_text("a file stands in the way")
    assert cli.main(["lab"]) == 1
    said = capsys.readouterr().out
    assert str(tmp_path / blocked) in said
    assert "cannot be written" in said
    assert "QKVLIB_HOME" in said
    assert not started


def test_a_lesson_that_is_not_there_is_named(
    shipped: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.main(["lab", "7"]) == 1
    assert "There is no lesson 7. There is: 00_start, 01_one." in capsys.readouterr().out
