"""Measure how fast the lab is in a real JupyterLab: `python -m tests.benchmarks.widgets`.

The lab has a head of 4 tokens, d = 4, d_k = 3. It is compared with a plain text, the most that any
page can do. Times depend on the machine; shares of its frames hold anywhere.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser import started_browser
from tests.jupyterlab.jupyterlab import Lab, Server, running_server, write_notebook

DRAG_SECONDS, RERUNS = 4, 20
CELL = """\
import torch
from qkvlib.widgets import AttentionLab
torch.manual_seed(3)
x = torch.randn(4, 4)
ws = [0.6 * torch.randn(4, 3) for _ in range(3)]
lab = AttentionLab(x, *ws, torch.randn(4, 3), tokens="the cat sat down")"""


@dataclass(frozen=True)
class Way:
    """What to drag or play, and the element that shows the movement."""

    touched: str
    downstream: str
    play: str = ""
    along: tuple[int, int] = (0, -200)  # the direction of a drag, in pixels


LAB = Way('[data-at="w_q 0 0"]', ".lab-picture", "button:text-is('Play')")
# The most that any page can do: a text that follows the pointer, and one that changes in each frame.
BARE = Way("#bare", "#bare", "#bare-play")
PUT_BARE = """() => {
  const text = Object.assign(document.createElement("p"), { id: "bare", textContent: "0" });
  const play = Object.assign(document.createElement("button"), { id: "bare-play" });
  for (const [left, made] of [[200, text], [300, play]]) {
    const place = `left: ${left}px; top: 500px; width: 50px; height: 20px`;
    const hand = "touch-action: none; user-select: none"; // it moves a number, and selects nothing
    made.style.cssText = `position: fixed; z-index: 999; background: white; ${place}; ${hand}`;
    document.body.append(made);
  }
  const write = (number) => (text.firstChild.data = String(number));
  text.addEventListener("pointerdown", ({ pointerId }) => text.setPointerCapture(pointerId));
  text.addEventListener("pointermove", ({ clientY }) => write(clientY));
  const turn = (now) => {
    if (!text.isConnected) return;
    write(now);
    requestAnimationFrame(turn);
  };
  play.addEventListener("click", () => requestAnimationFrame(turn));
}"""
TAKE_BARE = "document.querySelectorAll('[id^=bare]').forEach((one) => one.remove())"

# Watch an element: list each frame that changes it, ignoring what the pointer itself holds, and
# count all frames. The watch looks at every frame: one that waited for the next frame after a
# change would see at most every second one.
_WATCH = """([selector, touched]) => {
  const element = document.querySelector(selector);
  const held = selector === touched ? null : document.querySelector(touched);
  const frames = (window.frames_ = []);
  window.drawn_ = 0;
  let changed = false;
  new MutationObserver((changes) => {
    changed ||= changes.some(
      ({ target }) => !held?.contains(target) && !target.closest?.(".qkv-spoken"),
    );
  }).observe(element, { subtree: true, childList: true, characterData: true, attributes: true });
  const frame = () => {
    if (frames !== window.frames_) return; // another watch has begun
    window.drawn_++;
    if (changed) frames.push(performance.now());
    changed = false;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}"""
_AFRESH = "window.frames_.length = window.drawn_ = 0"
# Move a pointer there and back by the browser's own clock. Moves that Playwright sends wait for one
# another, and arrive late if the machine is busy.
_DRAG = """async ([touched, along, seconds]) => {
  const { gpuBenchmarking: hand } = chrome;
  const start = performance.now();
  for (let way = 1; performance.now() - start < 1000 * seconds; way = -way) {
    const { x, y, width, height } = document.querySelector(touched).getBoundingClientRect();
    const from = [x + width / 2, y + height / 2];
    const to = from.map((place, axis) => place + way * along[axis]);
    await new Promise((then) => hand.smoothDrag(...from, ...to, then, hand.MOUSE_INPUT, 100));
  }
  return [window.frames_.length, window.drawn_, (performance.now() - start) / 1000];
}"""
_COUNTED = "[window.frames_.length, window.drawn_]"


def measure(server: Server, browser: Browser) -> Iterator[tuple[str, float]]:
    """Yield all measurements, from two pages of JupyterLab, each with its own kernel."""
    for name in ("quiet", "again"):
        write_notebook(server.notebooks / f"{name}.ipynb", [CELL, "lab"])
    with Lab(browser, server) as lab:
        lab.open("quiet.ipynb")
        yield "ms from display to pixels", opening(lab)
        lab.page.evaluate(PUT_BARE)
        watch(lab.page, BARE)
        yield from moving(lab.page, BARE, ", a bare text")
        lab.page.evaluate(TAKE_BARE)
        watch(lab.page, LAB)
        yield from moving(lab.page, LAB, "")
        lab.start_cell("import time; time.sleep(60)")
        yield "dragged updates, share of frames, kernel busy", dragging(lab.page, LAB)[1]
    with Lab(browser, server) as lab:
        lab.open("again.ipynb")
        lab.run_all()
        yield "MB of heap a re-run", heap(lab)


def watch(page: Page, way: Way) -> None:
    page.locator(way.touched).first.scroll_into_view_if_needed()
    page.evaluate(_WATCH, [way.downstream, way.touched])


def opening(lab: Lab) -> float:
    lab.page.evaluate("() => (window.jupyterapp.shell.currentWidget.content.activeCellIndex = 0)")
    lab.command("notebook:run-cell-and-select-next")
    lab.page.wait_for_selector("text=[1]:")
    lab.run_cell("lab.bridge; print(0)")  # the bridge is made when it is first shown
    lab.page.evaluate("() => (window.jupyterapp.shell.currentWidget.content.activeCellIndex = 1)")
    start = time.perf_counter()
    lab.command("notebook:run-cell")
    lab.page.wait_for_selector(".lab-cell", timeout=60_000)
    lab.page.evaluate("() => new Promise((then) => requestAnimationFrame(then))")
    return 1000 * (time.perf_counter() - start)


def moving(page: Page, way: Way, when: str) -> Iterator[tuple[str, float]]:
    """Measure a drag and a Play: updates a second, and the share of frames that show one."""
    a_second, share = dragging(page, way)
    yield f"dragged updates/s{when}", a_second
    yield f"dragged updates, share of frames{when}", share
    a_second, share = playing(page, way)
    yield f"played updates/s{when}", a_second
    yield f"played updates, share of frames{when}", share


def dragging(page: Page, way: Way) -> tuple[float, float]:
    """Return the changes painted a second while the mouse keeps moving, and their share of all frames."""
    page.evaluate(_AFRESH)
    frames, drawn, seconds = page.evaluate(_DRAG, [way.touched, way.along, DRAG_SECONDS])
    page.wait_for_timeout(3000)
    return frames / seconds, frames / drawn


def playing(page: Page, way: Way) -> tuple[float, float]:
    """Return the steps painted a second when 60 are requested, and their share of all frames."""
    if way == LAB:
        page.locator(".lab-select select:has([value='60'])").first.select_option("60")
    page.locator(way.play).first.click()
    page.wait_for_timeout(500)
    page.evaluate(_AFRESH)
    page.wait_for_timeout(1000 * DRAG_SECONDS)
    frames, drawn = page.evaluate(_COUNTED)
    return frames / DRAG_SECONDS, frames / drawn


def heap(lab: Lab) -> float:
    """Return the memory that each further run of both cells leaves in the page."""
    session = lab.page.context.new_cdp_session(lab.page)
    session.send("Performance.enable")

    def used() -> float:
        session.send("HeapProfiler.collectGarbage")
        metrics = session.send("Performance.getMetrics")["metrics"]
        return next(m["value"] for m in metrics if m["name"] == "JSHeapUsedSize") / 1e6

    before = used()
    for _ in range(RERUNS):
        lab.run_all()
        lab.page.wait_for_selector(".lab-cell", timeout=60_000)
    lab.page.wait_for_timeout(2000)
    return (used() - before) / RERUNS


def main() -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        sync_playwright() as playwright,
        started_browser(playwright, more=["--enable-gpu-benchmarking"]) as browser,
        running_server(Path(folder)) as server,
    ):
        for name, number in measure(server, browser):
            print(f"{name:44}{number:12,.2f}", flush=True)  # print at once: a run takes minutes


if __name__ == "__main__":
    main()
