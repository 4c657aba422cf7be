"""Compute the verdicts under torch, with the page's judging code, in a notebook's namespace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import qkvlib
from qkvlib.tools.site.in_page.judge import Judge
from qkvlib.tools.site.in_page.lessons import before_each
from tests.proof.programs import Program

ROOT = Path(__file__).parents[2]


class _Nobody:
    """Stand in for the page's owner, with nothing to do: here `qkvlib.calling` watches the time."""

    def begins(self, exercise: str, run: int, seconds: float) -> None: ...

    def printed(self, text: str) -> None: ...

    def ends(self) -> None: ...


def verdicts(programs: Iterable[Program]) -> Iterator[dict[str, Any]]:
    """Yield the record of each program."""
    judge = Judge(_Nobody(), before_each(ROOT / "lessons"))
    try:
        for one in programs:
            yield judge.record(one.exercise, [(one.exercise, one.text)]).to_json()
    finally:  # in a page `check` does nothing; restore the course's own for later code
        for name in ("check", "hint"):
            vars(qkvlib).pop(name, None)
