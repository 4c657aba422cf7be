"""A learner's function as the grader sees it: a call goes out, a value or an error comes back.

Trusted. Everything that arrives is read by `room/values.py`, which makes tensors, numbers and texts
and nothing else.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from qkvlib.calling import RemoteError
from qkvlib.comparison import Opaque
from qkvlib.grading.room import values, wire
from qkvlib.grading.rooms import Room

_MOST_QUESTIONS = 2_000
_LARGEST_QUESTION = 1 << 16


@dataclass
class Stub:
    """Stands for version `version` of the function `name` in a room; call it like the function.

    `lends` holds the course's own functions that it may ask for, `helpers` which version of an
    earlier function the room is to use (None: the lent one).
    """

    room: Room
    name: str
    version: int
    lends: Mapping[str, Callable[..., Any]]
    helpers: Mapping[str, int | None]
    seconds_a_call: float
    seconds_left: float
    ended: RemoteError | None = field(default=None)

    def __call__(self, *inputs: Any) -> Any:
        if self.ended is not None:
            raise self.ended
        started = time.monotonic()
        seconds = min(self.seconds_a_call, self.seconds_left)
        try:
            return self._ask_the_room(inputs, started + seconds)
        except wire.SilenceError:
            words = f"the call was stopped after {seconds:.3g} seconds"
            self.ended = RemoteError("TookTooLong", words)
        except wire.HungUpError as error:
            self.ended = RemoteError("EndOfProcess", f"the process it ran in is gone ({error})")
        except (wire.WireError, ValueError) as error:
            self.ended = RemoteError("NoAnswer", f"what came back is not an answer ({error})")
        finally:
            self.seconds_left = max(0.0, self.seconds_left - (time.monotonic() - started))
        raise self.ended

    def _ask_the_room(self, inputs: tuple[Any, ...], end: float) -> Any:
        call = values.pack(inputs, keep_strides=True)
        header = {
            "kind": "call", "name": self.name, "version": self.version,
            "helpers": dict(self.helpers), "inputs": call.tree,
        }  # fmt: skip
        wire.send(self.room.sock, header, call.payload, end)
        for _ in range(_MOST_QUESTIONS):
            reply, payload = self.room.receive(end)
            if reply.get("kind") == "ask":
                self._lend(reply, payload, end)
            elif reply.get("kind") == "raised":
                raise RemoteError(
                    values.clean(reply.get("error"), 100),
                    values.clean(reply.get("message")),
                    values.clean(reply.get("line"), 300),
                )
            elif reply.get("kind") == "returned":
                return _result(values.unpack(reply.get("value"), payload), inputs)
            else:
                raise wire.WireError("a reply of no known kind")
        raise wire.WireError(f"more than {_MOST_QUESTIONS} questions in one call")

    def _lend(self, question: dict[str, Any], payload: bytes, end: float) -> None:
        """Work out one of the course's own functions for the room, if it may have it."""
        name = question.get("name")
        if type(name) is not str or name not in self.lends:
            words = f"{values.clean(name, 60)!r} is not there while {self.name!r} is judged"
            wire.send(self.room.sock, {"kind": "refused", "message": words}, b"", end)
            return
        inputs = values.unpack(question.get("inputs"), payload)
        if type(inputs) is not tuple:
            raise wire.WireError("a question without inputs")
        try:
            if len(payload) > _LARGEST_QUESTION:
                raise ValueError(f"{len(payload)} bytes are more than a call of the course has")
            with torch.no_grad():
                answer = values.pack(self.lends[name](*inputs))
        except Exception as error:
            words = f"{type(error).__name__}: {error}"
            wire.send(self.room.sock, {"kind": "refused", "message": words[:500]}, b"", end)
            return
        wire.send(self.room.sock, {"kind": "told", "value": answer.tree}, answer.payload, end)


def _result(reply: Any, inputs: tuple[Any, ...]) -> Any:
    """The value; what the function did to its inputs is done to ours, where that is possible."""
    if type(reply) is not tuple or len(reply) != 2 or type(reply[1]) is not tuple:
        raise wire.WireError("a reply without its inputs")
    value, after = reply
    for ours, theirs in zip(inputs, after, strict=False):
        _copy_back(ours, theirs)
    return _named(value)


def _copy_back(ours: Any, theirs: Any) -> None:
    if isinstance(ours, Tensor):
        if type(theirs) is Tensor and ours.shape == theirs.shape and ours.dtype == theirs.dtype:
            with torch.no_grad():
                if not torch.equal(ours, theirs):
                    ours.copy_(theirs)
            if ours.requires_grad:
                ours.grad = theirs.grad
    elif type(ours) is list and type(theirs) is list:
        for one, other in zip(ours, theirs, strict=False):
            _copy_back(one, other)


def _named(value: Any) -> Any:
    """The value with the checker's own word for what did not travel."""
    if isinstance(value, values.Opaque):
        return Opaque(value.type_name)
    if type(value) is tuple:
        return tuple(_named(x) for x in value)
    if type(value) is list:
        return [_named(x) for x in value]
    return value
