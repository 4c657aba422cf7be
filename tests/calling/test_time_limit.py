"""Test that a call is stopped in time: by processor time, or by wall time if it only waits."""

from __future__ import annotations

import signal
import threading
import time

import pytest

from qkvlib.calling.call import Raised, Returned, call
from qkvlib.checking import verdict


def test_a_call_that_others_keep_from_the_processor_is_not_stopped() -> None:
    """The sleeping call imitates one that waits on a busy machine."""
    assert call(lambda: time.sleep(1.2), (), 1.0) == Returned(None)


@pytest.mark.skipif(not hasattr(signal, "SIGURG"), reason="nothing wakes a sleeper on this system")
@pytest.mark.parametrize("waits", [lambda: time.sleep(30), threading.Event().wait])
def test_a_call_that_waits_is_stopped_later(waits: object) -> None:
    started = time.monotonic()
    reply = call(waits, (), 0.1)  # type: ignore[arg-type]
    assert isinstance(reply, Raised)
    assert (reply.kind, reply.message) == ("TookTooLong", "not done after 0.1 seconds")
    assert 0.4 < time.monotonic() - started < 25


def test_a_loop_is_stopped_in_any_thread() -> None:
    def loop() -> None:
        while True:
            pass

    replies = list[Returned | Raised]()
    thread = threading.Thread(target=lambda: replies.append(call(loop, (), 0.05)))
    thread.start()
    thread.join(30)
    assert [getattr(reply, "kind", "") for reply in replies] == ["TookTooLong"]


def test_nobody_is_asked_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[str]()
    monkeypatch.setattr("builtins.input", asked.append)
    judged = verdict("dot", lambda a, b: input("a?"))
    assert judged.outcome == "raised"
    assert "nobody types while a function is checked" in judged.message
    input("afterwards")
    assert asked == ["afterwards"]
