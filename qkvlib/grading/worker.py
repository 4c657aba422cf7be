"""A grader's process: takes one student's files at a time, gives back one result.

Trusted. Started by `pool.py` as `python -m qkvlib.grading.worker`; dies with whoever started it.
The zygote is set going before anything else, so that both load torch at the same time.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from typing import TYPE_CHECKING

from qkvlib.grading import processes
from qkvlib.grading.caps import hide_from_others, limit_own_memory
from qkvlib.grading.room import wire
from qkvlib.grading.room.walls import ALL
from qkvlib.grading.rooms import Rooms
from qkvlib.grading.settings import Settings, read_settings

if TYPE_CHECKING:
    import socket

_OWN_MEGABYTES = 4096


def main() -> None:
    """Grade until whoever started this hangs up."""
    order = json.loads(sys.stdin.readline())
    hide_from_others()
    settings = read_settings(order["settings"])
    rooms = Rooms(settings.plan, settings.fork)
    try:
        _work(processes.connection(order), settings, rooms)
    except wire.HungUpError:
        rooms.close()


def _work(sock: socket.socket, settings: Settings, rooms: Rooms) -> None:
    gc.disable()  # until all is loaded: there is nothing to collect, only to look through
    import torch

    from qkvlib.grading.judging import Judge
    from qkvlib.grading.work import catalogue, grade

    gc.freeze()
    gc.enable()
    torch.set_num_threads(1)
    limit_own_memory(_OWN_MEGABYTES)
    with rooms.open() as room:
        walls = room.walls
    number = rooms.zygote_number()
    wire.send(sock, {"walls": walls, "zygote": number, "exercises": catalogue()})
    if settings.require_isolation and not set(ALL) <= set(walls):
        return
    judge = Judge(rooms, settings.allowance)
    while True:
        job, payload = wire.receive(sock, wire.FROM_THE_GRADER)
        wire.send(sock, grade(judge, job, payload))


if __name__ == "__main__":
    try:
        main()
    finally:
        os._exit(0)
