"""Do the same work on a dask.distributed cluster: each of its threads keeps one worker's process.

Trusted: the scheduler, its nodes and the network between them. Submissions are sent with the jobs, so no
shared disk is needed. A node that dies costs time; dask gives its jobs to another.
"""

from __future__ import annotations

import atexit
import logging
import os
import threading
from collections.abc import Generator
from dataclasses import replace
from typing import Any

from qkvlib.tools.grading.job import Job
from qkvlib.tools.grading.queue.pool import Jobs, Judged, WorkerLostError, WorkerProcess
from qkvlib.tools.grading.results import Judgement
from qkvlib.tools.grading.settings import Settings

_JOBS_A_THREAD = 3
_WORKERS: dict[int, WorkerProcess] = {}


def run_jobs_on_cluster(address: str, settings: Settings, jobs: Jobs) -> Generator[Judged, None, None]:
    """Do the same as `pool.run_jobs`, on the cluster whose scheduler is at `address`, in any order."""
    from distributed import Client, as_completed

    if not os.environ.get("QKVLIB_DEBUG"):
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # we report ourselves what is lost
    waiting = iter(jobs)
    with Client(address, set_as_default=False) as client:
        under_way: dict[Any, Job] = {}
        done = as_completed(loop=client.loop)

        def submit_one() -> None:
            make = next(waiting, None)
            if make is not None:
                job = replace(make(), alone=False)
                future = client.submit(
                    grade_here, settings, job, key=f"qkv-{job.key}-{job.seed}", pure=False, retries=2
                )
                under_way[future] = job
                done.add(future)

        for _ in range(max(2, _JOBS_A_THREAD * sum(client.nthreads().values()))):
            submit_one()
        for future in done:
            yield under_way.pop(future), _judgement(future)
            future.release()
            submit_one()


def grade_here(settings: Settings, job: Job) -> Judgement:
    """Run on the cluster: hand the job to this thread's own worker."""
    thread = threading.get_ident()
    if thread not in _WORKERS:
        _WORKERS[thread] = WorkerProcess(settings)
        atexit.register(_WORKERS[thread].stop)
    return _WORKERS[thread].grade_or_explain(job)


def _judgement(future: Any) -> Judgement:
    if future.cancelled():
        raise WorkerLostError("the cluster's scheduler is gone, or has been started anew")
    error = future.exception()
    if error is None:
        judged: Judgement = future.result()
        return judged
    return Judgement(fault=f"the cluster gave up on it: {type(error).__name__}: {error}"[:500])
