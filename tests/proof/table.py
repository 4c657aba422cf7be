"""The table of what differs between the page and torch, which must be empty."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from tests.proof.programs import Program

Record = dict[str, Any]

# What CPython's own words have gained since the Python that torch runs on here: where there are too
# many values, how many there are. Where there are too few, they have always said it.
_GOT = re.compile(r"(?<=too many values to unpack \(expected )(\d+), got \d+(?=\))")
_NAMES = re.compile(r"There are (\d+) names on the left and (\d+) on the right")


def differences(
    programs: Iterable[Program], ours: Iterable[Record], theirs: Iterable[Record]
) -> Iterator[str]:
    """A line for each program on which the page and torch say something else."""
    for one, page, torch in zip(programs, theirs, ours, strict=True):
        for what in ("broken", "outcome", "mistake", "message", "hints"):
            here, there = page.get(what), torch.get(what)
            if there not in (here, _older(here)):
                yield (f"{one.exercise}, {one.called}: {what}\n  torch {there!r}\n  page  {here!r}")
                break


def _older(value: Any) -> Any:
    """The same, with too many values told of as an older CPython does."""
    return _NAMES.sub(_names, _GOT.sub(r"\1", value)) if isinstance(value, str) else value


def _names(found: re.Match[str]) -> str:
    names, values = map(int, found.groups())
    if values < names:
        return found[0]
    return f"There are {names} names on the left and more values on the right"
