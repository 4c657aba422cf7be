"""Compare the page with torch on the whole bank: `python -m tests.proof node|chromium|firefox`.

A second argument selects the exercises whose names contain it; a third sets the number of mutants.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import torch

from qkvlib.tools.site.in_page.pack import archive
from tests.node import Node
from tests.proof import under_torch
from tests.proof.programs import MUTANTS, Program, mutants, of_the_bank
from tests.proof.table import differences

_SCRIPT = Path(__file__).with_name("in_node.mjs")


def in_node(programs: Iterable[Program]) -> Iterator[dict[str, Any]]:
    """Yield the records as Python in node gives them."""
    with tempfile.TemporaryDirectory() as folder:
        packed = Path(folder, "course.zip")
        packed.write_bytes(archive(under_torch.ROOT / "lessons"))
        with Node(_SCRIPT, str(packed)) as node:
            for one in programs:
                yield node.ask({"name": one.exercise, "sources": [[one.exercise, one.text]]})


def main(where: str = "node", named: str = "", how_many: str = str(MUTANTS)) -> int:
    """Return the number of programs that differ."""
    programs = [*of_the_bank(), *mutants(int(how_many), seed=0)]
    programs = [one for one in programs if named in one.exercise]
    torch.set_num_threads(1)  # next to other programs, several threads wait for one another
    started = time.perf_counter()
    ours = list(under_torch.verdicts(programs))
    print(f"{len(programs)} under torch: {time.perf_counter() - started:.0f} s", flush=True)
    if where == "node":  # node cannot end an endless loop
        ends = [not record["message"].startswith("Stopped") for record in ours]
        programs = [one for one, does in zip(programs, ends, strict=True) if does]
        ours = [one for one, does in zip(ours, ends, strict=True) if does]
        theirs = list(in_node(programs))
    else:
        from tests.proof.in_browser import in_browser

        theirs = list(in_browser(where, programs))
    print(f"{len(programs)} in {where}: {time.perf_counter() - started:.0f} s", flush=True)
    found = list(differences(programs, ours, theirs))
    print("\n".join(found))
    print(f"{len(found)} of {len(programs)} differ")
    return len(found)


if __name__ == "__main__":
    sys.exit(min(main(*sys.argv[1:]), 1))
