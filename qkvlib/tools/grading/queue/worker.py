"""A worker's process: it takes one student's files at a time, and returns one judgement.

Trusted. `pool.py` starts it, and it ends together with the process that started it. `begin.py` runs first,
and forks the zygote from which sandboxes are forked.
"""

from __future__ import annotations

import gc
import os
import select
import socket
import threading
from collections.abc import Mapping
from typing import Any, TypedDict

from qkvlib.tools.grading import processes
from qkvlib.tools.grading.job import received
from qkvlib.tools.grading.judge.own_limits import limit_own_memory
from qkvlib.tools.grading.results import from_json, to_json
from qkvlib.tools.grading.sandbox.child import protocol
from qkvlib.tools.grading.sandbox.child.walls import NEEDED
from qkvlib.tools.grading.sandbox.host import SandboxHost
from qkvlib.tools.grading.settings import Settings

_OWN_MEGABYTES = 1024


class Hello(TypedDict):
    """A worker's first message: the restrictions that are in place, and what it can judge."""

    walls: list[str]
    zygote: int
    exercises: dict[str, protocol.Header]
    questions: dict[str, protocol.Header]


def main(order: Mapping[str, Any], zygote: processes.Forked) -> None:
    """Grade until the process that started this one hangs up. Sandboxes are forked from the `zygote`."""
    processes.hide_from_others()
    settings = from_json(Settings, order["settings"])
    host = SandboxHost(settings.plan, zygote)
    try:
        sock = socket.socket(fileno=order["handle"])
        _end_with_the_other_end(sock, host)
        _work(sock, settings, host)
    except protocol.DisconnectedError:
        host.close()


def _end_with_the_other_end(sock: socket.socket, host: SandboxHost) -> None:
    """End when the process that started this one ends or is killed: nothing waits for the work any more."""

    def wait() -> None:
        ended = select.poll()
        ended.register(sock, 0)  # only its end, not its messages
        ended.poll()
        try:
            host.close()
        finally:
            os._exit(0)

    threading.Thread(target=wait, daemon=True).start()


def _work(sock: socket.socket, settings: Settings, host: SandboxHost) -> None:
    gc.disable()  # until everything is loaded: there is nothing to collect, but much to search through
    import torch

    from qkvlib.tools.grading.judge.grade_submission import catalogue, grade, questions
    from qkvlib.tools.grading.judge.judging import Judge

    gc.freeze()
    gc.enable()
    torch.set_num_threads(1)
    limit_own_memory(_OWN_MEGABYTES)
    with host.open() as sandbox:
        walls = sandbox.walls
    hello: Hello = {
        "walls": list(walls),
        "zygote": host.zygote_number(),
        "exercises": {name: to_json(facts) for name, facts in catalogue().items()},
        "questions": {name: to_json(facts) for name, facts in questions().items()},
    }
    protocol.send(sock, hello)
    if settings.require_isolation and not set(NEEDED) <= set(walls):
        return
    while True:
        job = received(*protocol.receive(sock, protocol.GRADER_LIMITS))
        protocol.send(sock, to_json(grade(Judge(host, settings.time_limits), job)))
