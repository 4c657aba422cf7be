"""Make the table of differences between the page and torch, which must be empty."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from tests.proof.programs import Program

Record = dict[str, Any]

# Newer versions of CPython say how many values there are when there are too many to unpack; the
# version that runs torch here may not. When there are too few, all versions say it.
_GOT = re.compile(r"(?<=too many values to unpack \(expected )(\d+), got \d+(?=\))")
_NAMES = re.compile(r"The left side has (\d+) names?, and the right side has (\d+) values?")


def differences(
    programs: Iterable[Program], ours: Iterable[Record], theirs: Iterable[Record]
) -> Iterator[str]:
    """Yield a line for each program on which the page and torch disagree."""
    for one, page, torch in zip(programs, theirs, ours, strict=True):
        for what in ("broken", "outcome", "mistake", "message", "hints"):
            here, there = page.get(what), torch.get(what)
            if there not in (here, _older(here)):
                yield (f"{one.exercise}, {one.called}: {what}\n  torch {there!r}\n  page  {here!r}")
                break


def _older(value: Any) -> Any:
    """Return the value with errors about too many values worded as in an older CPython."""
    return _NAMES.sub(_names, _GOT.sub(r"\1", value)) if isinstance(value, str) else value


def _names(found: re.Match[str]) -> str:
    names, values = map(int, found.groups())
    if values < names:
        return found[0]
    return f"The left side has {names} name{'' if names == 1 else 's'}, and the right side has more values"
