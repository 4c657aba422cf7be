"""The site's budgets on a slow telephone: `python -m tests.benchmarks.site build/site [PAGE ...]`.

A processor four times slower, 1.6 Mbit/s, 150 ms to the server, which compresses as GitHub Pages
does. Three visits each, each with nothing kept from before; the medians are told. It ends with 1
where a budget is not kept, as the workflow that publishes the site wants it.
"""

from __future__ import annotations

import functools
import gzip
import http.server
import statistics
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from qkvlib.site.build import build
from tests.browser import started_browser

VISITS = 3
SLOWER, BITS, LATENCY = 4, 1_600_000, 150
BUDGETS = {
    "s to the text": 1.0,
    "s to a living widget": 1.5,
    "KB until then": 150,
    "layout shift": 0.02,
}
# The widget that is first met lives; the shifts are of the whole visit, read to its end.
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


class _Compressing(http.server.SimpleHTTPRequestHandler):
    def do_GET(self) -> None:
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

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def _served(folder: Path) -> Iterator[str]:
    handler = functools.partial(_Compressing, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def visit(browser: Browser, address: str) -> dict[str, float]:
    """One visit of somebody who has never been here, and reads to the end."""
    context = browser.new_context(viewport={"width": 360, "height": 740})
    page = context.new_page()
    phone = context.new_cdp_session(page)
    phone.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    line = {"downloadThroughput": BITS / 8, "uploadThroughput": BITS / 8}
    phone.send("Network.enable")
    phone.send("Network.emulateNetworkConditions", {"offline": False, "latency": LATENCY, **line})
    page.add_init_script(_WATCH)
    page.goto(address)
    text = page.evaluate(
        "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? performance.now()"
    )
    found = {"s to the text": text / 1000}
    place = page.locator(".place:visible")
    if place.count():
        place.first.scroll_into_view_if_needed()
        page.wait_for_function("window.alive", timeout=60_000)
        found["s to a living widget"] = page.evaluate("window.alive") / 1000
        found["KB until then"] = page.evaluate("window.bytes") / 1000
    height = page.evaluate("document.documentElement.scrollHeight")
    for down in range(0, height, 500):
        page.evaluate(f"scrollTo({{ top: {down}, behavior: 'instant' }})")
        page.wait_for_timeout(300)
    found["layout shift"] = page.evaluate("window.shift")
    context.close()
    return found


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "build/site")
    if not folder.exists():
        build(Path.cwd(), folder)
    pages = sys.argv[2:] or sorted(path.stem for path in folder.glob("*.html"))
    over = 0
    print(f"{'':26}" + "".join(f"{name:>22}" for name in BUDGETS))
    with (
        sync_playwright() as playwright,
        started_browser(playwright) as browser,
        _served(folder) as address,
    ):
        for name in pages:
            visits = [visit(browser, f"{address}/{name}.html") for _ in range(VISITS)]
            told = {each: statistics.median(one[each] for one in visits) for each in visits[0]}
            # Only the front page opens on a widget; elsewhere one reads before one is met.
            budgets = BUDGETS if name == "index" else {"layout shift": BUDGETS["layout shift"]}
            marks = {each: "!" if told[each] > limit else "" for each, limit in budgets.items()}
            over += sum(map(len, marks.values()))
            shown = (
                f"{told[each]:.3f}{marks.get(each, '')}" if each in told else "" for each in BUDGETS
            )
            print(f"{name:26}" + "".join(f"{each:>22}" for each in shown), flush=True)
    if over:
        sys.exit(f"{over} of the budgets are not kept.")


if __name__ == "__main__":
    main()
