"""Measure how long a check in a page takes, and its cost: `python -m tests.benchmarks.checks_in_page`.

An argument selects the parts whose names contain it: visits, warm, loop, memory. The worker is
the site's own, and all files come from this computer. Processor time is summed over all browser
processes and printed beside wall time; it is more reliable on a busy machine. The exit code is 1 if
a budget is exceeded.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from tests.browser import started_browser
from tests.proof.in_browser import ask, site
from tests.proof.programs import Program, of_the_bank

VISITS, LOOPS, CHECKS = 5, 3, 50
BUDGETS = {
    "first visit, from Check to verdict": 6.0,
    "later visit": 1.5,
    "warm check, median over the bank": 0.5,
    "endless loop, from Check to verdict": 5.0,
    "the check after it": 2.0,
    f"memory after {CHECKS} checks, MB": 400,
}
RIGHT = "def dot(a, b):\n    return (a * b).sum()\n"
LOOP = "def dot(a, b):\n    while True:\n        pass\n"


@dataclass(frozen=True)
class Took:
    """Seconds of wall time and of processor time."""

    seconds: float
    processor: float


class Place:
    """The browser, the address of a page that checks, and the processor time used by its processes."""

    def __init__(self, browser: Browser, address: str) -> None:
        self._browser, self._address = browser, address
        self._system: CDPSession = browser.new_browser_cdp_session()

    def visitor(self) -> Callable[[], Page]:
        """Open the page as someone who has never visited it; each call is a new visit."""
        context = self._browser.new_context()

        def visit() -> Page:
            page = context.new_page()
            page.goto(self._address)
            page.wait_for_function("globalThis.checker")
            return page

        return visit

    def timed(self, page: Page, name: str, text: str) -> tuple[Took, str]:
        """Run a check, and return its times and its outcome."""
        before, started = self._processor(), time.perf_counter()
        outcome = ask(page, name, text).get("outcome", "broken")
        seconds = time.perf_counter() - started
        return Took(seconds, self._processor() - before), outcome

    def megabytes(self) -> float:
        """Return the memory of the page's process, including its share of the memory used jointly."""
        processes = self._system.send("SystemInfo.getProcessInfo")["processInfo"]
        pages = [one["id"] for one in processes if one["type"] == "renderer"]
        return max(map(_proportional, pages))

    def _processor(self) -> float:
        processes = self._system.send("SystemInfo.getProcessInfo")["processInfo"]
        return sum(one["cpuTime"] for one in processes)


def _proportional(process: int) -> float:
    lines = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="utf-8").splitlines()
    (found,) = (line.split()[1] for line in lines if line.startswith("Pss:"))
    return int(found) / 1000


def median(took: list[Took]) -> Took:
    seconds, processor = ([one.seconds for one in took], [one.processor for one in took])
    return Took(statistics.median(seconds), statistics.median(processor))


def visits(place: Place) -> Iterator[tuple[str, Took]]:
    first, later = [], []
    for _ in range(VISITS):
        visit = place.visitor()
        for took in (first, later):
            page = visit()
            came, outcome = place.timed(page, "dot", RIGHT)
            assert outcome == "right"
            took.append(came)
            page.wait_for_timeout(2000)  # a first visit stores its snapshot of Python's memory
            page.close()
    yield "first visit, from Check to verdict", median(first)
    yield "later visit", median(later)


def warm(place: Place) -> Iterator[tuple[str, Took]]:
    """Check each program of the bank twice, because learners check more than once."""
    page, took = place.visitor()(), []
    for one in of_the_bank():
        ask(page, one.exercise, one.text)
        came, _ = place.timed(page, one.exercise, f"{one.text}  # once more")
        took.append(came)
    yield "warm check, median over the bank", median(took)
    yield "warm check, the slowest", max(took, key=lambda one: one.seconds)


def loop(place: Place) -> Iterator[tuple[str, Took]]:
    page, ended, after = place.visitor()(), [], []
    ask(page, "dot", RIGHT)
    for number in range(LOOPS):
        for took, text, wanted in ((ended, LOOP, "raised"), (after, RIGHT, "right")):
            came, outcome = place.timed(page, "dot", f"{text}# {number}")
            assert outcome == wanted
            took.append(came)
    yield "endless loop, from Check to verdict", median(ended)
    yield "the check after it", median(after)


def memory(place: Place) -> Iterator[tuple[str, float]]:
    page = place.visitor()()
    programs: list[Program] = list(of_the_bank())
    for one in programs[:: len(programs) // CHECKS][:CHECKS]:
        ask(page, one.exercise, one.text)
    yield f"memory after {CHECKS} checks, MB", place.megabytes()


def main(named: str = "") -> None:
    over = []
    print(f"{'':38}{'found':>10}{'processor':>12}{'budget':>10}")
    with site() as address, sync_playwright() as playwright, started_browser(playwright) as browser:
        for part in (visits, warm, loop, memory):
            if named not in part.__name__:
                continue
            for name, came in part(Place(browser, address)):
                found = came.seconds if isinstance(came, Took) else came
                processor = f"{came.processor:.2f}" if isinstance(came, Took) else ""
                budget = BUDGETS.get(name)
                over += [name] if budget is not None and found > budget else []
                print(f"{name:38}{found:10.2f}{processor:>12}{budget or '':>10}", flush=True)
    if over:
        sys.exit(f"Over its budget: {'; '.join(over)}.")


if __name__ == "__main__":
    main(*sys.argv[1:])
