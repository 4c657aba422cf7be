"""Test that the record loses no result, and accepts none that something else wrote."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import pytest

from qkvlib.tools.grading.queue.record import Record, RecordError
from qkvlib.tools.grading.results import to_json
from tests.tools.grading.classroom import result


def line(key: str) -> bytes:
    return json.dumps(to_json(result(key))).encode() + b"\n"


def keys(record: Record) -> list[str]:
    """Return the keys of every line whose key is a letter."""
    return [found.key for found in record.results("abcdefgh")]


def test_a_record_is_taken_up_where_it_stopped(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    first = Record(path)
    first.add(result("a"))
    first.add(result("b", fault="the machine"))
    first.close()
    second = Record(path)
    assert second.keys == {"a"}  # what could not be graded is tried again
    second.add(result("b"))
    assert keys(second) == ["a", "b", "b"]


@pytest.mark.parametrize("half", [b'{"key": "c', b'{"key": "c"}', b"\xff\xfe"])
def test_half_a_line_is_cut_off_and_nothing_else(half: bytes, tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_bytes(line("a") + half)
    record = Record(path)
    assert record.keys == {"a"}
    record.add(result("b"))
    assert keys(record) == ["a", "b"]


def test_a_foreign_line_in_the_middle_is_not_passed_over(tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_text('{"key": "a"}\nhello\n{"key": "b"}\n')
    with pytest.raises(RecordError, match="no result"):
        Record(tmp_path / "r.jsonl")


def test_lines_of_another_version_are_kept_and_not_read(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_bytes(b'{"key": "z", "marks": {"dot": 1}}\n' + line("a"))
    record = Record(path)
    record.add(result("b"))
    assert record.keys == {"a", "b", "z"}
    assert keys(record) == ["a", "b"]
    assert path.read_bytes().startswith(b'{"key": "z", ')
    with pytest.raises(RecordError, match=r"no result .*Move the file away"):
        list(record.results({"z"}))


@pytest.mark.parametrize("how", ["add", "change", "replace", "remove"])
def test_a_change_by_somebody_else_is_noticed(how: str, tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    record = Record(path)
    record.add(result("a", points=1))
    if how == "add":
        path.write_bytes(path.read_bytes() + b'{"key": "z"}\n')
    elif how == "change":
        path.write_bytes(path.read_bytes().replace(b'"points": 1', b'"points": 9'))
    else:
        path.rename(tmp_path / "old")
        if how == "replace":
            path.write_bytes((tmp_path / "old").read_bytes())
    with pytest.raises(RecordError, match="somebody else"):
        keys(record)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_is_said_plainly_and_costs_no_earlier_line(tmp_path: Path) -> None:
    import resource

    record = Record(tmp_path / "r.jsonl")
    record.add(result("a"))
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (500, before[1]))  # a disk of 500 bytes
    try:
        with pytest.raises(RecordError, match="make room"):
            record.add(result("b", problems=("x" * 1000,)))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)
    record.add(result("c"))
    assert keys(record) == ["a", "c"]
