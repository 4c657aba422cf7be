"""Test that a sandbox that sends more than was asked is abandoned at once."""

from __future__ import annotations

import socket
import threading
from pathlib import Path

import pytest
import torch

from qkvlib.calling.call import Raised, Returned, call
from qkvlib.checking.cases import drawn_cases
from qkvlib.tools.grading.judge.remote_function import RemoteFunction, packed_cases
from qkvlib.tools.grading.sandbox.child import protocol, tensors
from qkvlib.tools.grading.sandbox.host import Sandbox


@pytest.mark.parametrize("more", [0, 3])
def test_answers_to_what_nobody_asked_end_it(more: int) -> None:
    """Otherwise the next question would get the answer already sent, or wait for its end."""
    ours, theirs = socket.socketpair()
    packed, first = packed_cases("dot", 3), drawn_cases("dot", 3).cases[0]
    answer = tensors.pack((torch.tensor(7.0), first.inputs))

    def forge() -> None:
        protocol.receive(theirs, protocol.GRADER_LIMITS)
        for _ in range(len(packed.inputs) + more):
            returned: protocol.Returned = {"kind": "returned", "value": answer.tree}
            protocol.send(theirs, returned, answer.payload)

    thread = threading.Thread(target=forge)
    thread.start()
    sandbox = Sandbox(ours, (), Path("/nowhere"))
    function = RemoteFunction(sandbox, "dot", 0, packed, {}, {}, 0.5, 9.0)
    with ours, theirs:
        reply = call(function, first.inputs, None)
        assert isinstance(reply, Returned)
        assert float(reply.value) == 7.0
        thread.join()
        reply = call(function, (torch.ones(2), torch.ones(2)), None)
    assert isinstance(reply, Raised)
    assert reply.kind == ("NoAnswer" if more else "TookTooLong")
