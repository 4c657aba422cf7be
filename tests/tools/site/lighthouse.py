"""Measure Lighthouse's scores on a phone: `python -m tests.tools.site.lighthouse build/site [PAGE ...]`.

Lighthouse comes from npm and drives the browser of the other tests. The server compresses nothing. The
exit code is 1 if a page scores less than it should. Lighthouse computes the speed on a slow line and
processor from a fast visit, so other work on the machine lowers the score: `make everything` runs it
alone, and the best of three visits counts.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import sync_playwright

from qkvlib.tools.site.build import build
from tests.browser import started_browser
from tests.node import PROGRAM
from tests.tools.site.conftest import ROOT, served

SPEED = "performance"
CATEGORIES = (SPEED, "accessibility", "best-practices", "seo")
VISITS = 3
_LIGHTHOUSE = ROOT / "node_modules/lighthouse/cli/index.js"


@dataclass(frozen=True)
class Report:
    """The scores from 0 to 100 in each category, and what lowered them."""

    points: dict[str, int]
    lost: tuple[str, ...]


def least(page: str) -> dict[str, int]:
    """Return the scores that a page should have."""
    return dict.fromkeys(CATEGORIES, 100) | {SPEED: 100 if page == "index" else 98}


@contextmanager
def _browser() -> Iterator[int]:
    """Start a browser that listens to Lighthouse, and yield its port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    with (
        sync_playwright() as playwright,
        started_browser(playwright, more=[f"--remote-debugging-port={port}"]),
    ):
        yield port


def _visited(port: int, address: str) -> Report:
    only = f"--only-categories={','.join(CATEGORIES)}"
    command = [PROGRAM, _LIGHTHOUSE, address, f"--port={port}", "--output=json", "--quiet", only]
    done = subprocess.run(
        [*command, "--no-enable-error-reporting"], capture_output=True, encoding="utf-8", check=False
    )
    if done.returncode:
        raise RuntimeError(f"Lighthouse has failed on {address}:\n{done.stderr}")
    told = json.loads(done.stdout)
    parts, audits = told["categories"], told["audits"]
    counted = [audits[one["id"]] for name in CATEGORIES for one in parts[name]["auditRefs"] if one["weight"]]
    lost = [one for one in counted if one["score"] is not None and one["score"] < 1]
    return Report(
        {name: round(100 * parts[name]["score"]) for name in CATEGORIES},
        tuple(f"{one['title']} {one.get('displayValue', '')}".rstrip() for one in lost),
    )


def _best(port: int, address: str, wanted: int) -> Report:
    """Return the best of three visits; stop early if a visit has the wanted scores."""
    reports = [_visited(port, address)]
    while len(reports) < VISITS and reports[-1].points[SPEED] < wanted:
        reports.append(_visited(port, address))
    return max(reports, key=lambda report: report.points[SPEED])


def main(site: str = "build/site", *pages: str) -> int:
    folder, short = Path(site), 0
    if not folder.exists():
        build(ROOT, folder)
    print(f"{'':24}" + "".join(f"{name:>16}" for name in CATEGORIES))
    with served(folder) as address, _browser() as port:
        for page in pages or sorted(path.stem for path in folder.glob("*.html")):
            wanted = least(page)
            report = _best(port, f"{address}/{page}.html", wanted[SPEED])
            marks = {name: "!" if report.points[name] < wanted[name] else "" for name in CATEGORIES}
            line = "".join(f"{f'{report.points[name]}{marks[name]}':>16}" for name in CATEGORIES)
            print(f"{page:24}{line}   {'; '.join(report.lost)}", flush=True)
            short += any(marks.values())
    return 1 if short else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
