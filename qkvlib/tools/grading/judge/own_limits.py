"""Limits that the grader puts on itself, so that an odd answer cannot exhaust it.

Trusted. A few bytes from a learner may lead to a very large computation. Sizes are checked before comparing,
and these limits hold if a check was forgotten.
"""

from __future__ import annotations

import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from qkvlib.calling.call import Interruption
from qkvlib.tools.grading.sandbox.child.walls import mapped


class OwnLimitReached(Interruption):
    """The grader worked too long on one answer. No verdict catches this."""


def limit_own_memory(megabytes: int) -> None:
    """Limit how much this process may grow; keep a lower limit that is already in place."""
    most = mapped() + (megabytes << 20)
    with suppress(ValueError):
        resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))


@contextmanager
def own_megabytes(megabytes: int) -> Iterator[None]:
    """Limit how much this process may grow for now; exceeding it raises."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    limit_own_memory(megabytes)
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


@contextmanager
def own_seconds(seconds: float) -> Iterator[None]:
    """Raise OwnLimitReached when this process has computed for this long; waiting does not count."""

    def stop(number: int, frame: object) -> None:
        raise OwnLimitReached(f"judging one answer took the grader more than {seconds:g} seconds")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
