"""Test that if a sandbox is killed from outside, its function is judged again."""

from __future__ import annotations

import os
import signal
import threading
import time

import pytest

from qkvlib.tools.grading.judge.judging import Judge
from qkvlib.tools.grading.sandbox.host import Sandbox, SandboxHost

SECONDS_TO_OPEN = 30
SLOW = ["import time", "def dot(a, b):\n    time.sleep(0.1)\n    return (a * b).sum()"]


def kill_in_the_middle(host: SandboxHost, times: int) -> threading.Thread:
    """Kill the next sandboxes that are opened, as the system does when memory runs out."""

    def kill() -> None:
        for _ in range(times):
            before, end = host._number, time.monotonic() + SECONDS_TO_OPEN
            while host._number == before:
                if time.monotonic() > end:  # no other sandbox is opened, and the test will report it
                    return
                time.sleep(0.01)
            time.sleep(0.3)
            os.kill(host._number, signal.SIGKILL)

    thread = threading.Thread(target=kill, daemon=True)
    thread.start()
    return thread


def test_what_was_killed_once_is_judged_as_ever(host: SandboxHost) -> None:
    killer = kill_in_the_middle(host, 1)
    (judged,) = Judge(host).notebook(SLOW, ["dot"], seed=1)
    killer.join()
    assert judged.outcome == "right"


def test_what_is_killed_again_is_told_so(host: SandboxHost) -> None:
    killer = kill_in_the_middle(host, 2)
    (judged,) = Judge(host).notebook(SLOW, ["dot"], seed=1)
    killer.join()
    assert judged.outcome == "raised"
    assert "It was killed, and so it was when we tried again" in judged.message


def test_what_ends_itself_has_no_second_chance(host: SandboxHost, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Sandbox] = []
    take = host._next
    monkeypatch.setattr(host, "_next", lambda *given: opened.append(take(*given)) or opened[-1])
    (judged,) = Judge(host).notebook(["import os", "def dot(a, b): os._exit(0)"], ["dot"], seed=1)
    assert judged.outcome == "raised"
    assert "killed" not in judged.message
    assert len(opened) == 1
