"""Measure the height of every live widget of the site: `python -m tests.tools.site.heights [SITE]`.

A page reserves this height until a widget wakes. Run this after a change of a lesson or a widget, if
`test_every_page.py` fails; it writes `heights.json`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from qkvlib.learner.files import write_atomically
from qkvlib.tools.site.build import build
from tests.browser import started_browser
from tests.tools.site.conftest import ROOT, served

WIDTHS = (360, 768, 1440)
HEIGHTS = ROOT / "qkvlib" / "tools" / "site" / "heights.json"
# Answer the predictions first: until then, whatever is behind them has no height.
OPEN = """() => {
  for (const one of document.querySelectorAll("details.outcome")) {
    one.removeAttribute("data-shut");
    one.open = true;
  }
}"""
_MEASURE = """() => [...document.querySelectorAll(".place")].map((place) =>
  [place.dataset.kind, Math.round(place.getBoundingClientRect().height)])"""
# Scroll near the first sleeping widget, and return its kind.
_NEXT = """() => {
  const place = document.querySelector(".place:not(:has(.qkv[data-ready]))");
  place?.scrollIntoView({ behavior: "instant" });
  return place?.dataset.kind ?? "";
}"""

Heights = dict[str, list[list[int]]]


def wake_all(page: Page) -> None:
    """Scroll near every widget of an open page, and wait until all are live."""
    page.evaluate(OPEN)
    for _ in range(200):
        asleep = page.evaluate(_NEXT)
        if not asleep:
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"{page.url}: {asleep} sleeps")


def heights(page: Page) -> list[tuple[str, int]]:
    """Return each widget's kind and height, in the order of the page."""
    return [(kind, high) for kind, high in page.evaluate(_MEASURE)]


def measured(browser: Browser, address: str) -> Heights:
    """Return the heights that a page reserves: by kind of widget, in order, and by width."""
    kinds: Heights = {}
    page = browser.new_page()
    found = []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        page.goto(address)
        wake_all(page)
        found.append(heights(page))
    page.close()
    for at_each in zip(*found, strict=True):
        kind = at_each[0][0]
        kinds.setdefault(kind, []).append([high for _, high in at_each])
    return kinds


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "build/site")
    if not folder.exists():
        build(ROOT, folder)
    with sync_playwright() as playwright, started_browser(playwright) as browser, served(folder) as address:
        pages = sorted(path.stem for path in folder.glob("*.html"))
        found = {name: measured(browser, f"{address}/{name}.html") for name in pages}
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(each)}" for name, each in found.items())
    write_atomically(HEIGHTS, f"{{\n{lines}\n}}\n")


if __name__ == "__main__":
    main()
