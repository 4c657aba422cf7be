"""Which browser the tests drive: one that the system has, else the one Playwright installed."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Playwright, expect, sync_playwright

expect.set_options(timeout=30_000)  # a machine that does other things as well may be slow

# A widget's root, as a selector, once all that was asked is answered; or the kernel is gone, and
# the page goes on without it.
SETTLED = ':is([data-waiting="0"], [data-behind="gone"])'

# First the build that has no windows of its own: with it these tests take a third less time.
_SYSTEM = (
    *("chromium-headless-shell", "chromium", "chromium-browser"),
    *("google-chrome", "chrome", "msedge"),
)
_MISSING = (
    "These tests need a browser, and none was found. Install one: `apt-get install chromium`, or "
    "`python -m playwright install chromium`, or Google Chrome from its own page."
)
_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def executable(playwright: Playwright) -> str:
    """The path of a browser; a machine without one fails, it does not skip."""
    for name in _SYSTEM:
        if path := shutil.which(name):
            return path
    path = playwright.chromium.executable_path
    if not Path(path).exists():
        raise RuntimeError(_MISSING)
    return path


@contextmanager
def started_browser() -> Iterator[Browser]:
    """A browser without a window, closed at the end."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=executable(playwright), headless=True, args=_ARGUMENTS
        )
        yield browser
        browser.close()
