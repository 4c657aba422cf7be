"""Test that the doctor finds each fault, says how to fix it, and never fails itself."""

from __future__ import annotations

import json
import sys
from importlib import metadata
from pathlib import Path

import pytest

from qkvlib.app import doctor as checkup
from qkvlib.tools import cli


def lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return capsys.readouterr().out.splitlines()


def test_a_healthy_installation_is_ok_in_every_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["doctor"]) == 0
    said = lines(capsys)
    assert said[-1] == "Everything is ready."
    assert all(line.startswith("OK ") for line in said[:-1]), said
    for what in ("Python", "torch", "anywidget's part", "ipywidgets' part", "kernel", "files"):
        assert any(what in line for line in said)


def test_a_missing_package_fails_with_the_command_that_mends_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    version = metadata.version

    def without_torch(name: str) -> str:
        if name == "torch":
            raise metadata.PackageNotFoundError(name)
        return version(name)

    monkeypatch.setattr(metadata, "version", without_torch)
    assert cli.main(["doctor"]) == 1
    said = lines(capsys)
    at = said.index("FAIL  torch: missing")
    assert f'"{sys.executable}" -m pip install "torch>=' in said[at + 1]


def test_a_package_that_is_too_old_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metadata, "version", lambda name: "0.0.1")
    found = {finding.what: finding for finding in checkup.examine()}
    assert "but >=" in found["torch"].found
    assert "--upgrade" in str(found["torch"].cure)


def test_a_front_end_of_another_version_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    assert checkup._anywidget().found == "not found"
    assert checkup._jupyterlab_widgets().found == "not found"
    file = tmp_path / "share/jupyter/labextensions/anywidget/package.json"
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps({"version": "0.1.0"}))
    finding = checkup._anywidget()
    assert finding.found.startswith("0.1.0, but the Python package is")
    assert "install --force-reinstall anywidget==" in str(finding.cure)


def test_a_kernel_of_another_python_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = tmp_path / "kernels" / "python3"
    spec.mkdir(parents=True)
    other = str(tmp_path / "python")
    argv = {"argv": [other, "-m", "ipykernel_launcher"], "display_name": "x", "language": "python"}
    (spec / "kernel.json").write_text(json.dumps(argv))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    finding = checkup._kernel()
    assert f"starts {other}" in finding.found
    assert finding.cure is not None


def test_the_doctor_survives_its_own_surprises() -> None:
    def _look() -> checkup.Finding:
        raise RuntimeError("surprise")

    finding = checkup._guarded(_look)
    assert finding.what == "look"
    assert "surprise" in finding.found
    assert finding.cure is not None


def test_the_bare_command_says_what_it_can_do(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([]) == 2
    said = capsys.readouterr().out
    assert all(f"    {command} " in said for command in ("doctor", "lab", "build", "grade"))
