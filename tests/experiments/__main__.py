"""Test every claim of the course: `python -m tests.experiments` prints a table, one line for each claim.

`--seeds 2` is the short form. Arguments filter the table: `python -m tests.experiments 05 frozen`.
"""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import sys

import torch

import tests.experiments as chapters
from tests.experiments.claims import CLAIMS, HEAD, examine, row


def load() -> None:
    """Import every chapter's module, which registers its claims."""
    for module in sorted(pkgutil.iter_modules(chapters.__path__), key=lambda m: m.name):
        if module.name.startswith("ch"):
            importlib.import_module(f"tests.experiments.{module.name}")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("words", nargs="*", help="only claims whose chapter or text has all these")
    parser.add_argument("--seeds", type=int, default=20, help="how many seeds at most (20)")
    chosen = parser.parse_args(arguments)
    load()
    failed = seen = 0
    seconds = 0.0
    print(HEAD)
    for claim in CLAIMS:
        if all(word in f"{claim.chapter} {claim.text}" for word in chosen.words):
            finding = examine(claim, range(chosen.seeds))
            print(row(finding), flush=True)
            failed, seen, seconds = failed + (not finding.holds), seen + 1, seconds + finding.seconds
    print(f"{seen - failed} of {seen} claims hold, {seconds:.0f} s of one core")
    return 1 if failed else 0


if __name__ == "__main__":
    torch.set_num_threads(1)  # on matrices this small a second thread only slows things down
    sys.exit(main(sys.argv[1:]))
