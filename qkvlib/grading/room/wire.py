"""Frames on a socket: a head of fixed size, a JSON header, raw bytes; each with a limit.

Both ends use this file. Whoever receives may trust nothing that arrives: the sizes are checked
before a byte is read, the JSON before it is used, and every wait has an end. There is no pickle.
"""

from __future__ import annotations

import json
import socket
import struct
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

_HEAD = struct.Struct("<4sII")
_MAGIC = b"qkv1"
_A_WHILE = 0.2


class WireError(Exception):
    """What arrived is not a message, or is larger than was agreed."""


class SilenceError(Exception):
    """Nothing arrived before the deadline."""


class HungUpError(Exception):
    """The other end is gone."""


@dataclass(frozen=True)
class Limits:
    """How large a message may be; `depth` and `items` are those of its JSON header."""

    header: int = 1 << 20
    payload: int = 32 << 20
    depth: int = 24
    items: int = 20_000


FROM_A_LEARNER = Limits()
FROM_THE_GRADER = Limits(header=64 << 20, payload=256 << 20, items=200_000)


def send(sock: socket.socket, header: dict[str, Any], payload: bytes = b"", end: float = 0) -> None:
    """Send one message, before the moment `end` of the monotonic clock if one is given."""
    text = json.dumps(header).encode("ascii")
    data = memoryview(_HEAD.pack(_MAGIC, len(text), len(payload)) + text + payload)
    try:
        while data:
            sock.settimeout(_left(end) if end else None)
            data = data[sock.send(data) :]
    except TimeoutError:
        raise SilenceError("the message was not taken in time") from None
    except OSError as error:
        raise HungUpError(str(error)) from None


def receive(
    sock: socket.socket, limits: Limits, end: float = 0, watch: Callable[[], None] = lambda: None
) -> tuple[dict[str, Any], bytes]:
    """Read one message, before the moment `end` of the monotonic clock if one is given.

    `watch` is called before every wait, and five times a second while waiting.
    """
    magic, header_size, payload_size = _HEAD.unpack(_read(sock, _HEAD.size, end, watch))
    if magic != _MAGIC:
        raise WireError("a message does not begin as ours do")
    if header_size > limits.header or payload_size > limits.payload:
        raise WireError(f"a message of {header_size} + {payload_size} bytes is too large")
    data = memoryview(_read(sock, header_size + payload_size, end, watch))
    return decode_header(bytes(data[:header_size]), limits), bytes(data[header_size:])


def decode_header(text: bytes, limits: Limits) -> dict[str, Any]:
    """The JSON object in `text`, refused when it is too deep, too full, or something else."""
    try:
        header = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise WireError(f"a header is not JSON: {type(error).__name__}") from None
    if type(header) is not dict:
        raise WireError("a header is not a JSON object")
    _measure(header, limits)
    return header


def _measure(header: dict[str, Any], limits: Limits) -> None:
    """Count level by level: never deeper in Python's own stack, whatever arrives."""
    level: list[Any] = [header]
    items = 0
    for _ in range(limits.depth):
        inner = [x for box in level for x in (box.values() if type(box) is dict else box)]
        items += len(inner)
        if items > limits.items:
            raise WireError(f"a header holds more than {limits.items} items")
        level = [x for x in inner if type(x) in (dict, list)]
        if not level:
            return
    raise WireError(f"a header is nested more than {limits.depth} deep")


def _read(sock: socket.socket, size: int, end: float, watch: Callable[[], None]) -> bytearray:
    """Exactly `size` bytes. Memory grows with what arrives, not with what was announced."""
    data = bytearray()
    while len(data) < size:
        watch()
        if end and time.monotonic() >= end:
            raise SilenceError("nothing arrived in time")
        try:
            sock.settimeout(min(_A_WHILE, _left(end)) if end else None)
            part = sock.recv(min(size - len(data), 1 << 20))
        except TimeoutError:
            continue
        except OSError as error:
            raise HungUpError(str(error)) from None
        if not part:
            raise HungUpError("the other end closed the connection")
        data += part
    return data


def _left(end: float) -> float:
    left = end - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left
