"""What holds of every page. Each is opened once, on a telephone; no clock is asked."""

from __future__ import annotations

import gzip
import json

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.site import rooms
from tests.site.conftest import ROOT, Site, Visit

pytestmark = pytest.mark.whole
PAGES = [*sorted(path.stem for path in (ROOT / "solutions").glob("[0-9]*.py")), "index", "embed"]
AXE = ROOT / "qkvlib/widgets/node_modules/axe-core/axe.min.js"
MOST_BYTES = 150_000  # compressed, before anything is scrolled, until the first widget lives
MOST_SHIFT = 0.02
NEAR = 16  # pixels between the room that a place keeps and its widget
_SHIFT = """
window.shift = 0;
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) window.shift += one.value;
}).observe({ type: "layout-shift", buffered: true });
"""
LOOK = """async (rules) => {
  const { violations } = await axe.run(rules ? { runOnly: rules } : {});
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join("; ")}`);
}"""


@pytest.fixture
def telephone(visit: Visit) -> Visit:
    visit.page.set_viewport_size({"width": 360, "height": 740})
    visit.page.add_init_script(_SHIFT)
    return visit


@pytest.mark.parametrize("name", PAGES)
def test_a_page(telephone: Visit, whole: Site, name: str) -> None:
    page = telephone.page
    page.goto(f"{whole.address}/{name}.html")
    page.wait_for_load_state("networkidle")
    assert compressed(whole, telephone.asked) <= MOST_BYTES
    read_on(page)
    assert page.evaluate("shift") <= MOST_SHIFT
    rooms.wake_all(page)
    assert too_far_off(name, page) == []
    page.add_script_tag(path=AXE)
    assert page.evaluate(LOOK) == []
    page.emulate_media(color_scheme="dark")
    expect(page.locator('.qkv[data-theme="light"]')).to_have_count(0)
    assert page.evaluate(LOOK, ["color-contrast"]) == []
    for width in rooms.WIDTHS:
        page.set_viewport_size({"width": width, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("name", PAGES)
def test_a_page_in_firefox(firefox: Browser, whole: Site, name: str) -> None:
    page = firefox.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    page.goto(f"{whole.address}/{name}.html")
    rooms.wake_all(page)
    page.close()
    assert wrong == []


def compressed(site: Site, asked: list[str]) -> int:
    """The bytes of what was asked for, as a server that compresses sends them.

    The editor is not among them: it comes when the widgets that are near live.
    """
    own = {url.split("#")[0] for url in asked if url.startswith(site.address)}
    own -= {url for url in own if "/assets/exercises-" in url}
    paths = [site.folder / url.removeprefix(f"{site.address}/") for url in own]
    return sum(len(gzip.compress(path.read_bytes())) for path in paths)


def read_on(page: Page) -> None:
    """Through the whole page, from its head to its foot."""
    height = page.evaluate("document.documentElement.scrollHeight")
    for place in range(0, height, 700):
        page.evaluate(f"scrollTo({{ top: {place}, behavior: 'instant' }})")
        page.wait_for_timeout(20)


def too_far_off(name: str, page: Page) -> list[str]:
    """The widgets for which there was less room, or more: `python -m tests.site.rooms` measures."""
    kept = json.loads(rooms.ROOMS.read_text(encoding="utf-8"))[name]
    rest = {kind: iter(heights) for kind, heights in kept.items()}
    return [
        f"{kind}: {room} for {high}"
        for kind, high in rooms.heights(page)
        if abs((room := next(rest[kind])[0]) - high) > NEAR
    ]
