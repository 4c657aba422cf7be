"""A call that waits comes to an end, also where no signal can wake it: on Windows, in a thread."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from torch import Tensor

from qkvlib.calling import call as calling
from qkvlib.calling.call import Raised, Returned, call
from qkvlib.checking import verdict


@pytest.fixture
def no_signals(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows, whose Python has no SIGURG."""
    monkeypatch.delattr(signal, "SIGURG", raising=False)
    monkeypatch.setattr(calling, "_AGAIN", 0.02)


@pytest.fixture
def never() -> Iterator[threading.Event]:
    """What does not come before the test is over."""
    event = threading.Event()
    yield event
    event.set()


@pytest.mark.usefixtures("no_signals")
@pytest.mark.parametrize("waits", ["for a lock", "for time to pass", "in a loop"])
def test_a_call_that_waits_is_not_waited_for(waits: str, never: threading.Event) -> None:
    def loop() -> None:
        while True:
            pass

    wait: dict[str, Callable[[], Any]] = {
        "for a lock": never.wait, "for time to pass": lambda: time.sleep(20), "in a loop": loop,
    }  # fmt: skip

    def dot(a: Tensor, b: Tensor) -> Tensor:
        wait[waits]()
        return a @ b

    started = time.monotonic()
    judged = verdict("dot", dot, seconds=0.1)
    assert judged.outcome == "raised"
    assert "not done after 0.1 seconds" in judged.message
    assert time.monotonic() - started < 15  # a fifth of a second, but for a busy machine


@pytest.mark.usefixtures("no_signals")
def test_what_comes_back_after_all_changes_nothing(never: threading.Event) -> None:
    back = threading.Event()

    def late() -> None:
        try:
            never.wait()
        finally:
            torch.set_grad_enabled(False)
            back.set()

    assert isinstance(call(late, (), 0.1), Raised)
    never.set()
    assert back.wait(10)
    assert torch.is_grad_enabled()
    assert call(torch.is_grad_enabled, (), 5.0) == Returned(True)


@pytest.mark.usefixtures("no_signals")
def test_a_call_in_a_thread_is_judged_as_any_other() -> None:
    def switches_off(a: Tensor, b: Tensor) -> Tensor:
        print("here")
        torch.set_grad_enabled(False)
        a += 1
        return a @ b

    reply = call(switches_off, (torch.ones(2), torch.ones(2)), 5.0)
    assert isinstance(reply, Returned)
    assert float(reply.value) == 4
    assert (reply.printed, reply.changed) == ("here\n", (0,))
    assert reply.left == ("gradients stay switched off",)
    assert torch.is_grad_enabled()

    def fails() -> None:
        raise KeyError("my own")  # this line

    raised = call(fails, (), 5.0)
    assert isinstance(raised, Raised)
    assert (raised.kind, raised.line) == ("KeyError", 'raise KeyError("my own")  # this line')


@pytest.mark.usefixtures("no_signals")
def test_a_call_in_a_thread_tracks_gradients_as_its_caller_does() -> None:
    with torch.no_grad():
        assert call(torch.is_grad_enabled, (), 5.0) == Returned(False)
    assert call(torch.is_grad_enabled, (), 5.0) == Returned(True)


def test_a_call_is_not_waited_for_where_it_is_not_the_main_thread(
    never: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calling, "_AGAIN", 0.02)
    replies = list[Any]()
    thread = threading.Thread(target=lambda: replies.append(call(never.wait, (), 0.05)))
    thread.start()
    thread.join(30)
    assert [reply.kind for reply in replies] == ["TookTooLong"]


def test_nobody_is_asked_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[str]()
    monkeypatch.setattr("builtins.input", asked.append)
    judged = verdict("dot", lambda a, b: input("a?"))
    assert judged.outcome == "raised"
    assert "nobody types while a function is checked" in judged.message
    input("afterwards")
    assert asked == ["afterwards"]
