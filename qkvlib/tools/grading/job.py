"""One student's work on its way to a worker: the files, what to judge in them, and the seed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO

from qkvlib.tools.grading.results import from_json
from qkvlib.tools.grading.sandbox.child.protocol import Header
from qkvlib.tools.grading.settings import TimeLimits


@dataclass(frozen=True)
class Job:
    """One student's files, ready to be judged. `names` are the exercises to look for.

    `troubles` says for each file why it could not be read, if so. `seconds` is the time for everything. With
    `alone` no other sandbox runs meanwhile, so that the course's functions can be lent.
    """

    key: str
    files: tuple[str, ...]
    sizes: tuple[int, ...]
    troubles: tuple[str, ...]
    names: tuple[str, ...]
    seed: int
    payload: bytes
    seconds: float = TimeLimits.student
    alone: bool = True

    def header(self) -> Header:
        """Return what is sent before the files' bytes: everything but the key, which the sender keeps."""
        return {name: value for name, value in vars(self).items() if name not in ("key", "payload")}

    def contents(self) -> Iterator[tuple[str, bytes, str]]:
        """Return each file's name, bytes and trouble."""
        data = BytesIO(self.payload)
        for name, size, trouble in zip(self.files, self.sizes, self.troubles, strict=True):
            yield name, data.read(size), trouble


def received(header: Header, payload: bytes) -> Job:
    """Return the job that was sent with this header."""
    return from_json(Job, {**header, "key": "", "payload": payload})
