"""Read who handed in what from the `submission_metadata.yml` of a Gradescope export.

Trusted code, untrusted text: the file also holds whatever autograders printed. It is YAML as Ruby writes it,
so that a key's indentation says whose it is:

    submission_123:
      :submitters:
      - :name: Ada Brook
        :sid: '1001'
        :email: ada@example.org
      :created_at: 2026-11-20 12:00:00.000000000 Z
      :history: and more, none of which is read
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import IO

NAME = "submission_metadata.yml"
_LARGEST_FILE = 256 << 20
_LONGEST_LINE = 1_000  # of a line that matters
_MOST_SUBMISSIONS, _MOST_SUBMITTERS = 20_000, 50

_FOLDER = re.compile(r"""(["']?)(?P<folder>submission_\d{1,20})\1:""")
_FIELD = re.compile(r"(?:  - |    ):(?P<key>name|sid|email): (?P<value>.+)")
_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.\d{1,9})? ?(Z|[+-]\d\d:\d\d)")


@dataclass
class Listed:
    """A submission: its submitters, each with a `name`, `sid` and `email` if known, and when it came."""

    submitters: list[dict[str, str]] = field(default_factory=list)
    when: float | None = None


def read_metadata(file: IO[bytes]) -> dict[str, Listed]:
    """Return the submissions in the file by the names of their folders."""
    found: dict[str, Listed] = {}
    present, section = Listed(), ""
    for line in _lines(file):
        if not line.startswith(" "):
            folder = _FOLDER.fullmatch(line)
            present, section = Listed(), ""
            if folder and folder["folder"] not in found and len(found) < _MOST_SUBMISSIONS:
                found[folder["folder"]] = present
        elif line.startswith("  :"):
            section, _, value = line.strip().partition(": ")
            section = section.rstrip(":")
            if section == ":created_at" and present.when is None:
                present.when = _moment(_text(value))
        elif section == ":submitters":
            _add_field(present.submitters, line)
    return found


def _lines(file: IO[bytes]) -> Iterator[str]:
    """Return the lines without their ends. A line that is too long to matter is cut off."""
    left, begins = _LARGEST_FILE, True
    while left > 0 and (data := file.readline(_LONGEST_LINE)):
        left -= len(data)
        if begins:
            yield data.decode("utf-8", "replace").lstrip("\ufeff").rstrip()
        begins = data.endswith(b"\n")


def _add_field(submitters: list[dict[str, str]], line: str) -> None:
    if line.startswith("  - ") and len(submitters) < _MOST_SUBMITTERS:
        submitters.append({})
    said = _FIELD.fullmatch(line)
    if said and submitters:
        submitters[-1].setdefault(said["key"], _text(said["value"]))


def _text(value: str) -> str:
    """Return the text that a YAML value on one line stands for; nothing if it is of another kind."""
    value = value.strip()
    if len(value) > 1 and value[0] == value[-1] == "'":
        return value[1:-1].replace("''", "'")
    if value.startswith('"'):
        try:
            return str(json.loads(value, strict=False))
        except ValueError:
            return ""
    return "" if value.startswith(tuple("'&*!|>[{~")) or value == "null" else value


def _moment(words: str) -> float | None:
    said = _MOMENT.fullmatch(words)
    try:
        zone = said[3].replace("Z", "+00:00") if said else ""
        return datetime.fromisoformat(f"{said[1]}T{said[2]}{zone}").timestamp() if said else None
    except (ValueError, OverflowError):
        return None
