"""Several workers side by side, each in its own process, each replaced when it dies.

Trusted. A submission whose worker dies is graded again by another one, three times at most; then it
is handed back with its fault named, for a human to look at. Memory does not grow with the class.
"""

from __future__ import annotations

import queue
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any

from qkvlib.grading import processes
from qkvlib.grading.room import wire
from qkvlib.grading.room.walls import ALL
from qkvlib.grading.settings import Settings

_SECONDS_TO_START = 240.0
_SECONDS_A_JOB = 1800.0
_MOST_ATTEMPTS = 3


@dataclass(frozen=True)
class Job:
    """One student's files, ready to be sent to a worker."""

    key: str
    header: dict[str, Any]
    payload: bytes


class WorkerLostError(Exception):
    """A worker ended, or fell silent, in the middle of a job."""


class WallsMissingError(Exception):
    """This machine cannot put up all the walls, and the run was told to insist on them."""


class Worker:
    """One worker's process, started when first needed and again after it was lost."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.process: subprocess.Popen[bytes] | None = None
        self.sock: socket.socket | None = None
        self.hello: dict[str, Any] = {}

    def do(self, job: Job) -> dict[str, Any]:
        """The result of one job; WorkerLostError when there is none."""
        try:
            sock = self.sock or self.start()
            wire.send(sock, job.header, job.payload)
            end = time.monotonic() + _SECONDS_A_JOB
            return wire.receive(sock, wire.FROM_THE_GRADER, end)[0]
        except (wire.HungUpError, wire.SilenceError, wire.WireError, OSError) as error:
            self.stop()
            raise WorkerLostError(str(error)) from None

    def do_or_explain(self, job: Job) -> dict[str, Any]:
        """The result of one job, or, after three workers were lost on it, what happened."""
        words = ""
        for _ in range(_MOST_ATTEMPTS):
            try:
                return self.do(job)
            except WorkerLostError as error:
                words = str(error)
        return {"fault": f"{_MOST_ATTEMPTS} workers were lost on it: {words}"}

    def stop(self) -> None:
        """End the process, and with it its zygote."""
        if self.sock is not None:
            self.sock.close()
        if self.process is not None:
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(2)
            processes.kill(self.process)
        self.process = self.sock = None

    def start(self) -> socket.socket:
        """Start the process and hear what it offers; WorkerLostError when it does not start."""
        ours, theirs = socket.socketpair()
        order = {"settings": asdict(self.settings)}
        self.process = processes.start(["-m", "qkvlib.grading.worker"], order, theirs)
        theirs.close()
        self.sock = ours
        try:
            end = time.monotonic() + _SECONDS_TO_START
            self.hello, _ = wire.receive(ours, wire.FROM_THE_GRADER, end)
        except (wire.HungUpError, wire.SilenceError, wire.WireError) as error:
            self.stop()
            raise WorkerLostError(f"a worker did not start: {error}") from None
        missing = [wall for wall in ALL if wall not in self.hello["walls"]]
        if missing and self.settings.require_isolation:
            raise WallsMissingError(", ".join(missing))
        return ours


def run(
    jobs: Iterable[Callable[[], Job]], workers: Sequence[Worker]
) -> Iterator[tuple[Job, dict[str, Any]]]:
    """Each job with its result, as they come. A job is made when a worker is free for it."""
    waiting = iter(jobs)
    taking = threading.Lock()
    done: queue.Queue[tuple[Job, dict[str, Any]] | BaseException | None] = queue.Queue(
        2 * len(workers)
    )
    stopped = threading.Event()

    def work(worker: Worker) -> None:
        try:
            while not stopped.is_set():
                with taking:
                    make = next(waiting, None)
                if make is None:
                    break
                job = make()
                done.put((job, worker.do_or_explain(job)))
            done.put(None)
        except BaseException as error:
            done.put(error)
        finally:
            worker.stop()

    threads = [threading.Thread(target=work, args=(w,), daemon=True) for w in workers]
    for thread in threads:
        thread.start()
    try:
        left = len(workers)
        while left:
            found = done.get()
            if isinstance(found, BaseException):
                raise found
            if found is None:
                left -= 1
            else:
                yield found
    finally:
        stopped.set()
        while any(thread.is_alive() for thread in threads):
            with suppress(queue.Empty):
                done.get(timeout=0.05)
