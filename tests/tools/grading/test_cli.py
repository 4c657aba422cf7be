"""Test `qkv grade` and `qkv export` as an instructor uses them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from qkvlib.tools import cli
from tests.tools.grading.classroom import FULL, MOST, hand_in


def test_a_class_is_graded_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hand_in(tmp_path / "in" / "ada" / "01_similarity.ipynb", FULL)
    out = tmp_path / "out"
    assert cli.main(["grade", str(tmp_path / "in"), "--out", str(out), "--jobs", "1"]) == 0
    assert f"{MOST}  ada" in capsys.readouterr().out
    assert not [path for path in [out, *out.rglob("*")] if path.stat().st_mode & 0o077]  # for the owner only
    written = {path.name for path in out.iterdir()}
    assert written >= {"results.jsonl", "grades.csv", "overview.html", "reports"}
    (tmp_path / "in" / "bob.ipynb").write_text("x")
    assert cli.main(["grade", str(tmp_path / "in"), "--out", str(out)]) == 1
    assert "Please look at this by hand:" in capsys.readouterr().out


def test_a_run_without_the_deadline_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "submitted" / "ada" / "01"
    hand_in(folder / "01_similarity.ipynb", FULL)
    (folder / "timestamp.txt").write_text("2026-11-20 12:00:00 UTC")
    grade = ["grade", str(tmp_path / "submitted"), "--out", str(tmp_path / "out"), "--jobs", "1"]
    words = "Repeat --due and --late in every run."
    assert cli.main(grade) == 0
    assert cli.main([*grade, "--due", "2026-11-18", "--late", "10"]) == 0
    shown = capsys.readouterr().out
    assert words not in shown
    assert f"{0.8 * MOST:g}  ada" in shown
    (tmp_path / "out" / "grades.csv").unlink()  # the record knows it
    assert cli.main(grade) == 0
    assert words in capsys.readouterr().out


@pytest.mark.parametrize(
    ("option", "words"),
    [
        (["--due", "nonsense"], "'nonsense' is no day: write 2026-11-20, or 2026-11-20T23:59"),
        (["--late", "nan"], "'nan' is no number from 0 to 100"),
        (["--late", "-5"], "'-5' is no number from 0 to 100"),
    ],
)
def test_a_deadline_that_cannot_be_is_refused(
    option: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        cli.main(["grade", "in", *option])
    assert words in capsys.readouterr().err


def test_a_name_that_the_console_cannot_show_ends_no_run(tmp_path: Path) -> None:
    for name in ("李雷", "李梅"):
        hand_in(tmp_path / "in" / name / "01_similarity.ipynb", FULL)
    (tmp_path / "in" / "李雷" / "notes.pdf").write_text("x")  # the output mentions it while the run continues
    grade = [sys.executable, "-m", "qkvlib.tools.cli", "grade", "in", "--out", "out"]
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    ran = subprocess.run(grade, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert ran.returncode == 1, ran.stderr
    assert ran.stdout.count(r"\u674e") >= 3
    assert (tmp_path / "out" / "grades.csv").read_text(encoding="utf-8-sig").count("李") >= 2


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["grade", "missing"], 2, "neither a folder nor a zip"),
        (["grade", ".", "--out", "/dev/null/x"], 3, "cannot be written"),
        (["export"], 2, "--nbgrader DIR"),
        (["export", "--gradescope", "x.zip"], 2, "Say --exercises"),
        (["export", "--gradescope", "x", "--exercises", "dott"], 2, "no chapter is called 'dott'"),
        (["export", "--nbgrader", "course"], 2, "run this in the repository"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    arguments: list[str],
    code: int,
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.main(arguments) == code
    error = capsys.readouterr().err
    assert words in error
    assert error.count("\n") == 1


def test_the_command_itself_loads_nothing_heavy(tmp_path: Path) -> None:
    """It would take seconds before anything is graded, in addition to the workers' own."""
    hand_in(tmp_path / "in" / "ada" / "01_similarity.ipynb", FULL)
    code = (
        "import sys\n"
        "from qkvlib.tools import cli\n"
        "assert cli.main(sys.argv[1:]) == 0\n"
        "print({'torch', 'plotly', 'anywidget', 'numpy'} & {*sys.modules})"
    )
    arguments = ["grade", str(tmp_path / "in"), "--out", str(tmp_path / "out")]
    ran = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "set()"


def test_it_runs_on_linux_alone(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert cli.main(["grade", "in"]) == 4
    assert "WSL" in capsys.readouterr().err
