"""Check the site's budgets on a slow phone: `python -m tests.benchmarks.site build/site [PAGE ...]`.

The processor is four times slower, the line has 1.6 Mbit/s and 150 ms to a server that compresses as
GitHub Pages does. Each page gets three visits with an empty cache; the medians are printed. The exit
code is 1 if a budget is exceeded, because the workflow that publishes the site needs it.

The drag rate on the slow processor is also printed, beside that of a plain text in the same page:
not every machine's browser reaches 60 frames a second.
"""

from __future__ import annotations

import gzip
import statistics
import sys
from pathlib import Path

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from qkvlib.tools.site.build import build
from tests.benchmarks.widgets import BARE, PUT_BARE, TAKE_BARE, Way, dragging, watch
from tests.browser import started_browser
from tests.tools.site.conftest import Quiet, served

VISITS = 3
SLOWER, BITS, LATENCY = 4, 1_600_000, 150
BUDGETS = {"s to the text": 1.0, "s to a living widget": 1.5, "KB until then": 150, "layout shift": 0.02}
_ALONE = 2000  # milliseconds: the first question brings 300 KB of Playwright's into the page
# What to drag on which page: the kind of widget, the grip, and the element that shows the movement.
_GRIPS = {
    "index": ("learn_to_look", ".look-plane [role=slider]", ".qkv-look"),
    "00_start_here": ("vectors", ".qkv-vectors [role=slider]", ".qkv-vectors"),
    "02_soft_lookup": ("soft_lookup", ".qkv-soft [role=slider]", ".qkv-soft"),
    "03_projections": ("lab", '.qkv-lab [data-at="w_q 0 0"]', ".qkv-lab"),
}
# The first widget must be live; layout shifts are counted over the whole visit, read to its end.
_WATCH = """
window.shift = 0;
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) window.shift += one.value;
}).observe({ type: "layout-shift", buffered: true });
new MutationObserver((_, watcher) => {
  if (!document.querySelector(".qkv[data-ready]")) return;
  window.alive = performance.now();
  window.bytes = performance.getEntries().reduce((sum, one) => sum + (one.transferSize ?? 0), 0);
  watcher.disconnect();
}).observe(document, { subtree: true, childList: true, attributes: true });
"""
# Whether the first widget is on the screen.
_IN_VIEW = "() => document.querySelector('.place').getBoundingClientRect().top < innerHeight"


class _Compressing(Quiet):
    def do_GET(self) -> None:  # noqa: N802 (http.server's name for it)
        path = Path(self.translate_path(self.path))
        if not path.is_file():
            self.send_error(404)
            return
        body = gzip.compress(path.read_bytes())
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def visit(browser: Browser, address: str) -> dict[str, float]:
    """Visit a page for the first time, and read it to the end."""
    page, phone = _telephone(browser)
    line = {"downloadThroughput": BITS / 8, "uploadThroughput": BITS / 8}
    phone.send("Network.enable")
    phone.send("Network.emulateNetworkConditions", {"offline": False, "latency": LATENCY, **line})
    page.add_init_script(_WATCH)
    page.goto(address)
    page.wait_for_timeout(_ALONE)
    text = page.evaluate(
        "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? performance.now()"
    )
    found = {"s to the text": text / 1000}
    if page.locator(".place:visible").count():
        seen = 0.0  # a widget further down is seen, and starts, only when the reader comes near
        while not page.evaluate(_IN_VIEW):
            seen = page.evaluate("performance.now()")
            _read_on(page)
        page.wait_for_function("window.alive", timeout=60_000)
        found["s to a living widget"] = max(0, page.evaluate("window.alive") - seen) / 1000
        found["KB until then"] = page.evaluate("window.bytes") / 1000
    while page.evaluate("scrollY + innerHeight + 1 < document.documentElement.scrollHeight"):
        _read_on(page)
    found["layout shift"] = page.evaluate("window.shift")
    page.context.close()
    return found


def _read_on(page: Page) -> None:
    page.evaluate("scrollBy({ top: 500, behavior: 'instant' })")
    page.wait_for_timeout(300)


def _telephone(browser: Browser) -> tuple[Page, CDPSession]:
    page = browser.new_context(viewport={"width": 360, "height": 740}).new_page()
    phone = page.context.new_cdp_session(page)
    phone.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    return page, phone


def drag(browser: Browser, address: str, kind: str, grip: str, widget: str) -> tuple[float, float]:
    """Return the updates a second of a drag, and of a plain text in the same page."""
    page, _ = _telephone(browser)
    page.goto(address)
    page.locator(f".place[data-kind={kind}]").first.scroll_into_view_if_needed()
    page.wait_for_selector(f"{widget}[data-ready]")
    page.evaluate(PUT_BARE)
    watch(page, BARE)
    bare, _ = dragging(page, BARE)
    page.evaluate(TAKE_BARE)
    way = Way(grip, widget, along=(0, -80))
    watch(page, way)
    page.locator(grip).first.evaluate("(grip) => grip.scrollIntoView({ block: 'center' })")
    page.wait_for_timeout(1000)
    reached, _ = dragging(page, way)
    page.context.close()
    return reached, bare


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "build/site")
    if not folder.exists():
        build(Path.cwd(), folder)
    pages = sys.argv[2:] or sorted(path.stem for path in folder.glob("*.html"))
    over = 0
    print(f"{'':26}" + "".join(f"{name:>22}" for name in BUDGETS))
    with (
        sync_playwright() as playwright,
        started_browser(playwright, more=["--enable-gpu-benchmarking"]) as browser,
        served(folder, _Compressing) as address,
    ):
        for name in pages:
            visits = [visit(browser, f"{address}/{name}.html") for _ in range(VISITS)]
            told = {each: statistics.median(one[each] for one in visits) for each in visits[0]}
            marks = {each: "!" if told[each] > BUDGETS[each] else "" for each in told}
            over += sum(map(len, marks.values()))
            shown = (f"{told[each]:.3f}{marks[each]}" if each in told else "" for each in BUDGETS)
            print(f"{name:26}" + "".join(f"{each:>22}" for each in shown), flush=True)
        for name, (kind, grip, widget) in _GRIPS.items():
            if name not in pages:
                continue
            reached, bare = drag(browser, f"{address}/{name}.html", kind, grip, widget)
            print(f"{name:26}{reached:.1f} updates/s of a drag, of a bare text {bare:.1f}", flush=True)
    if over:
        sys.exit(f"{over} of the budgets are not kept.")


if __name__ == "__main__":
    main()
