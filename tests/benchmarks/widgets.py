"""The lab beside what one would otherwise build: `python -m tests.benchmarks.widgets`.

The same head (4 tokens, d = 4, d_k = 3) twice in one real JupyterLab: 36 sliders with one plotly
FigureWidget of 13 maps, and `AttentionLab`. Both are driven and measured in the same way, in turns.
Times depend on the machine; bytes, messages and ratios hold anywhere.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser import started_browser
from tests.jupyterlab.jupyterlab import Lab, Server, running_server, write_notebook
from tests.jupyterlab.traffic import Traffic

TWEAKS, DRAG_SECONDS, BUSY_SECONDS, RERUNS = 15, 4, 22, 20

DATA = """\
import torch
torch.manual_seed(3)
x = torch.randn(4, 4)
ws = [0.6 * torch.randn(4, 3) for _ in range(3)]
target = torch.randn(4, 3)
"""
LAB = (
    DATA
    + """\
from qkvlib.widgets import AttentionLab
widget = AttentionLab(x, *ws, target, tokens="the cat sat down")"""
)
SLOWER = """\
import time
quick = widget.receive
widget.receive = lambda rest: (time.sleep(0.05), quick(rest))[1]
print(0)"""
SLIDERS = (
    DATA
    + """\
import time, ipywidgets, plotly.graph_objects as go
from plotly.subplots import make_subplots
from qkvlib.gradients import backward, trace

