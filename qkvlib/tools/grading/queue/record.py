"""The record: a file of JSON lines, one for each submission, to which lines are only ever added.

Trusted code that trusts nothing: it knows the size and hash of what it wrote, so it notices, and does not
believe, a change by anyone else while it runs. Half a line, left by a crash or a full disk, is cut off when
the file is opened again; nothing before it is lost.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import time
from collections.abc import Collection, Iterator
from contextlib import suppress
from io import FileIO
from pathlib import Path

from qkvlib.tools.grading.results import Result, ResultError, from_json, to_json


class RecordError(Exception):
    """The record cannot be kept; the message says what a person has to do."""


class Record:
    """An open record. `keys` are the submissions that it contains already."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = _opened(path)
        self._hash = hashlib.sha256()
        self._size, self._synced = 0, time.monotonic()
        self.keys: set[str] = set()
        self._take_up()

    def add(self, result: Result) -> None:
        """Append one result; from then on it survives the end of this process."""
        line = json.dumps(to_json(result), ensure_ascii=True).encode("ascii") + b"\n"
        self._still_ours()
        try:
            left = line
            while left:
                left = left[self._file.write(left) :]
            if time.monotonic() - self._synced > 1:
                os.fsync(self._file.fileno())
                self._synced = time.monotonic()
        except OSError as error:
            self._cut(self._size)
            raise RecordError(
                f"{self.path} cannot be written: {error}. Nothing graded so far is lost: "
                "make room, then run the same command again."
            ) from None
        self._hash.update(line)
        self._size += len(line)
        if not result.fault:
            self.keys.add(result.key)

    def results(self, keys: Collection[str]) -> Iterator[Result]:
        """Return the results with these keys, oldest first, after checking that they are what was written.

        A line with a different key may come from another version of qkvlib: it is kept, but not read.
        """
        self._still_ours()
        seen = hashlib.sha256()
        with self.path.open("rb") as file:
            for line in file:
                seen.update(line)
                value = json.loads(line)
                if value["key"] in keys:
                    yield self._read(value)
        if seen.digest() != self._hash.digest():
            raise self._tampered()

    def earlier_answers(self, keys: Collection[str]) -> dict[str, dict[str, str]]:
        """Return each student's latest answers in words under any key but these."""
        found = {}
        with self.path.open("rb") as file:
            for value in map(json.loads, file):
                if value["key"] not in keys:
                    answers = [one for one in value.get("answers", ()) if one["text"].strip()]
                    found[value["student"]] = {one["name"]: one["text"] for one in reversed(answers)}
        return found

    def close(self) -> None:
        """Make sure that the record is on the disk."""
        try:
            os.fsync(self._file.fileno())
        except OSError as error:
            raise RecordError(f"{self.path} may not be complete on the disk: {error}") from None
        finally:
            self._file.close()

    def _read(self, value: object) -> Result:
        try:
            return from_json(Result, value)
        except ResultError as error:
            words = f"{self.path} has a line that is no result ({error}). Move the file away."
            raise RecordError(words) from None

    def _take_up(self) -> None:
        """Read what an earlier run left; cut off a line that it did not finish."""
        for line in self.path.open("rb"):
            if not line.endswith(b"\n"):
                break
            try:
                value = json.loads(line)
                key, fault = value["key"], value.get("fault")
            except (ValueError, TypeError, KeyError):
                words = f"{self.path} has a line that is no result. Move the file away."
                raise RecordError(words) from None
            self._hash.update(line)
            self._size += len(line)
            if not fault:
                self.keys.add(key)
        self._cut(self._size)

    def _cut(self, size: int) -> None:
        try:
            self._file.truncate(size)
            self._file.seek(size)
        except OSError as error:
            raise RecordError(f"{self.path} cannot be written: {error}") from None

    def _still_ours(self) -> None:
        ours = os.fstat(self._file.fileno())
        with suppress(OSError):  # there may be no such file any more
            if ours.st_size == self._size and os.path.samestat(self.path.stat(), ours):
                return
        raise self._tampered()

    def _tampered(self) -> RecordError:
        return RecordError(
            f"{self.path} was changed by somebody else during this run. Do not use it: look at who "
            "can write there, delete it, and grade again."
        )


def _opened(path: Path) -> FileIO:
    """Open the file with a lock: a second run on the same folder is refused."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = FileIO(path, "a+")
    except OSError as error:
        raise RecordError(f"{path} cannot be written: {error}. Choose another folder with --out.") from None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise RecordError(
            f"{path} is in use: another `qkv grade` writes there. Wait until it is done, "
            "or choose another folder with --out."
        ) from None
    return file
