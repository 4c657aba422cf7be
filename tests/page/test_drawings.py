"""Test in a browser that the words of every drawing fit into their boxes and do not touch."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

PICTURES = sorted((Path(__file__).parents[2] / "lessons/pictures").glob("*.svg"))

# Every text with its box, and the narrowest rectangle around its centre, in units of the drawing.
_TEXTS = """() => {
  const box = (node) => {
    const { x, y, width, height } = node.getBBox();
    return { left: x, right: x + width, top: y, bottom: y + height, width };
  };
  const rects = [...document.querySelectorAll("rect")].map(box);
  return [...document.querySelectorAll("text")].map((text) => {
    const own = box(text);
    const [x, y] = [(own.left + own.right) / 2, (own.top + own.bottom) / 2];
    const around = rects
      .filter((r) => r.left < x && x < r.right && r.top < y && y < r.bottom)
      .reduce((narrowest, r) => (r.width < narrowest.width ? r : narrowest));
    return { words: text.textContent, own, around };
  });
}"""


@pytest.fixture(scope="module")
def page(browser: Browser) -> Page:
    return browser.new_page(viewport={"width": 840, "height": 360})


@pytest.mark.parametrize("picture", PICTURES, ids=lambda path: path.stem)
def test_words_fit_and_keep_apart(page: Page, picture: Path) -> None:
    page.set_content(picture.read_text(encoding="utf-8"))
    texts = page.evaluate(_TEXTS)
    assert len(texts) > (0 if picture.stem.startswith("open-in-") else 10)
    for text in texts:
        own, around = text["own"], text["around"]
        assert around["left"] < own["left"], f"{text['words']!r} is wider than its box"
        assert own["right"] < around["right"], f"{text['words']!r} is wider than its box"
    for one, other in combinations(texts, 2):
        a, b = one["own"], other["own"]
        beside = a["right"] < b["left"] or b["right"] < a["left"]
        # A line of text has empty space above and below its letters: these areas may touch.
        below = a["bottom"] - 3 < b["top"] or b["bottom"] - 3 < a["top"]
        assert beside or below, f"{one['words']!r} touches {other['words']!r}"
