"""Keep processes from one test to the next: each loads torch, which takes seconds of a processor.

In real runs too, a worker grades many students in turn, and a zygote is forked for each of them.
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
    """Start sandboxes with all walls, forked from a zygote whose parent has a secret."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SECRET_KEY", "dear")
        found = SandboxHost(WallPlan())
    yield found
    found.close()


@pytest.fixture(scope="session")
def open_air() -> Iterator[SandboxHost]:
    """Start sandboxes without any wall, which may fill the disk."""
    found = SandboxHost(WallPlan(walls=(), folder_mb=10_000))
    yield found
    found.close()


@pytest.fixture(scope="session", autouse=True)
def workers_are_kept() -> Iterator[None]:
    """Starting a worker with the usual settings returns a stopped one, if it is in good order.

    A worker is not kept if it was stopped in the middle of a job, has ended, or has more to say.
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
    """Return whether it and its zygote live, and nothing is waiting to be read, not even a hang-up."""
    if worker.process is None or worker.sock is None or worker.process.poll() is not None:
        return False
    if not Path(f"/proc/{worker.zygote}").exists():  # it has another zygote, whose process id is unknown
        return False
    return not select.select([worker.sock], [], [], 0)[0]
