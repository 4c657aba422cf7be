"""When a second worker joins the first: only where it is worth its start."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from qkvlib.tools.grading.queue import pool
from qkvlib.tools.grading.results import Judgement


class Colleague:
    """Stands for a worker: notes what it was given, and may wait for another before it answers."""

    def __init__(self, waits_for: threading.Event | None = None) -> None:
        self.took = threading.Event()
        self.waits_for = waits_for

    def grade_or_explain(self, job: object) -> Judgement:
        self.took.set()
        if self.waits_for:
            assert self.waits_for.wait(20)
        return Judgement()

    def stop(self) -> None:
        pass


def run(*workers: Any) -> int:
    jobs: list[Any] = [object] * 50
    return len(list(pool.run_jobs(jobs, workers)))


def test_what_is_soon_done_is_left_to_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "_SECONDS_BETWEEN_LOOKS", 0.001)
    first, second = Colleague(), Colleague()
    assert run(first, second) == 50
    assert not second.took.is_set()


def test_where_something_hangs_another_joins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "_SECONDS_BETWEEN_LOOKS", 0.01)
    second = Colleague()
    assert run(Colleague(second.took), second) == 50
