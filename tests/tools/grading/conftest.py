"""Processes that outlive a test: each loads torch, which takes seconds of a processor.

A worker grades one student after another anyhow, and a zygote is forked for one after another.
"""

from __future__ import annotations

import copy
import select
from collections.abc import Iterator
from pathlib import Path

import pytest

from qkvlib.tools.grading.job import Job
from qkvlib.tools.grading.queue.pool import WorkerProcess
from qkvlib.tools.grading.results import Judgement
from qkvlib.tools.grading.sandbox.child.walls import WallPlan
from qkvlib.tools.grading.sandbox.host import SandboxHost
from qkvlib.tools.grading.settings import Settings


@pytest.fixture(scope="session")
def host() -> Iterator[SandboxHost]:
    """Sandboxes with all walls, forked from a zygote that was started by somebody with a secret."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SECRET_KEY", "dear")
        found = SandboxHost(WallPlan())
    yield found
    found.close()


@pytest.fixture(scope="session")
def open_air() -> Iterator[SandboxHost]:
    """Sandboxes without a wall, which may fill the disk."""
    found = SandboxHost(WallPlan(walls=(), folder_mb=10_000))
    yield found
    found.close()


@pytest.fixture(scope="session", autouse=True)
def workers_are_kept() -> Iterator[None]:
    """Who starts a worker with the usual settings gets one that another has stopped, if it is well.

    One that was stopped in the middle of a job, or has ended, or has more to say, is not kept.
    """
    start, stop, grade = WorkerProcess.start, WorkerProcess.stop, WorkerProcess.grade
    kept: list[WorkerProcess] = []
    at_work: set[int] = set()

    def take_or_start(self: WorkerProcess) -> object:
        while self.settings == Settings() and kept:
            found = kept.pop()
            if idle(found):
                vars(self).update(vars(found))
                return self.sock
            stop(found)
        return start(self)

    def keep_or_stop(self: WorkerProcess) -> None:
        if self.settings == Settings() and id(self) not in at_work and idle(self):
            kept.append(copy.copy(self))
            self.process = self.sock = None
        else:
            stop(self)

    def noted(self: WorkerProcess, job: Job) -> Judgement:
        at_work.add(id(self))
        try:
            return grade(self, job)
        finally:
            at_work.discard(id(self))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WorkerProcess, "start", take_or_start)
        patch.setattr(WorkerProcess, "stop", keep_or_stop)
        patch.setattr(WorkerProcess, "grade", noted)
        yield
    for worker in kept:
        stop(worker)


def idle(worker: WorkerProcess) -> bool:
    """Whether it and its zygote live, and it has nothing to say, not even that it has hung up."""
    if worker.process is None or worker.sock is None or worker.process.poll() is not None:
        return False
    if not Path(f"/proc/{worker.zygote}").exists():  # there is another, whose number nobody knows
        return False
    return not select.select([worker.sock], [], [], 0)[0]
