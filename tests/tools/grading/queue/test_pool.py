"""Test when a second worker joins the first: only when it saves more than its start costs."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

import pytest

from qkvlib.tools.grading.job import Job
from qkvlib.tools.grading.queue import pool
from qkvlib.tools.grading.results import WANTS_A_LOAN, Judgement, Row
from qkvlib.tools.grading.settings import Settings, TimeLimits


def job(seed: int) -> Job:
    return Job("", (), (), (), (), seed, b"")


class Colleague:
    """Stand in for a worker: note its jobs, and if asked wait for another worker before answering."""

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


def after_a_moment(made: Job) -> Job:
    time.sleep(0.002)
    return made


def run(*workers: Any) -> int:
    jobs: list[Any] = [lambda: job(0)] * 50
    return len(list(pool.run_jobs(jobs, workers)))


def test_what_is_soon_done_is_left_to_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "_SECONDS_BETWEEN_LOOKS", 0.001)
    monkeypatch.setattr(pool, "_SECONDS_WORTH_A_WORKER", 300.0)  # the machine may be busy
    first, second = Colleague(), Colleague()
    assert run(first, second) == 50
    assert not second.took.is_set()


def test_where_something_hangs_another_joins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "_SECONDS_BETWEEN_LOOKS", 0.01)
    monkeypatch.setattr(pool, "cores", lambda: 1)
    second = Colleague()
    assert run(Colleague(second.took), second) == 50


@pytest.mark.parametrize(("processors", "joins"), [(1, False), (2, True)])
def test_a_large_class_gets_another_where_there_are_processors_for_it(
    processors: int, joins: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "_SECONDS_BETWEEN_LOOKS", 0.001)
    monkeypatch.setattr(pool, "_SECONDS_WORTH_A_WORKER", 0.0)
    monkeypatch.setattr(pool, "_SECONDS_OF_HANGING", 300.0)
    monkeypatch.setattr(pool, "cores", lambda: processors)
    second = Colleague()
    slow = [partial(after_a_moment, job(0))] * 50
    first = Colleague(second.took if joins else None)
    assert len(list(pool.run_jobs(slow, [first, second]))) == 50  # type: ignore[list-item]
    assert second.took.is_set() == joins


class Lender:
    """Stand in for a worker whose every second submission asks for a loan, until it is alone."""

    settings = Settings()
    at_work: ClassVar[set[int]] = set()  # seeds of the submissions being judged now
    sandboxes: ClassVar[set[int]] = set()  # the workers whose sandboxes still run
    seen: ClassVar[list[Job]] = []

    def grade_or_explain(self, job: Job) -> Judgement:
        self.at_work.add(job.seed)
        self.sandboxes.add(id(self))
        self.seen.append(job)
        for _ in range(2):
            if job.alone:
                assert self.at_work == {job.seed}
                assert self.sandboxes == {id(self)}
            time.sleep(0.001)
        self.at_work.discard(job.seed)
        asks = job.seed % 2 and not job.alone
        return Judgement(fault=WANTS_A_LOAN if asks else "", seconds=1.0, points=0)

    def stop(self) -> None:
        self.sandboxes.discard(id(self))


def test_nothing_is_lent_while_others_are_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "_SECONDS_BETWEEN_LOOKS", 0.001)
    monkeypatch.setattr(pool, "_SECONDS_WORTH_A_WORKER", 0.0)
    monkeypatch.setattr(pool, "cores", lambda: 3)
    Lender.seen.clear()
    jobs = [partial(job, seed) for seed in range(40)]
    found = list(pool.run_jobs(jobs, [Lender(), Lender(), Lender()]))  # type: ignore[list-item]
    assert sorted(judged.fault for _, judged in found) == [""] * 40 + [WANTS_A_LOAN] * 20
    assert len({one.seed for one in Lender.seen}) == 60, "whoever is asked again has other cases"
    assert [one.alone for one in Lender.seen[40:]] == [True] * 20


def test_who_is_alone_anyhow_is_lent_at_once() -> None:
    for many, workers in ((5, 1), (1, 2)):
        Lender.seen.clear()
        jobs = [partial(job, seed) for seed in range(1, many + 1)]
        list(pool.run_jobs(jobs, [Lender() for _ in range(workers)]))  # type: ignore[misc]
        assert [one.alone for one in Lender.seen] == [True] * many


def test_who_is_judged_twice_has_no_more_time_for_it() -> None:
    def left(whole: float, used: float) -> float:
        work, so_far = replace(job(1), seconds=whole), Judgement(seconds=used)
        return pool.rest_of(work, so_far, TimeLimits(usual=20.0)).seconds

    assert [left(120.0, used) for used in (0.0, 50.0, 119.0)] == [120, 70, 20]
    assert left(5.0, 5.0) == 5


def row(name: str, points: int) -> Row:
    return Row(name, 1, "right" if points else "wrong", points, 2)


def test_the_second_look_is_at_what_the_first_left_out_and_both_count() -> None:
    work = replace(job(1), names=("one", "two", "three"))
    first = Judgement(
        fault=WANTS_A_LOAN,
        problems=("a", "b"),
        exercises=(row("one", 2), row("three", 0)),
        points=2,
        possible=4,
        walls=("limits", "files"),
    )
    assert pool.rest_of(work, first, TimeLimits()).names == ("two",)
    rest = Judgement(problems=("b", "c"), exercises=(row("two", 2),), points=2, possible=2, walls=("limits",))
    found = first.with_the_rest(rest, work.names)
    assert [one.exercise for one in found.exercises] == ["one", "two", "three"]
    assert (found.points, found.possible, found.fault) == (4, 6, "")
    assert (found.problems, found.walls) == (("a", "b", "c"), ("limits",))
    lost = Judgement(fault="workers were lost on it")
    assert first.with_the_rest(lost, work.names) == lost, "what is not whole counts for nothing"
