"""Several workers side by side, each in its own process, each replaced when it dies.

Trusted. If a worker dies, its submission is graded again by another one, at most three times. Then it is
returned with the fault named, for a person to look at. Memory does not grow with the class.

Nothing is lent while several sandboxes run. A submission with an exercise that asks for a loan waits until
all others are judged. That exercise is then judged as the only one on the machine.
"""

from __future__ import annotations

import os
import queue
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import TypeAlias

from qkvlib.tools.grading import processes
from qkvlib.tools.grading.job import Job
from qkvlib.tools.grading.results import WANTS_A_LOAN, ExerciseFacts, Judgement, ResultError, from_json
from qkvlib.tools.grading.sandbox.child import protocol
from qkvlib.tools.grading.sandbox.child.walls import NEEDED
from qkvlib.tools.grading.sandbox.folders import remove_what_was_left
from qkvlib.tools.grading.seeds import derived
from qkvlib.tools.grading.settings import Settings, TimeLimits

_SECONDS_TO_START = 240.0
_SECONDS_A_JOB = 1800.0
_MOST_ATTEMPTS = 3
# Starting a worker takes two seconds of a processor, and slows down the workers that are already running.
_SECONDS_WORTH_A_WORKER = 5.0
_SECONDS_OF_HANGING = 1.0  # fifty times what an honest submission takes
_SECONDS_BETWEEN_LOOKS = 0.5
_BEGIN = Path(__file__).resolve().parent / "begin.py"
_TOLD = ("QKVLIB_DEBUG", "TMPDIR")  # all that a worker reads from the environment
_LOST = (protocol.DisconnectedError, protocol.DeadlineError, protocol.ProtocolError)

# Jobs that are not made yet: each reads its files when a worker is free for it.
Jobs: TypeAlias = Sequence[Callable[[], Job]]
Judged: TypeAlias = tuple[Job, Judgement]


class WorkerLostError(Exception):
    """A worker ended, or stopped answering, in the middle of a job."""


class WallsMissingError(Exception):
    """This machine cannot put all restrictions in place, and the run was told to insist on them."""


