"""The child's side of the protocol: run the cells, then answer one call after another.

A learner's code runs in this process and can do anything to it, including to this file. So nothing is decided
here: whatever is sent from here is a claim, which the grader judges.
"""

from __future__ import annotations

import io
import linecache
import os
import resource
import socket
import sys
import traceback
import warnings
from contextlib import suppress
from typing import Any, cast

import torch

from . import fake_qkvlib, protocol
from .fake_qkvlib import LentFunction
from .run_notebook import NotebookRun
from .tensors import copy_back, pack, unpack


class NotLentError(RuntimeError):
    """The grader does not lend this function for this exercise."""


class Session:
    """One learner's process, from its cells to its last answer."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self.lent: dict[str, LentFunction] = {}
        self.notebook = NotebookRun(())
        self.judging = False

    def serve(self) -> None:
        """Do what the grader says until it hangs up."""
        while True:
            order, payload = protocol.receive(self.sock, protocol.GRADER_LIMITS)
            if order["kind"] == "load":
                self._load(cast(protocol.Load, order), payload)
            elif order["kind"] == "call":
                self._call(cast(protocol.Call, order), payload)

    def _load(self, order: protocol.Load, payload: bytes) -> None:
        self.notebook = NotebookRun(order["names"])
        self.lent = fake_qkvlib.install(order["names"], self._ask)
        texts = io.BytesIO(payload)
        sources = [texts.read(size).decode("utf-8", "replace") for size in order["sizes"]]
        self.notebook.run(
            sources, order["thorough"], order["careful_with"], order["seconds"], self._say_where
        )
        found = {name: len(kept) for name, kept in self.notebook.versions.items()}
        loaded: protocol.Loaded = {
            "kind": "loaded",
            "found": found,
            "left_out": self.notebook.left_out,
            "missing": sorted(set(self.notebook.missing))[:9],
        }
        protocol.send(self.sock, loaded)

    def _say_where(self, cell: int) -> None:
        at: protocol.At = {"kind": "at", "cell": cell}
        protocol.send(self.sock, at)

    def _call(self, order: protocol.Call, payload: bytes) -> None:
        function = self._function(order["name"], order["version"])
        for name, version in order["helpers"].items():
            self.notebook.space[name] = self._function(name, version)
        self.judging = True
        for inputs in unpack(order["cases"], payload, strided=True):
            self._answer(function, inputs)

    def _answer(self, function: Any, inputs: tuple[Any, ...]) -> None:
        held = tuple(_held(value) for value in inputs)
        before = tuple(_kept(value) for value in inputs)
        try:
            value = function(*inputs)
        except BaseException as error:
            protocol.send(self.sock, _described(error))
            return
        answer = pack((value, None if _untouched(before, inputs) else held))
        returned: protocol.Returned = {"kind": "returned", "value": answer.tree}
        protocol.send(self.sock, returned, answer.payload)

    def _function(self, name: str, version: int | None) -> Any:
        """Return a version of the learner's own function, or the grader's if none is right."""
        return self.lent[name] if version is None else self.notebook.versions[name][version]

    def _ask(self, name: str, arguments: tuple[Any, ...], pull: bool = False) -> Any:
        if not self.judging:  # a cell calls it while the notebook is being run
            raise NotLentError(f"{name!r} is not there yet")
        question = pack(arguments)
        ask: protocol.Ask = {"kind": "ask", "name": name, "inputs": question.tree, "pull": pull}
        protocol.send(self.sock, ask, question.payload)
        reply, payload = protocol.receive(self.sock, protocol.GRADER_LIMITS)
        if reply["kind"] == "refused":
            raise NotLentError(reply["message"])
        told = unpack(reply["value"], payload, strided=True)
        if pull:
            return told
        value, after = told
        for ours, theirs in zip(arguments, after, strict=True):
            copy_back(ours, theirs)
        return value


def _held(value: Any) -> Any:
    """Return the same tensors in a new list, so that what a function puts into its own list has no effect."""
    return [_held(part) for part in value] if type(value) is list else value


def _kept(value: Any) -> Any:
    """Return a copy of a tensor, to compare it with later; None for anything else that could be changed."""
    if type(value) is torch.Tensor:
        return None if value.requires_grad else value.clone()
    return value if type(value) in (bool, int, float, str) else None


def _untouched(before: tuple[Any, ...], after: tuple[Any, ...]) -> bool:
    """Tell whether all inputs are unchanged, so that they need not be sent back."""
    try:
        return all(
            was is now or (type(was) is torch.Tensor and torch.equal(was, now))
            for was, now in zip(before, after, strict=True)
        )
    except RuntimeError:  # the dtype of one of them has changed, or it is on no device
        return False


def _described(error: BaseException) -> protocol.Raised:
    """Return an exception's type, message and the last of the learner's own lines in its traceback."""
    message, line = "", ""
    with suppress(BaseException):
        message = str(error)[:2000]
    with suppress(BaseException):
        for frame, number in traceback.walk_tb(error.__traceback__):
            if frame.f_code.co_filename.startswith("<cell "):
                line = linecache.getline(frame.f_code.co_filename, number).strip()[:500]
    name = type(error).__name__[:100]
    return {"kind": "raised", "error": name, "message": message, "line": line}


class _Nowhere(io.TextIOBase):
    """Discards a learner's output: nothing reads it, however much there is."""

    def write(self, text: str) -> int:
        return len(text)


def quieten(folder: str) -> None:
    """Leave this process no input, no output and an empty folder, before any restriction is in place."""
    os.chdir(folder)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # writing a core dump takes long
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    sys.stdin, sys.stdout, sys.stderr = io.StringIO(), _Nowhere(), _Nowhere()
    warnings.simplefilter("ignore")
    for name in ("TMPDIR", "HOME"):
        os.environ[name] = folder