names = ["x", "w_q", "w_k", "w_v", "q", "k", "v", "scores", "weights", "output"]
titles = names + ["d_w_q", "d_w_k", "d_w_v"]
figure = go.FigureWidget(make_subplots(3, 5, subplot_titles=titles))
for i, name in enumerate(titles):
    figure.add_heatmap(z=[[0.0]], texttemplate="%{z:.2f}", showscale=False,
                       row=i // 5 + 1, col=i % 5 + 1)
sliders = [[[ipywidgets.FloatSlider(w[i, j].item(), min=-3, max=3, step=0.01,
             layout={"width": "150px"}, readout_format=".2f")
             for j in range(3)] for i in range(4)] for w in ws]
busy = False
delay = 0

def draw(change=None):
    global found, grads
    if busy:
        return
    time.sleep(delay)
    weights = [torch.tensor([[s.value for s in row] for row in w]) for w in sliders]
    found = trace(x, *weights)
    grads = backward(found, 2 * (found.output - target) / target.numel())
    with figure.batch_update():
        for i, name in enumerate(titles):
            record = grads if name.startswith("d_") else found
            figure.data[i].z = getattr(record, name).flip(0).tolist()

def step(change):
    global busy
    busy = True
    for w, name in zip(sliders, ("d_w_q", "d_w_k", "d_w_v")):
        for row, slopes in zip(w, getattr(grads, name).tolist()):
            for slider, slope in zip(row, slopes):
                slider.value -= slope
    busy = False
    draw()

for w in sliders:
    for row in w:
        for slider in row:
            slider.observe(draw, "value")
play = ipywidgets.Play(min=0, max=10_000, interval=17)
play.observe(step, "value")
draw()
columns = [ipywidgets.VBox([ipywidgets.HBox(row) for row in w]) for w in sliders]
widget = ipywidgets.VBox([play, ipywidgets.HBox(columns), figure])"""
)


@dataclass(frozen=True)
class Way:
    """How one of the two is built and driven."""

    name: str
    cell: str
    drawn: str  # is there once it is drawn
    touched: str  # what a hand takes hold of
    key: str
    downstream: str  # what shows that a change has arrived
    play: str
    prepare: str  # where the steps a second are chosen
    along: tuple[int, int]  # the way in which a drag moves it, in pixels
    slower: str  # a cell that makes each change take 50 ms more


WAYS = [
    Way(
        "sliders",
        SLIDERS,
        ".js-plotly-plot .hm",
        ".noUi-handle",
        "ArrowRight",
        ".js-plotly-plot",
        ".widget-play button >> nth=0",
        "",
        (50, 0),
        "delay = 0.05; print(0)",
    ),
    Way(
        "lab",
        LAB,
        ".lab-cell",
        '[data-at="w_q 0 0"]',
        "ArrowUp",
        ".lab-picture",
        "button:text-is('Play')",
        ".lab-select select:has([value='60'])",
        (0, -200),
        SLOWER,
    ),
]
# What any page can do at most: a text that follows the hand, and one that changes with each frame.
BARE = Way("text", "", "", "#bare", "", "#bare", "#bare-play", "", (0, -200), "")
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

# Watches an element: each frame that shows a change of it, but for what the hand holds itself, and
# how many frames there were. It looks at every frame: a watch that waits for the next one after a
# change sees at most every second.
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
  const mark = (event) => (window.pressed = event.timeStamp);
  document.querySelector(touched).addEventListener("keydown", mark, { capture: true });
  const release = (event) => (window.released = event.timeStamp);
  document.addEventListener("pointerup", release, { capture: true });
}"""
_AFRESH = "window.frames_.length = window.drawn_ = 0"
# A hand that moves by the browser's own clock, there and back. Moves that Playwright sends wait for
# one another, and come late where the machine has other things to do.
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


def measure(server: Server, browser: Browser, way: Way) -> Iterator[tuple[str, float]]:
    """All numbers of one way: four pages of JupyterLab, each with a kernel of its own."""
    traffic, errors = Traffic(), list[str]()

    def notebook(what: str) -> str:
        write_notebook(server.notebooks / f"{way.name}-{what}.ipynb", [way.cell, "widget"])
        return f"{way.name}-{what}.ipynb"

    with _page(browser, server, way, errors) as lab:
        traffic.listen(lab.page)
        lab.open(notebook("quiet"))
        yield from opening(lab, way, traffic).items()
        lab.page.evaluate(PUT_BARE)
        watch(lab.page, BARE)
        yield from moving(lab.page, BARE, ", a bare text")
        lab.page.evaluate(TAKE_BARE)
        watch(lab.page, way)
        yield from tweaks(lab.page, way, traffic).items()
        yield from moving(lab.page, way, "")
    with _page(browser, server, way, errors) as lab:
        lab.open(notebook("slow"))
        lab.run_all()
        lab.run_cell(way.slower)
        watch(lab.page, way)
        yield from moving(lab.page, way, ", kernel 50 ms slower")
    with _page(browser, server, way, errors) as lab:
        lab.open(notebook("busy"))
        lab.run_all()
        lab.start_cell(f"import time; time.sleep({BUSY_SECONDS})")
        watch(lab.page, way)
        yield from moving(lab.page, way, ", kernel busy")
    with _page(browser, server, way, errors) as lab:
        lab.open(notebook("again"))
        lab.run_all()
        yield "MB of heap a re-run", heap(lab, way)
    yield "errors on the console", len(errors)


def watch(page: Page, way: Way) -> None:
    page.locator(way.touched).first.scroll_into_view_if_needed()
    page.evaluate(_WATCH, [way.downstream, way.touched])


@contextmanager
def _page(browser: Browser, server: Server, way: Way, errors: list[str]) -> Iterator[Lab]:
    """A page of JupyterLab. Errors of what we are compared with are counted; ours end the run."""
    with Lab(browser, server) as lab:
        yield lab
        if way.name != "lab":
            lab.page.close()  # or the next error comes after the count
            errors += lab.complaints
            lab.complaints.clear()


def opening(lab: Lab, way: Way, traffic: Traffic) -> dict[str, float]:
    lab.page.evaluate("() => (window.jupyterapp.shell.currentWidget.content.activeCellIndex = 0)")
    with traffic.counted(lab.page) as construct:
        lab.command("notebook:run-cell-and-select-next")
        lab.page.wait_for_selector("text=[1]:")
        if way.name == "lab":  # its bridge is made when it is first shown
            lab.run_cell("widget.bridge; print(0)")
        lab.page.wait_for_timeout(1500)
    lab.page.evaluate("() => (window.jupyterapp.shell.currentWidget.content.activeCellIndex = 1)")
    start = time.perf_counter()
    lab.command("notebook:run-cell")
    lab.page.wait_for_selector(way.drawn, timeout=60_000)
    lab.page.evaluate("() => new Promise((then) => requestAnimationFrame(then))")
    seconds = time.perf_counter() - start
    lab.page.wait_for_timeout(1500)
    return {
        "KB to construct": construct["down"] / 1000,
        "ms from display to pixels": 1000 * seconds,
    }


def tweaks(page: Page, way: Way, traffic: Traffic) -> dict[str, float]:
    """One key at a time: when the first change downstream is on the screen, and when the last."""
    first, last, counts = [], [], []
    for _ in range(TWEAKS):
        page.locator(way.touched).first.focus()
        page.wait_for_timeout(500)
        page.evaluate(_AFRESH)
        with traffic.counted(page) as count:
            page.keyboard.press(way.key)
            page.wait_for_timeout(500)
        times = page.evaluate("window.frames_.map((time) => time - window.pressed)")
        if times:
            first.append(times[0])
            last.append(times[-1])
            counts.append(count)
    return {
        "ms to the first number": statistics.median(first),
        "ms to all numbers": statistics.median(last),
        "ms to all numbers, worst": max(last),
        **{f"{what} a tweak": statistics.median(c[what] for c in counts) for what in counts[0]},
    }


def moving(page: Page, way: Way, when: str) -> Iterator[tuple[str, float]]:
    """A drag and a Play, each in updates a second and as a share of the frames that were drawn."""
    a_second, share = dragging(page, way)
    yield f"dragged updates/s{when}", a_second
    yield f"dragged updates, share of frames{when}", share
    if when.endswith("slower"):
        yield f"ms of lag{when}", lag(page)
    a_second, share = playing(page, way)
    yield f"played updates/s{when}", a_second
    yield f"played updates, share of frames{when}", share


def dragging(page: Page, way: Way) -> tuple[float, float]:
    """Changes painted a second while the mouse never rests, and in which share of all frames."""
    page.evaluate(_AFRESH)
    frames, drawn, seconds = page.evaluate(_DRAG, [way.touched, way.along, DRAG_SECONDS])
    page.wait_for_timeout(3000)
    return frames / seconds, frames / drawn


def lag(page: Page) -> float:
    """From the hand's release until the last number has moved."""
    page.wait_for_function("() => performance.now() - window.frames_.at(-1) > 2000", timeout=120_000)
    return float(page.evaluate("window.frames_.at(-1) - window.released"))


def playing(page: Page, way: Way) -> tuple[float, float]:
    """Steps painted a second when 60 are asked for, and in which share of all frames."""
    if way.prepare:
        page.locator(way.prepare).first.select_option("60")
    page.locator(way.play).first.click()
    page.wait_for_timeout(500)
    page.evaluate(_AFRESH)
    page.wait_for_timeout(1000 * DRAG_SECONDS)
    frames, drawn = page.evaluate(_COUNTED)
    return frames / DRAG_SECONDS, frames / drawn


def heap(lab: Lab, way: Way) -> float:
    """What each further run of both cells leaves in the page's memory."""
    session = lab.page.context.new_cdp_session(lab.page)
    session.send("Performance.enable")

    def used() -> float:
        session.send("HeapProfiler.collectGarbage")
        metrics = session.send("Performance.getMetrics")["metrics"]
        return next(m["value"] for m in metrics if m["name"] == "JSHeapUsedSize") / 1e6

    before = used()
    for _ in range(RERUNS):
        lab.run_all()
        lab.page.wait_for_selector(way.drawn, timeout=60_000)
    lab.page.wait_for_timeout(2000)
    return (used() - before) / RERUNS


def main() -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        sync_playwright() as playwright,
        started_browser(playwright, more=["--enable-gpu-benchmarking"]) as browser,
        running_server(Path(folder)) as server,
    ):
        results = {way.name: _told(way.name, measure(server, browser, way)) for way in WAYS}
    sliders, lab = results["sliders"], results["lab"]
    print(f"\n{'':44}{'sliders + figure':>18}{'AttentionLab':>15}{'ratio':>9}")
    for name, number in sliders.items():
        ratio = f"{number / lab[name]:8.1f}" if lab[name] else ""
        print(f"{name:44}{number:18,.2f}{lab[name]:15,.2f}{ratio:>9}")


def _told(way: str, numbers: Iterator[tuple[str, float]]) -> dict[str, float]:
    """Each number said as soon as it is there: a run takes minutes."""
    found = {}
    for name, number in numbers:
        print(f"{way:8}{name:44}{number:12,.2f}", flush=True)
        found[name] = number
    return found


if __name__ == "__main__":
    main()
