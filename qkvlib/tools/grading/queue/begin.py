"""Where a worker's process begins on Linux: `python -I <this file>`, with its order on stdin.

Trusted. A worker and its zygote both need torch, which takes a second to load. So this process loads it,
together with the sandbox's files, and forks the zygote while it knows nothing else: it has not read its
order, nothing of the course is loaded, and the environment is bare. What a process once knew may stay in its
memory, and learners' code runs in forks of this one.
"""

from __future__ import annotations

import json
import os
import socket
import sys
import traceback
from types import ModuleType

_SANDBOX = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "sandbox")


def _fork() -> tuple[int, socket.socket, int, int] | None:
    """Fork the zygote: return the arguments of `processes.Forked`, or None in the zygote itself.

    The zygote keeps only its end of the connection, a stdin of its own, and the place where this process
    writes its errors.
    """
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    reading, writing = os.pipe()
    handle = theirs.fileno()
    number = os.fork()
    if number == 0:
        os.setsid()  # as in everything that `processes.start` starts
        ours.close()
        os.dup2(reading, 0)
        os.closerange(3, handle)
        os.closerange(handle + 1, os.sysconf("SC_OPEN_MAX"))
        theirs.detach()
        return None
    theirs.close()
    os.close(reading)
    return number, ours, writing, handle


def _main() -> None:
    sys.path.insert(0, _SANDBOX)
    from child.__main__ import follow_the_order, load  # type: ignore[import-not-found]

    sys.path.remove(_SANDBOX)
    zygote: ModuleType = load()
    zygote.insist_on_a_single_thread()
    forked = _fork()
    if forked is None:
        follow_the_order(zygote)
        return
    order = json.loads(sys.stdin.readline())
    sys.path[:] = order["path"]
    os.environ.update(order["environment"])
    from qkvlib.tools.grading import processes
    from qkvlib.tools.grading.queue import worker

    worker.main(order, processes.Forked(*forked))


try:
    _main()
except BaseException:
    traceback.print_exc()
finally:
    os._exit(0)