class WorkerProcess:
    """One worker, started when first needed and again after it was lost.

    Once it is started, `walls` are the restrictions on its sandboxes, `exercises` what it can judge,
    `questions` what only a person can, and `zygote` is the number of the process that its sandboxes are
    forked from.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.process: subprocess.Popen[bytes] | None = None
        self.sock: socket.socket | None = None
        self.walls: tuple[str, ...] = ()
        self.zygote = 0
        self.exercises: Mapping[str, ExerciseFacts] = {}
        self.questions: Mapping[str, ExerciseFacts] = {}
        self.abandoned = False

    def grade(self, job: Job) -> Judgement:
        """Return the judgement on one job; raise WorkerLostError if there is none."""
        try:
            sock = self.sock or self.start()
            protocol.send(sock, job.header(), job.payload)
            end = time.monotonic() + _SECONDS_A_JOB
            return from_json(Judgement, protocol.receive(sock, protocol.GRADER_LIMITS, end)[0])
        except (*_LOST, ResultError, OSError) as error:
            self.stop()
            raise WorkerLostError(str(error)) from None

    def grade_or_explain(self, job: Job) -> Judgement:
        """Return the judgement on one job, or, after three workers were lost on it, an explanation."""
        words = ""
        for _ in range(_MOST_ATTEMPTS):
            try:
                return self.grade(job)
            except WorkerLostError as error:
                words = str(error)
                if self.abandoned:
                    break
        return Judgement(fault=f"{_MOST_ATTEMPTS} workers were lost on it: {words}")

    def stop(self) -> None:
        """End the process, and with it its zygote."""
        if self.sock is not None:
            self.sock.close()
        if self.process is not None:
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(2)
            processes.kill(self.process)
        self.process = self.sock = None

    def abandon(self) -> None:
        """End the process at once, whatever it does, and start no other: nothing waits for it any more."""
        self.abandoned = True
        process = self.process
        if process is not None:
            processes.kill(process)

    def start(self) -> socket.socket:
        """Start the process and read what it offers; raise WorkerLostError if it does not start."""
        if self.abandoned:
            raise WorkerLostError("nobody waits for it any more")
        ours, theirs = socket.socketpair()
        self.process = self._process(theirs)
        theirs.close()
        self.sock = ours
        try:
            end = time.monotonic() + _SECONDS_TO_START
            hello, _ = protocol.receive(ours, protocol.GRADER_LIMITS, end)
        except _LOST as error:
            self.stop()
            raise WorkerLostError(f"a worker did not start: {error}") from None
        self.walls, self.zygote = tuple(hello["walls"]), hello["zygote"]
        self.exercises, self.questions = (
            {name: from_json(ExerciseFacts, facts) for name, facts in hello[kind].items()}
            for kind in ("exercises", "questions")
        )
        missing = [wall for wall in NEEDED if wall not in self.walls]
        if missing and self.settings.require_isolation:
            raise WallsMissingError(", ".join(missing))
        return ours

    def _process(self, theirs: socket.socket) -> subprocess.Popen[bytes]:
        order: dict[str, object] = {"settings": asdict(self.settings)}
        # It forks a zygote while it knows nothing, so it is told what it needs only afterwards.
        order["path"] = [os.path.abspath(place) for place in sys.path]
        order["environment"] = {name: os.environ[name] for name in _TOLD if name in os.environ}
        environment = processes.bare_environment()
        return processes.start(["-I", str(_BEGIN)], order, theirs, environment)


class _Waiting:
    """The jobs that no worker has taken yet, and whether they are worth starting one more worker."""

    def __init__(self, jobs: Jobs) -> None:
        self.judged = 0
        self.alone: list[tuple[Callable[[], Job], Judgement]] = []  # with what is known so far
        self._jobs = list(reversed(jobs))
        self._began = time.monotonic()
        self._taken: dict[int, float] = {}  # when each worker took its job
        self._all_taken = threading.Event()

    def take(self, worker: int) -> Callable[[], Job] | None:
        """Return the next job, for the worker of this number; None when none is left."""
        self._taken[worker] = time.monotonic()
        with suppress(IndexError):
            return self._jobs.pop()
        self._all_taken.set()
        return None

    def forget(self) -> None:
        """Drop the remaining jobs."""
        self._jobs.clear()
        self.alone.clear()
        self._all_taken.set()

    def are_worth(self, worker: int) -> bool:
        """Wait until the remaining jobs, at the present pace, are worth starting the worker of this number.

        The first, 0, is always worth it. Another one is in a large class, if there are processors for it
        or if a submission hangs: that takes a worker's time and no processor's. Return False once all jobs
        have been taken.
        """
        has_processors = worker < cores()
        while worker and not self._all_taken.wait(_SECONDS_BETWEEN_LOOKS):
            a_job = (time.monotonic() - self._began) / max(self.judged, 1)
            large = a_job * len(self._jobs) > worker * _SECONDS_WORTH_A_WORKER
            if large and (has_processors or self._one_hangs()):
                break
        return not self._all_taken.is_set()

    def _one_hangs(self) -> bool:
        latest = time.monotonic() - _SECONDS_OF_HANGING
        return any(taken < latest for taken in list(self._taken.values()))


def cores() -> int:
    """Return how many processors this run may use."""
    return len(os.sched_getaffinity(0))


def run_jobs(jobs: Jobs, workers: Sequence[WorkerProcess]) -> Generator[Judged, None, None]:
    """Return each job with its judgement, in the order in which they finish. A job is made when a worker is
    free for it.

    A job that is answered with WANTS_A_LOAN comes twice, so that the time of both runs can be counted.
    """
    waiting = _Waiting(jobs)
    one_at_a_time = min(len(workers), len(jobs)) < 2
    done: queue.Queue[Judged | BaseException | None] = queue.Queue(2 * len(workers))

    def work(number: int, worker: WorkerProcess) -> None:
        try:
            if waiting.are_worth(number):
                while make := waiting.take(number):
                    job = replace(make(), alone=one_at_a_time)
                    judged = worker.grade_or_explain(job)
                    if judged.fault == WANTS_A_LOAN:
                        waiting.alone.append((make, judged))
                    done.put((job, judged))
            if number == 0:
                for other in threads[1:]:
                    other.join()  # it has stopped its worker, and so its sandbox
                while waiting.alone:
                    done.put(_judged_alone(worker, *waiting.alone.pop(0)))
                done.put(None)
        except BaseException as error:
            done.put(error)
        finally:
            worker.stop()
            if number:
                done.put(None)

    threads = [threading.Thread(target=work, args=one, daemon=True) for one in enumerate(workers)]
    for thread in reversed(threads):  # at the end, the first waits for all others
        thread.start()
    left = len(workers)
    try:
        while left:
            found = done.get()
            if isinstance(found, BaseException):
                raise found
            if found is None:
                left -= 1
            else:
                waiting.judged += 1
                yield found
    finally:
        waiting.forget()
        while any(thread.is_alive() for thread in threads):
            if left:  # the run was stopped, or a worker failed
                for worker in workers:
                    worker.abandon()
            with suppress(queue.Empty):
                done.get(timeout=0.05)
        if left:
            remove_what_was_left()


def _judged_alone(worker: WorkerProcess, make: Callable[[], Job], so_far: Judgement) -> Judged:
    job = make()
    rest = rest_of(job, so_far, worker.settings.time_limits)
    return job, so_far.with_the_rest(worker.grade_or_explain(rest), job.names)


def rest_of(job: Job, so_far: Judgement, limits: TimeLimits) -> Job:
    """Return the job of what still needs a loan: with loans, with new cases, in the time that is left."""
    judged = {row.exercise for row in so_far.exercises}
    return replace(
        job,
        names=tuple(name for name in job.names if name not in judged),
        seed=derived(job.seed, "alone"),
        seconds=max(job.seconds - so_far.seconds, min(job.seconds, limits.usual)),
        alone=True,
    )
