"""Record README's film: `python -m tests.page.film` plays `LearnToLook`, in the light and dark themes.

A pointer presses "sour", then Learn. The page's clock stops while a picture is taken, so the film is
the same on a busy machine. It is an animated PNG whose file lists the words seen in it:
`tests/page/test_film.py` plays it again, and fails if the widget has other words.
"""

from __future__ import annotations

import base64
from collections.abc import Generator, Iterator
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright

from qkvlib.widgets import LearnToLook
from tests.browser import started_browser
from tests.page.animation import Frame, animated
from tests.page.host import show

FILMS = {
    dark: Path(__file__).parents[2] / "lessons/pictures" / name
    for dark, name in {False: "learn-to-look.png", True: "learn-to-look-dark.png"}.items()
}
STEP = 50  # milliseconds between two pictures
WIDE = 760
_DENSE = 1.5
# The backgrounds of GitHub's page in the light and dark themes.
_LOOKS = """<!doctype html><meta charset="utf-8"><title>film</title>
<style>body { margin: 12px 16px; background: #fff; font-family: system-ui, sans-serif }
.qkv-help { display: none }
#pointer { position: fixed; z-index: 9; width: 22px; transform-origin: 3px 2px }
#pointer[data-down] { transform: scale(0.8) }
body[data-jp-theme-light="false"] { background: #0d1117; color: #e6edf3;
  --jp-layout-color0: #0d1117; --jp-content-font-color1: #e6edf3; --jp-content-font-color2: #9198a1;
  --jp-border-color2: #3d444d }</style>
<body data-jp-theme-light="true"><div id="widget"></div>
<svg id="pointer" viewBox="0 0 22 26"><path d="M3 2v18l4.6-4.2 3 7.2 3.4-1.5-3-7H17z"
  fill="#fff" stroke="#000" stroke-width="1.5" stroke-linejoin="round"/></svg>"""
_MOVE = """([x, y, down]) => {
  const { style, dataset } = document.getElementById("pointer");
  style.left = `${x - 3}px`;
  style.top = `${y - 2}px`;
  if (down) dataset.down = ""; else delete dataset.down;
}"""
# CSS animations follow the page's clock.
_GLOW = """(step) => {
  for (const one of document.getAnimations()) {
    const now = one.playState === "paused" ? one.currentTime : 0;
    one.pause();
    one.currentTime = now + step;
  }
}"""
# Return what has changed since the last picture, as [left, top, width, height, base64 of its pixels],
# or null. An unchanged pixel is 0.
_CHANGED = """async (picture) => {
  const image = new Image();
  image.src = `data:image/png;base64,${picture}`;
  await image.decode();
  const { width, height } = image;
  const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
  context.drawImage(image, 0, 0);
  const now = new Uint32Array(context.getImageData(0, 0, width, height).data.buffer);
  const changed = now.map((pixel, i) => (pixel === window.before?.[i] ? 0 : pixel));
  window.before = now;
  let [left, top, right, bottom] = [width, height, -1, -1];
  changed.forEach((pixel, i) => {
    if (!pixel) return;
    const [x, y] = [i % width, Math.floor(i / width)];
    [left, top] = [Math.min(left, x), Math.min(top, y)];
    [right, bottom] = [Math.max(right, x), Math.max(bottom, y)];
  });
  if (right < 0) return null;
  const rows = [];
  for (let y = top; y <= bottom; y++) rows.push(changed.slice(y * width + left, y * width + right + 1));
  const reader = new FileReader();
  const read = new Promise((then) => reader.addEventListener("load", then));
  reader.readAsDataURL(new Blob(rows));
  await read;
  return [left, top, right - left + 1, rows.length, reader.result.split(",")[1]];
}"""


def played(browser: Browser, dark: bool) -> Iterator[Page]:
    """Yield the page with the film, picture by picture."""
    host = show(browser, LearnToLook(), WIDE, dark, screen={"device_scale_factor": _DENSE}, looks=_LOOKS)
    page = host.page
    page.set_viewport_size({"width": WIDE, "height": page.evaluate("document.body.scrollHeight + 24")})
    host.let_time_stand()
    at = (WIDE * 0.6, 250.0)
    page.evaluate(_MOVE, [*at, False])
    yield from _wait(page, 700)
    at = yield from _press(page, "sour", at)
    yield from _wait(page, 800)
    yield from _press(page, "Learn", at)
    while page.locator("[data-running]").count():
        yield from _wait(page, STEP)
    yield from _wait(page, 1800)
    host.close()


def _wait(page: Page, milliseconds: int) -> Iterator[Page]:
    for _ in range(milliseconds // STEP):
        page.clock.run_for(STEP)
        page.evaluate(_GLOW, STEP)
        yield page


def _press(page: Page, name: str, at: tuple[float, float]) -> Generator[Page, None, tuple[float, float]]:
    """Move the pointer to a button and press it; return where the pointer is then."""
    button = page.get_by_role("button", name=name)
    box = button.bounding_box()
    assert box
    there = (box["x"] + box["width"] * 0.6, box["y"] + box["height"] * 0.7)
    for i in range(1, 11):
        part = 1 - (1 - i / 10) ** 3
        page.evaluate(_MOVE, [*(a + part * (b - a) for a, b in zip(at, there, strict=True)), False])
        yield from _wait(page, STEP)
    page.evaluate(_MOVE, [*there, True])
    yield from _wait(page, 2 * STEP)
    button.evaluate("(button) => button.click()")
    page.evaluate(_MOVE, [*there, False])
    return there


def words(page: Page) -> str:
    """Return everything that can be read in the widget: texts, and the numbers at its knobs."""
    return " ".join(page.locator(".qkv").inner_text().split())


def record(browser: Browser, dark: bool) -> bytes:
    """Return the film as the bytes of a file."""
    table = browser.new_page()
    frames: list[Frame] = []
    seen: list[str] = []
    for page in played(browser, dark):
        changed = table.evaluate(_CHANGED, base64.b64encode(page.screenshot(scale="device")).decode())
        if changed:
            left, top, wide, high, pixels = changed
            colours = np.frombuffer(base64.b64decode(pixels), np.uint32).reshape(high, wide)
            frames.append(Frame(left, top, colours, STEP))
        else:
            frames[-1].stays += STEP
        if words(page) not in seen[-1:]:
            seen.append(words(page))
    table.close()
    return animated(frames, seen)


def main() -> None:
    with sync_playwright() as playwright, started_browser(playwright) as browser:
        for dark, path in FILMS.items():
            path.write_bytes(record(browser, dark))
            print(f"{path.name}: {path.stat().st_size / 1000:.0f} KB")


if __name__ == "__main__":
    main()
