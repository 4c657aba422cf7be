"""The table of what differs between the page and torch, which must be empty."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from tests.proof.programs import Program

Record = dict[str, Any]

# What CPython's own words have gained since the Python that torch runs on here.
_NEWER = (
    (re.compile(r", got \d+\)"), ")"),
    (re.compile(r"(?<=names on the left and )\d+(?= on the right)"), "more values"),
)


def differences(
    programs: Iterable[Program], ours: Iterable[Record], theirs: Iterable[Record]
) -> Iterator[str]:
    """A line for each program on which the page and torch say something else."""
    for one, page, torch in zip(programs, theirs, ours, strict=True):
        for what in ("broken", "outcome", "mistake", "message", "hints"):
            here, there = _plain(page.get(what)), _plain(torch.get(what))
            if here != there:
                yield (f"{one.exercise}, {one.called}: {what}\n  torch {there!r}\n  page  {here!r}")
                break


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        for pattern, words in _NEWER:
            value = pattern.sub(words, value)
    return value
