"""Run some untrusted lines in a sandbox, and return their result or the exception's name."""

from __future__ import annotations

import textwrap
import time

from qkvlib.tools.grading.sandbox.child import protocol, tensors
from qkvlib.tools.grading.sandbox.host import Sandbox

_PRELUDE = """
import ctypes, fcntl, mmap, os, struct
libc = ctypes.CDLL(None, use_errno=True)
held = []
"""


def ask(sandbox: Sandbox, setting: str, body: str) -> object:
    """Run `setting`, then `body` as a function's body, and return its result."""
    lines = textwrap.indent(textwrap.dedent(body).strip(), "    ")
    text = f"{_PRELUDE}\n{setting}\ndef find():\n{lines}\n".encode()
    load: protocol.Load = {
        "kind": "load",
        "sizes": [len(text)],
        "names": {"find": []},
        "thorough": False,
        "careful_with": [],
        "seconds": 9.0,
    }
    end = time.monotonic() + 20
    protocol.send(sandbox.sock, load, text, end)
    while sandbox.receive(end)[0]["kind"] != "loaded":
        pass
    packed = tensors.pack(((),), keep_strides=True)
    call: protocol.Call = {"kind": "call", "name": "find", "version": 0, "helpers": {}, "cases": packed.tree}
    protocol.send(sandbox.sock, call, packed.payload, end)
    reply, payload = sandbox.receive(end)
    if reply["kind"] == "raised":
        return reply["error"]
    value, _ = tensors.unpack(reply["value"], payload)
    return value
