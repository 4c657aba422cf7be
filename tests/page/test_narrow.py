"""On a phone, and on a page magnified to twice its size, no widget loses a column or a word.

Between them no widget is higher than a window.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Browser

from qkvlib.widgets import AtLeast, Goal, SoftLookup, Vectors, Way
from qkvlib.widgets.kit.widget import Widget
from tests.page.host import show
from tests.page.lesson_labs import LABS, TRAINED
from tests.page.test_height import SMALL, WIDGETS, View, press

# A column of 984 pixels, magnified to twice its size, has half of them.
SCREENS: dict[str, tuple[int, dict[str, Any]]] = {
    "phone": (390, {"has_touch": True, "device_scale_factor": 3}),
    "zoomed": (508, {"device_scale_factor": 2}),
}

NAMES = ["a long name 14", "another one 14", "spirit", "k", "five"]
KEYS = [[2.0, 0.5], [-1.0, 2.0], [0.5, 2.0], [-2.0, -2.0], [0.0, -1.0]]
VALUES = [[8.0, 0.0], [2.0, 2.0], [0.0, 8.0], [9.0, 9.0], [-5.0, 1.0]]


def arrows() -> Widget:
    ways = [Way("by turning q", "lengths"), Way("by making q longer", "directions")]
    words = "Move q until it gives the first key at least 0.95 of the weight. There are two ways."
    goal = Goal("narrow-ways", words, [AtLeast(0, 0.95)], touch=["query"], ways=ways)
    return Vectors([2.0, 1.0], KEYS, names=NAMES, limit=6, goal=goal, regions=True)


def lookup() -> Widget:
    goal = Goal("narrow-soft", "Let spirit speak up.", [AtLeast(2, 0.3)], ["temperature", "query"])
    return SoftLookup([2.0, 1.0], KEYS, VALUES, names=NAMES, goal=goal)


VIEWS = [press(name) for name in ("Both", "Gradients", "Backward", *["Next"] * 9)]
EVERY: dict[str, tuple[Callable[[], Widget], Sequence[View]]] = {
    **WIDGETS,
    "vectors": (arrows, []),
    "soft lookup": (lookup, []),
    "soft lookup, 00": (partial(SoftLookup.of, "first"), []),
    **{f"lab, {name}": (make, VIEWS if name in TRAINED else []) for name, make in LABS.items()},
}

# What lies outside of what can be seen or be scrolled to, and words that are cut.
_LOST = """(root) => {
  const name = (one) =>
    `${one.getAttribute("class") ?? one.tagName}: ${one.textContent.slice(0, 60)}`;
  const scrolls = (one) => ["auto", "scroll"].includes(getComputedStyle(one).overflowX);
  const edge = (one) => {
    for (let box = one.parentElement; box && box !== root.parentElement; box = box.parentElement)
      if (scrolls(box)) {
        const { left, right } = box.getBoundingClientRect();
        return Math.max(right, left + box.scrollWidth - box.scrollLeft);
      }
    return root.getBoundingClientRect().right;
  };
  const all = [...root.querySelectorAll("*")].filter((one) =>
    one.checkVisibility({ visibilityProperty: true }) &&
    !one.closest("select, svg *, .qkv-spoken, .qkv-goal-heard"));
  const outside = all.filter((one) => one.getBoundingClientRect().right > edge(one) + 1);
  const cut = all.filter((one) => one.childElementCount === 0 && one.clientWidth &&
    getComputedStyle(one).overflowX !== "visible" && one.scrollWidth > one.clientWidth + 2);
  return [...outside, ...cut].map(name);
}"""


@pytest.mark.sweep(keep=12)
@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("screen", SCREENS)
def test_nothing_is_lost(browser: Browser, home: object, name: str, screen: str) -> None:
    make, views = EVERY[name]
    width, pixels = SCREENS[screen]
    host = show(browser, make(), width, screen=pixels)
    if name.startswith("replay"):
        host.page.wait_for_selector("[data-loaded]")
    for view in [lambda page: None, *views]:
        view(host.page)
        host.settle()
        root = host.page.locator(".qkv")
        assert root.evaluate(_LOST) == []
        assert root.evaluate(SMALL) == [], "numbers have twelve pixels at least"
        assert host.page.evaluate("document.documentElement.scrollWidth") <= width
    host.close()


@pytest.mark.parametrize(
    ("name", "width"), [("soft lookup", 780), ("replay, 05", 844), ("replay, 09", 844)]
)
def test_it_fits_one_window_at_the_widths_between(
    browser: Browser, home: object, name: str, width: int
) -> None:
    """JupyterLab without its sidebar, 1024 or some 960 pixels wide."""
    host = show(browser, EVERY[name][0](), width + 16)
    if name.startswith("replay"):
        host.page.wait_for_selector("[data-loaded]")
    host.settle()
    box = host.page.locator(".qkv").bounding_box()
    assert box
    assert box["height"] <= 700
    host.close()
