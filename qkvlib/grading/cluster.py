"""The same work on a dask.distributed cluster: each of its threads keeps one grader's process.

Trusted: the scheduler, its workers and the network between them. Submissions travel with the jobs,
so no common disk is needed. A node that dies costs time; dask gives its jobs to another.
"""

from __future__ import annotations

import atexit
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from typing import Any

from qkvlib.grading.pool import Job, Worker
from qkvlib.grading.run import Runner
from qkvlib.grading.settings import Settings, read_settings

_JOBS_A_THREAD = 3
_WORKERS: dict[int, Worker] = {}


def runner(address: str, settings: Settings) -> Runner:
    """What `grade_class` calls with its jobs; the results come in any order."""
    from distributed import Client, as_completed

    def run(jobs: Iterable[Callable[[], Job]]) -> Iterator[tuple[Job, dict[str, Any]]]:
        waiting = iter(jobs)
        with Client(address, set_as_default=False) as client:
            under_way: dict[Any, Job] = {}
            queue = as_completed(loop=client.loop)

            def submit_one() -> None:
                make = next(waiting, None)
                if make is not None:
                    job = make()
                    future = client.submit(
                        grade_here, asdict(settings), job.header, job.payload,
                        key=f"qkv-{job.key}-{job.header['seed']}",
                        pure=False, retries=2,
                    )  # fmt: skip
                    under_way[future] = job
                    queue.add(future)

            for _ in range(max(2, _JOBS_A_THREAD * sum(client.nthreads().values()))):
                submit_one()
            for future in queue:
                yield under_way.pop(future), _result(future)
                future.release()
                submit_one()

    return run


def grade_here(settings: dict[str, Any], header: dict[str, Any], payload: bytes) -> dict[str, Any]:
    """Runs on the cluster: hand the job to this thread's own grader's process."""
    thread = threading.get_ident()
    if thread not in _WORKERS:
        _WORKERS[thread] = Worker(read_settings(settings))
        atexit.register(_WORKERS[thread].stop)
    return _WORKERS[thread].do_or_explain(Job("", header, payload))


def _result(future: Any) -> dict[str, Any]:
    error = future.exception()
    if error is None:
        result: dict[str, Any] = future.result()
        return result
    return {"fault": f"the cluster gave up on it: {type(error).__name__}: {error}"[:500]}
