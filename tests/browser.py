"""Choose the browsers for the tests: the system's if it has them, else those Playwright installed."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, BrowserType, Playwright, expect

expect.set_options(timeout=30_000)  # a busy machine may be slow

# A selector for a widget's root once all requests are answered, or once the kernel is gone and the
# page continues without it.
SETTLED = ':not([data-asking]):is([data-waiting="0"], [data-behind="gone"])'


@dataclass(frozen=True)
class _Kind:
    """One browser: the names it has on a system, how to install it, and how to start it."""

    names: tuple[str, ...]
    package: str
    args: tuple[str, ...] = ()
    channel: str | None = None


_KINDS = {
    # First the build that cannot open windows: with it these tests take a third less time.
    "chromium": _Kind(
        names=(
            *("chromium-headless-shell", "chromium", "chromium-browser"),
            *("google-chrome", "chrome", "msedge"),
        ),
        package="chromium",
        args=(
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
        ),
    ),
    # Playwright drives its own Firefox by its own protocol, and any other Firefox by WebDriver BiDi.
    "firefox": _Kind(names=("firefox-esr", "firefox"), package="firefox-esr", channel="moz-firefox"),
}
_MISSING = (
    "These tests need {0}, and it was not found. Install it: `apt-get install {1}`, or "
    "`python -m playwright install {0}`, or from its maker's own page."
)


@contextmanager
def started_browser(
    playwright: Playwright, kind: str = "chromium", more: Sequence[str] = ()
) -> Iterator[Browser]:
    """Start a browser without a window, and close it at the end. If there is none, fail; do not skip.

    `more` switches are for Chromium only.
    """
    wanted = _KINDS[kind]
    maker: BrowserType = getattr(playwright, kind)
    if system := next(filter(None, map(shutil.which, wanted.names)), None):
        args = [*wanted.args, *more]
        browser = maker.launch(executable_path=system, args=args, channel=wanted.channel)
    elif Path(maker.executable_path).exists():
        browser = maker.launch(args=[*more])
    else:
        raise RuntimeError(_MISSING.format(kind, wanted.package))
    yield browser
    browser.close()
