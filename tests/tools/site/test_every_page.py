"""Test every page, opened once, on a phone; no test measures time."""

from __future__ import annotations

import gzip
import json

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.tools.site import heights
from tests.tools.site.conftest import ROOT, Site, Visit

pytestmark = pytest.mark.whole
PAGES = [*sorted(path.stem for path in (ROOT / "solutions").glob("[0-9]*.py")), "index", "embed", "questions"]
AXE = ROOT / "node_modules/axe-core/axe.min.js"
MOST_BYTES = 150_000  # compressed, until the first widget is live, before any scrolling
MOST_SHIFT = 0.02
NEAR = 16  # pixels between the reserved height and the widget's
A_LINE = 22  # an exercise may wrap one line differently once it is in an editor
A_GUESS = 300  # the height of the index's map, until it is laid out: it depends on the font
_SHIFT = """
window.shift = 0;
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) window.shift += one.value;
}).observe({ type: "layout-shift", buffered: true });
"""
LOOK = """async () => {
  const options = { rules: { "color-contrast": { enabled: false } } };
  const { violations } = await axe.run(options);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join("; ")}`);
}"""
# axe takes longest over colours, and most texts of a page look alike, so axe checks one text for each
# combination of colour, size and background. A positioned element can lie over anything, so axe checks
# every one of those.
COLOURS = """async () => {
  const grounds = new Map([[null, ""]]);
  const ground = (one) => {
    if (!grounds.has(one)) {
      const { backgroundColor, backgroundImage, opacity, position } = getComputedStyle(one);
      const own = [backgroundColor, backgroundImage, opacity].join();
      const lifted = ["absolute", "fixed"].includes(position) ? `lifted ${grounds.size}` : "";
      grounds.set(one, `${ground(one.parentElement)} ${own} ${lifted}`);
    }
    return grounds.get(one);
  };
  const seen = new Set();
  for (const one of document.body.querySelectorAll("*")) {
    one.removeAttribute("data-asked");
    const text = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!text || !one.checkVisibility()) continue;
    const { color, fontSize, fontWeight } = getComputedStyle(one);
    const look = [color, fontSize, fontWeight, ground(one)].join();
    if (!seen.has(look)) one.setAttribute("data-asked", "");
    seen.add(look);
  }
  const asked = { include: [["[data-asked]"]] };
  const { violations } = await axe.run(asked, { runOnly: ["color-contrast"] });
  return violations.flatMap(({ nodes }) => nodes.map((node) => node.html));
}"""
# Scroll from the top of the page to the bottom, no faster than its widgets wake; say which do not.
_READ_ON = """async () => {
  const end = performance.now() + 120_000;
  const sleeps = (place) =>
    !("awake" in place.dataset) && place.checkVisibility() &&
    place.getBoundingClientRect().top < innerHeight + 1400;
  const places = [...document.querySelectorAll("[data-module]")];
  for (let top = 0; top < document.documentElement.scrollHeight; top += 700) {
    scrollTo({ top, behavior: "instant" });
    for (let asleep = places; asleep.length; asleep = places.filter(sleeps)) {
      await new Promise(requestAnimationFrame);
      if (performance.now() > end) throw new Error(`asleep: ${asleep.map(({ dataset }) => dataset.kind)}`);
    }
  }
}"""

# Firefox may lay out a page while a formula is still arriving, and then complains about the half of it. So
# these complaints are ignored, and the formulas counted once they are all there.
_HALF_A_FORMULA = "Incorrect number of children for <"
_INCOMPLETE = """() => {
  const number = { mfrac: 2, mover: 2, mroot: 2, msub: 2, msubsup: 3, msup: 2, munder: 2, munderover: 3 };
  const formulas = [...document.querySelectorAll(Object.keys(number).join())];
  return formulas.filter((one) => one.children.length !== number[one.localName]).map((one) => one.outerHTML);
}"""


@pytest.fixture
def telephone(visit: Visit) -> Visit:
    visit.page.set_viewport_size({"width": 360, "height": 740})
    visit.page.add_init_script(_SHIFT)
    return visit


@pytest.mark.parametrize("name", PAGES)
def test_a_page(telephone: Visit, whole: Site, name: str, swept_too: bool) -> None:
    page = telephone.page
    page.goto(f"{whole.address}/{name}.html")
    page.wait_for_load_state("networkidle")
    assert compressed(whole, telephone.asked) <= MOST_BYTES
    before = page.evaluate("document.documentElement.scrollHeight")
    page.evaluate(_READ_ON)
    assert page.evaluate("shift") <= MOST_SHIFT
    guessed = A_GUESS if name == "index" else A_LINE
    assert abs(page.evaluate("document.documentElement.scrollHeight") - before) <= guessed
    heights.wake_all(page)
    assert too_far_off(name, page) == []
    page.add_script_tag(path=AXE)
    assert page.evaluate(LOOK) == []
    if swept_too or name in ("index", "00_start_here", "05_one_head", "12_in_the_wild"):
        assert page.evaluate(COLOURS) == []
    if swept_too or name in ("index", "05_one_head"):
        page.emulate_media(color_scheme="dark")
        expect(page.locator('.qkv[data-theme="light"]')).to_have_count(0)
        assert page.evaluate(COLOURS) == []
    for width in heights.WIDTHS:
        page.set_viewport_size({"width": width, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize("name", PAGES)
def test_a_page_in_firefox(firefox: Browser, whole: Site, name: str) -> None:
    page = firefox.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    page.goto(f"{whole.address}/{name}.html")
    heights.wake_all(page)
    incomplete = page.evaluate(_INCOMPLETE)
    page.close()
    assert [one for one in wrong if not one.startswith(_HALF_A_FORMULA)] == []
    assert incomplete == []


def compressed(site: Site, asked: list[str]) -> int:
    """Return the bytes of these requests, as sent by a server that compresses.

    The editor is not included: it is loaded when the nearby widgets are live.
    """
    own = {url.split("#")[0] for url in asked if url.startswith(site.address)}
    own -= {url for url in own if "/assets/exercises-" in url}
    paths = [site.folder / url.removeprefix(f"{site.address}/") for url in own]
    return sum(len(gzip.compress(path.read_bytes())) for path in paths)


def too_far_off(name: str, page: Page) -> list[str]:
    """Return the widgets whose reserved height is wrong; `tests/tools/site/heights.py` measures it."""
    kept = json.loads(heights.HEIGHTS.read_text(encoding="utf-8"))[name]
    rest = {kind: iter(each) for kind, each in kept.items()}
    return [
        f"{kind}: {reserved} for {high}"
        for kind, high in heights.heights(page)
        if abs((reserved := next(rest[kind])[0]) - high) > NEAR
    ]
