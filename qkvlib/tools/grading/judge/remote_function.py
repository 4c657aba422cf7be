"""A learner's function as the grader sees it: cases go out, values and errors come back.

Trusted. Everything that arrives is read by `child/tensors.py`, which produces only tensors, numbers and
texts.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from types import NoneType
from typing import Any

import torch
from torch import Tensor

from qkvlib.calling.call import Elsewhere, Interruption, Raised, RemoteError, Returned, call
from qkvlib.calling.plain import Opaque, plain
from qkvlib.checking.cases import drawn_cases
from qkvlib.tools.grading.judge.own_limits import own_megabytes
from qkvlib.tools.grading.sandbox.child import protocol, tensors
from qkvlib.tools.grading.sandbox.child.text import clean
from qkvlib.tools.grading.sandbox.host import Sandbox

_MOST_QUESTIONS = 2_000
_LARGEST_QUESTION = 1 << 16
_MEGABYTES_TO_LEND = 256  # for requests of a few bytes, such as the mask of a number
_MOST_BYTES = 64 << 20  # all answers of one function, some thousand times the size of an honest one's


_OUR_WORDS = ("TookTooLong", "EndOfProcess", "NoAnswer")  # for the ways in which a sandbox can end


class LoanWanted(Interruption):
    """A function asks for a loan while other sandboxes run. No verdict catches this.

    Two sandboxes that run at once can pass messages (by the clock, if by nothing else), so that one could ask
    for what the other is asked. So an exercise that asks is judged again, with no other sandbox running.
    """


@dataclass(frozen=True)
class _Reply:
    """A function's value for one case, and its inputs afterwards; None if it left them unchanged."""

    value: Any
    after: tuple[Any, ...] | None


@dataclass(frozen=True)
class PackedCases:
    """The inputs of an exercise's cases, packed for sending."""

    inputs: tuple[tuple[Any, ...], ...]
    tree: protocol.Tree
    payload: bytes


@lru_cache(maxsize=1)  # for all versions of one function
def packed_cases(name: str, seed: int) -> PackedCases:
    """Pack the cases of a seed once, for all versions of the function in a notebook."""
    return _packed([case.inputs for case in drawn_cases(name, seed).cases])


def _packed(many: Sequence[tuple[Any, ...]]) -> PackedCases:
    packed = tensors.pack(tuple(many), keep_strides=True)
    return PackedCases(tuple(many), packed.tree, packed.payload)


