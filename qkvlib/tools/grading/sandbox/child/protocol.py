"""Messages on a socket: a header of fixed size, a JSON header, and raw bytes, each with a limit.

Both ends use this file, and so do the queue and its workers. A receiver must trust nothing that arrives:
sizes are checked before a byte is read, and the JSON before it is used, and every wait has an end. There is
no pickle.
"""

from __future__ import annotations

import json
import socket
import struct
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, TypedDict

_HEAD = struct.Struct("<4sII")
_MAGIC = b"qkv1"
_A_WHILE = 0.2
_AHEAD = 1 << 16

Header: TypeAlias = dict[str, Any]  # a header as it arrived: unchecked JSON
Tree: TypeAlias = Any  # a value's part of a header, as `tensors.pack` makes it


class ProtocolError(Exception):
    """What arrived is not a message, or is larger than was agreed."""


class DeadlineError(Exception):
    """Nothing arrived before the deadline."""


class DisconnectedError(Exception):
    """The other end is gone."""


@dataclass(frozen=True)
class Limits:
    """How large a message may be; `depth` and `items` limit its JSON header."""

    header: int = 1 << 20
    payload: int = 32 << 20
    depth: int = 24
    items: int = 20_000


LEARNER_LIMITS = Limits()
GRADER_LIMITS = Limits(header=64 << 20, payload=256 << 20, items=200_000)


# The headers between a grader and a child. A child accepts its grader's headers as they are described here. A
# grader trusts none of a child's, and checks each field.


class Standing(TypedDict):
    """The child's first word, before any of the learner's code is there: which walls stand.

    `number` is that of its process.
    """

    kind: Literal["walls"]
    standing: list[str]
    number: int


class Load(TypedDict):
    """From the grader: run these cells, whose texts are the payload, one after another."""

    kind: Literal["load"]
    sizes: list[int]
    names: dict[str, list[str]]  # of functions, and of their arguments
    thorough: bool
    careful_with: list[int]
    seconds: float


class At(TypedDict):
    """From the child: I am about to run this cell."""

    kind: Literal["at"]
    cell: int


class Loaded(TypedDict):
    """From the child: all cells have run, and there are this many versions of each function."""

    kind: Literal["loaded"]
    found: dict[str, int]
    left_out: int
    missing: list[str]  # modules that its imports did not find


class Call(TypedDict):
    """From the grader: call this version of a function with each of these cases."""

    kind: Literal["call"]
    name: str
    version: int
    helpers: dict[str, int | None]
    cases: Tree


class Ask(TypedDict):
    """From the child, during a call: what does the course's own function give for these inputs?

    With `pull`: what are the inputs' gradients, given those of the outputs?
    """

    kind: Literal["ask"]
    name: str
    inputs: Tree
    pull: bool


class Told(TypedDict):
    """From the grader: this is its value and how it left its inputs, or, with `pull`, the gradients."""

    kind: Literal["told"]
    value: Tree


class Refused(TypedDict):
    """From the grader: that function is not lent here."""

    kind: Literal["refused"]
    message: str


class Returned(TypedDict):
    """From the child, for each case: the value, and the inputs as the function left them.

    The inputs are None if the function left them unchanged.
    """

    kind: Literal["returned"]
    value: Tree


class Raised(TypedDict):
    """From the child, for each case: the exception's type and text, and the learner's own line."""

    kind: Literal["raised"]
    error: str
    message: str
    line: str


def send(sock: socket.socket, header: Mapping[str, object], payload: bytes = b"", end: float = 0) -> None:
    """Send one message, before the time `end` of the monotonic clock if one is given."""
    text = json.dumps(header).encode("ascii")
    data = memoryview(_HEAD.pack(_MAGIC, len(text), len(payload)) + text + payload)
    try:
        while data:
            sock.settimeout(_left(end) if end else None)
            data = data[sock.send(data) :]
    except TimeoutError:
        raise DeadlineError("the message was not taken in time") from None
    except OSError as error:
        raise DisconnectedError(str(error)) from None


def receive(
    sock: socket.socket,
    limits: Limits,
    end: float = 0,
    watch: Callable[[], None] = lambda: None,
    ahead: bytearray | None = None,
) -> tuple[Header, bytes]:
    """Read one message, before the time `end` of the monotonic clock if one is given.

    `watch` is called before every wait, and five times a second while waiting. A caller with a buffer for
    what is read `ahead` gets many small messages at once, and passes it to the next call again.
    """
    if end and time.monotonic() >= end:
        raise DeadlineError("nothing was read in time")
    data, more = (bytearray(), 0) if ahead is None else (ahead, _AHEAD)
    _fill(data, _HEAD.size, more, sock, end, watch)
    magic, header_size, payload_size = _HEAD.unpack_from(data)
    if magic != _MAGIC:
        raise ProtocolError("a message does not begin as ours do")
    if header_size > limits.header or payload_size > limits.payload:
        raise ProtocolError(f"a message of {header_size} + {payload_size} bytes is too large")
    whole = _HEAD.size + header_size + payload_size
    _fill(data, whole, more, sock, end, watch)
    text, payload = (
        bytes(data[_HEAD.size : _HEAD.size + header_size]),
        bytes(data[_HEAD.size + header_size : whole]),
    )
    del data[:whole]
    return decode_header(text, limits), payload


def decode_header(text: bytes, limits: Limits) -> Header:
    """Return the JSON object in `text`; refuse it if it is too deep, too full, or something else."""
    try:
        header = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ProtocolError(f"a header is not JSON: {type(error).__name__}") from None
    if type(header) is not dict:
        raise ProtocolError("a header is not a JSON object")
    # A text cannot open more brackets, or hold more items, than it has brackets and characters.
    if len(text) > limits.items or text.count(b"[") + text.count(b"{") > limits.depth:
        _measure(header, limits)
    return header


def _measure(header: Header, limits: Limits) -> None:
    """Count level by level, never recursively, whatever arrives."""
    level: list[Any] = [header]
    items = 0
    for _ in range(limits.depth):
        inner = [x for box in level for x in (box.values() if type(box) is dict else box)]
        items += len(inner)
        if items > limits.items:
            raise ProtocolError(f"a header holds more than {limits.items} items")
        level = [x for x in inner if type(x) in (dict, list)]
        if not level:
            return
    raise ProtocolError(f"a header is nested more than {limits.depth} deep")


def _fill(
    data: bytearray,
    size: int,
    more: int,
    sock: socket.socket,
    end: float,
    watch: Callable[[], None],
) -> None:
    """Read until `data` has `size` bytes, and at most this many `more` that have arrived already.

    Memory grows with what arrives, not with what was announced.
    """
    while len(data) < size:
        watch()
        if end and time.monotonic() >= end:
            raise DeadlineError("nothing arrived in time")
        try:
            sock.settimeout(min(_A_WHILE, _left(end)) if end else None)
            part = sock.recv(min(size - len(data) + more, 1 << 20))
        except TimeoutError:
            continue
        except OSError as error:
            raise DisconnectedError(str(error)) from None
        if not part:
            raise DisconnectedError("the other end closed the connection")
        data += part


def _left(end: float) -> float:
    left = end - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left
