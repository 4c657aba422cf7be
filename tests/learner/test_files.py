"""Test that a file is written completely or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from qkvlib.learner.files import write_atomically


def test_text_and_bytes_arrive_as_they_are(tmp_path: Path) -> None:
    write_atomically(tmp_path / "new" / "x", "“one”\ntwo\n")
    assert (tmp_path / "new" / "x").read_bytes() == "“one”\ntwo\n".encode()
    write_atomically(tmp_path / "new" / "x", b"\x00\xff")
    assert (tmp_path / "new" / "x").read_bytes() == b"\x00\xff"


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_atomically(tmp_path / "x", "old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, step, full)
    with pytest.raises(OSError, match="No space"):
        write_atomically(tmp_path / "x", "new", lasting=True)
    assert (tmp_path / "x").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["x"]


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps no such bits")
def test_a_file_may_be_read_by_whom_the_user_lets_read(tmp_path: Path) -> None:
    (tmp_path / "plain").touch()
    write_atomically(tmp_path / "x", "text")
    assert (tmp_path / "x").stat().st_mode == (tmp_path / "plain").stat().st_mode