@dataclass
class RemoteFunction(Elsewhere):
    """Stand for version `version` of the function `name` in a sandbox; `call` calls it.

    All `cases` are sent by `begin`, or at the first call, so that the sandbox can work ahead. Each call then
    takes the reply to its case. Other inputs are sent when they are needed. `lends` are the course's own
    functions that the sandbox may ask for, and `helpers` says which version of an earlier function it should
    use (None: the lent one). They are lent only while the sandbox runs `alone`; elsewhere it `wants_a_loan`
    from the first question on.
    """

    sandbox: Sandbox
    name: str
    version: int
    cases: PackedCases
    lends: Mapping[str, Callable[..., Any]]
    helpers: Mapping[str, int | None]
    seconds_a_call: float
    seconds_left: float
    alone: bool = True
    ended: RemoteError | None = field(default=None)
    wants_a_loan: bool = False
    _taken: int = 0
    _asked: list[tuple[Any, ...]] = field(default_factory=list)
    _places: dict[int, int] = field(default_factory=dict)
    _replies: list[_Reply | RemoteError] = field(default_factory=list)

    def reply(self, inputs: tuple[Any, ...]) -> Returned | Raised:
        """Return what the function gave for these inputs, or gives for them now."""
        found = self._found(inputs)
        if isinstance(found, RemoteError):
            return Raised(found.kind, found.message, found.line)
        if found.after is None:
            return Returned(plain(found.value), inputs)
        value, after = found.value, found.after

        def repeated(*copies: Any) -> Any:
            for ours, theirs in zip(copies, after, strict=False):
                tensors.copy_back(ours, theirs)
            return value

        return call(repeated, inputs, None)

    def ask_ahead(self, many: Sequence[tuple[Any, ...]]) -> None:
        """Send those of these inputs at once that have not been sent yet."""
        if new := [inputs for inputs in many if id(inputs) not in self._places]:
            self.finish()  # otherwise both ends might wait for the other to read
            self._send(_packed(new))

    def begin(self) -> None:
        """Send all cases."""
        if not self._asked:
            self._send(self.cases)

    def _found(self, inputs: tuple[Any, ...]) -> _Reply | RemoteError:
        self.begin()
        if id(inputs) not in self._places:
            self.ask_ahead([inputs])
        place = self._places[id(inputs)]
        while len(self._replies) <= place and self.ended is None:
            self._within_limits(self._read_one)
        if self.wants_a_loan:
            raise LoanWanted(self.name)
        if place >= len(self._replies):
            return self.ended or RemoteError("NoAnswer", "this case was never sent")
        return self._replies[place]

    def finish(self) -> None:
        """Take the replies that nothing has read, so that the sandbox is ready for more."""
        while len(self._replies) < len(self._asked) and self.ended is None:
            self._within_limits(self._read_one)

    def _within_limits(self, step: Callable[[float], None]) -> None:
        """Take one step. If it takes too long or makes no sense, this sandbox is abandoned."""
        started = time.monotonic()
        seconds = min(self.seconds_a_call, self.seconds_left)
        try:
            step(started + seconds)
        except protocol.DeadlineError:
            words = f"not done after {seconds:.3g} seconds"
            self.ended = RemoteError("TookTooLong", words)
        except protocol.DisconnectedError as error:
            self.ended = RemoteError("EndOfProcess", f"the process it ran in is gone ({error})")
        except (protocol.ProtocolError, ValueError) as error:
            self.ended = RemoteError("NoAnswer", f"what came back is not an answer ({error})")
        finally:
            self.seconds_left = max(0.0, self.seconds_left - (time.monotonic() - started))

    def _send(self, cases: PackedCases) -> None:
        all_taken = self.ended is None and len(self._replies) == len(self._asked)
        unasked = all_taken and self.sandbox.has_more_to_say()
        for inputs in cases.inputs:  # these are kept, so that no others get the same ids
            self._places[id(inputs)] = len(self._asked)
            self._asked.append(inputs)
        if unasked:
            self.ended = RemoteError("NoAnswer", "it answered what nobody had asked")
        if self.ended is not None:
            return
        header: protocol.Call = {
            "kind": "call",
            "name": self.name,
            "version": self.version,
            "helpers": dict(self.helpers),
            "cases": cases.tree,
        }
        self._within_limits(lambda end: protocol.send(self.sandbox.sock, header, cases.payload, end))

    def _read_one(self, end: float) -> None:
        for _ in range(_MOST_QUESTIONS):
            reply, payload = self.sandbox.receive(end)
            if reply.get("kind") == "ask":
                self._lend(reply, payload, end)
            elif reply.get("kind") == "raised":
                kind = clean(reply.get("error"), 100)
                error = RemoteError(
                    f"{kind} (of the notebook)" if kind in _OUR_WORDS else kind,
                    clean(reply.get("message")),
                    clean(reply.get("line"), 300),
                )
                self._replies.append(error)
                return
            elif reply.get("kind") == "returned":
                self._taken += len(payload)
                if self._taken > _MOST_BYTES:
                    raise protocol.ProtocolError(f"more than {_MOST_BYTES >> 20} MB of results")
                self._replies.append(_read(tensors.unpack(reply.get("value"), payload, unsent=Opaque)))
                return
            else:
                raise protocol.ProtocolError("a reply of no known kind")
        raise protocol.ProtocolError(f"more than {_MOST_QUESTIONS} questions in one call")

    def _lend(self, question: dict[str, object], payload: bytes, end: float) -> None:
        """Compute one of the course's own functions for the sandbox, if it may have it."""
        name = question.get("name")
        if type(name) is not str or name not in self.lends:
            self._refuse(f"{clean(name, 60)!r} is not there while {self.name!r} is judged", end)
            return
        if not self.alone:
            self.wants_a_loan = True
            self._refuse("nothing is lent while others are judged", end)
            return
        inputs = tensors.unpack(question.get("inputs"), payload)
        if type(inputs) is not tuple:
            raise protocol.ProtocolError("a question without inputs")
        try:
            if len(payload) > _LARGEST_QUESTION:
                raise ValueError(f"{len(payload)} bytes are more than a call of the course has")
            lent = self.lends[name]
            with own_megabytes(_MEGABYTES_TO_LEND):
                if question.get("pull"):
                    answer = tensors.pack(_pulled_back(lent, *inputs))
                else:
                    with torch.no_grad():
                        answer = tensors.pack((lent(*inputs), inputs))
        except Exception as error:
            self._refuse(f"{type(error).__name__}: {error}"[:500], end)
            return
        told: protocol.Told = {"kind": "told", "value": answer.tree}
        protocol.send(self.sandbox.sock, told, answer.payload, end)

    def _refuse(self, words: str, end: float) -> None:
        refused: protocol.Refused = {"kind": "refused", "message": words}
        protocol.send(self.sandbox.sock, refused, b"", end)


def _pulled_back(
    lent: Callable[..., Any], inputs: tuple[Any, ...], d_outputs: tuple[Any, ...]
) -> tuple[Tensor | None, ...]:
    """Return the gradients of a lent function's inputs, given its outputs'; None for what is no tensor."""
    with torch.enable_grad():
        leaves = [
            x.detach().requires_grad_() if isinstance(x, Tensor) and x.is_floating_point() else x
            for x in inputs
        ]
        result = lent(*leaves)
        outputs = result if isinstance(result, tuple) else (result,)
        followed = [x for x in leaves if isinstance(x, Tensor) and x.requires_grad]
        pairs = [(y, dy) for y, dy in zip(outputs, d_outputs, strict=True) if dy is not None]
        given, cotangents = [y for y, _ in pairs], [dy for _, dy in pairs]
        found = iter(torch.autograd.grad(given, followed, cotangents, allow_unused=True))
    return tuple(next(found) if isinstance(x, Tensor) and x.requires_grad else None for x in leaves)


def _read(reply: Any) -> _Reply:
    if type(reply) is not tuple or len(reply) != 2 or type(reply[1]) not in (tuple, NoneType):
        raise protocol.ProtocolError("a reply without its inputs")
    return _Reply(*reply)
