"""Test that a learner's progress survives crashes, damage and two notebooks at once."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path

import pytest

from qkvlib.learner import progress


def test_a_fact_comes_back_as_it_was_recorded(home: Path) -> None:
    progress.record("predictions", "long-vector-wins", {"choice": 1})
    assert progress.recall("predictions", "long-vector-wins") == {"choice": 1}
    assert progress.recall("goals", "long-vector-wins") is None


def test_recall_all_returns_each_fact_of_one_kind(home: Path) -> None:
    progress.record("goals", "b", True)
    progress.record("goals", "a", 1)
    progress.record("hints", "c", 2)
    assert progress.recall_all("goals") == {"a": 1, "b": True}


@pytest.mark.parametrize("damage", [b"", b"{", b"\xff\xfe", b"[1, 2"])
def test_a_damaged_file_starts_afresh(home: Path, damage: bytes) -> None:
    progress.record("exercises", "dot", "right")
    (home / "exercises" / "dot.json").write_bytes(damage)
    assert progress.recall("exercises", "dot") is None
    progress.record("exercises", "dot", "wrong")
    assert progress.recall("exercises", "dot") == "wrong"


def test_a_write_that_fails_half_way_leaves_the_old_fact(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    progress.record("exercises", "dot", "right")
    monkeypatch.setattr(os, "fsync", _disk_full)
    with pytest.warns(UserWarning, match="could not be saved"):
        progress.record("exercises", "dot", "wrong")
    assert progress.recall("exercises", "dot") == "right"
    assert [path.name for path in (home / "exercises").iterdir()] == ["dot.json"]


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps no such bits")
def test_the_facts_are_nobody_elses_business(home: Path) -> None:
    progress.record("goals", "a", True)
    assert (home / "goals").stat().st_mode & 0o077 == 0


def _disk_full(_: int) -> None:
    raise OSError(28, "No space left on device")


def test_two_notebooks_at_once_lose_nothing(home: Path) -> None:
    def write(kind_of_thread: str) -> None:
        for i in range(40):
            progress.record("goals", f"{kind_of_thread}-{i}", i)
            progress.record("goals", "shared", i)

    threads = [threading.Thread(target=write, args=(name,)) for name in ("a", "b")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    facts = progress.recall_all("goals")
    assert len(facts) == 81
    assert facts["shared"] == 39


def test_a_name_that_is_no_file_name_is_refused(home: Path) -> None:
    with pytest.raises(ValueError, match="cannot name a fact"):
        progress.record("goals", "../outside", True)
    assert not json.loads(json.dumps(progress.recall_all("goals")))


def test_a_folder_that_cannot_be_written_warns_and_goes_on(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "file").write_text("in the way")
    monkeypatch.setenv("QKVLIB_HOME", str(home / "file"))
    with pytest.warns(UserWarning, match="could not be saved"):
        progress.record("goals", "a", True)
    assert progress.recall_all("goals") == {}
