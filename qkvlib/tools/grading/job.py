"""One student's work on its way to a worker: the files, what to judge in them, and the seed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypedDict

from qkvlib.tools.grading.sandbox.child.protocol import Header
from qkvlib.tools.grading.settings import TimeLimits


class _File(TypedDict):
    name: str
    size: int
    trouble: str


class JobHeader(TypedDict):
    """A job as it is sent; the files' bytes are the payload."""

    files: list[_File]
    names: list[str]
    seed: int
    seconds: float
    alone: bool


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

    def header(self) -> JobHeader:
        """Return what is sent before the files' bytes."""
        files = zip(self.files, self.sizes, self.troubles, strict=True)
        return {
            "files": [{"name": name, "size": size, "trouble": why} for name, size, why in files],
            "names": list(self.names),
            "seed": self.seed,
            "seconds": self.seconds,
            "alone": self.alone,
        }

    def contents(self) -> Iterator[tuple[str, bytes, str]]:
        """Return each file's name, bytes and trouble."""
        at = 0
        for name, size, trouble in zip(self.files, self.sizes, self.troubles, strict=True):
            yield name, self.payload[at : at + size], trouble
            at += size


def received(header: Header, payload: bytes) -> Job:
    """Return the job that was sent with this header; the sender keeps its key."""
    return Job(
        "",
        tuple(file["name"] for file in header["files"]),
        tuple(file["size"] for file in header["files"]),
        tuple(file["trouble"] for file in header["files"]),
        tuple(header["names"]),
        header["seed"],
        payload,
        header["seconds"],
        header["alone"],
    )
