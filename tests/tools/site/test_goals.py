"""Test that every goal of every page can be reached by fingers on a phone, and by keyboard only."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.tools.site.conftest import ROOT, Site
from tests.tools.site.hands import Fingers, Hand, Keys
from tests.tools.site.heights import OPEN

pytestmark = pytest.mark.whole
# Every page but the quiz has a goal.
PAGES = sorted(path.stem for path in (ROOT / "solutions").glob("[0-9]*.py"))[:-1]


def arrow(widget: Locator, name: str = "query q") -> Locator:
    return widget.get_by_role("slider", name=name)


def button(widget: Locator, name: str) -> Locator:
    return widget.get_by_role("button", name=name, exact=True)


def turned(degrees: int) -> Callable[[Hand, Locator], None]:
    return lambda hand, widget: hand.turn(arrow(widget), degrees)


def weights(wanted: dict[str, float]) -> Callable[[Hand, Locator], None]:
    def set_all(hand: Hand, lab: Locator) -> None:
        for at, value in wanted.items():
            hand.set(lab.locator(f'[data-at="{at}"]'), value)

    return set_all


def steps(times: int) -> Callable[[Hand, Locator], None]:
    return lambda hand, lab: hand.press(button(lab, "Step"), times)


def both_ways(hand: Hand, widget: Locator) -> None:
    beginning = arrow(widget).get_attribute("aria-valuetext") or ""
    hand.turn(arrow(widget), -45)
    expect(widget.locator(".qkv-goal")).to_contain_text("1 of 2 ways found")
    hand.press(button(widget, "Reset"))
    expect(arrow(widget)).to_have_attribute("aria-valuetext", beginning)
    hand.move(arrow(widget), 2.3, 1.15)


def hides_what_comes_later(hand: Hand, lab: Locator) -> None:
    for row in range(4):
        for column in range(row + 1, 4):
            hand.mark(lab.locator(f'[data-at="scores {row} {column}"]'))


def marks_the_strays(hand: Hand, shapes: Locator) -> None:
    hand.choose(shapes.get_by_role("radio", name="split, view alone", exact=True))
    head = shapes.locator(".shapes-stage").nth(1).locator(".shapes-block").first
    for at in (3, 4, 5, 9, 10, 11):
        hand.mark(head.locator(".shapes-cell").nth(at))


def silences(name: str) -> Callable[[Hand, Locator], None]:
    return lambda hand, heads: hand.press(button(heads, f"Silence {name}"))


def makes_it_fit(hand: Hand, cache: Locator) -> None:
    hand.choose(cache.get_by_role("radio", name="K and V", exact=True))
    hand.choose(cache.get_by_role("radio", name="2 (GQA)"))
    hand.press(button(cache, "Next word"), 8)


# The way to each goal, by the name under which a page stores it.
WAYS: dict[str, Callable[[Hand, Locator], None]] = {
    "00-turn": turned(60),
    "01-third-key": turned(40),
    "02-sharper": both_ways,
    "02-softer": lambda hand, widget: hand.slide(arrow(widget, "temperature"), 0.5),
    "03-its-law": weights({"w_k 2 0": 0, "w_k 2 1": 0}),
    "04-loss": steps(6),
    "05-nobody-labelled": steps(12),
    "06-bank": weights({"w_k 2 0": 2}),
    "07-causal": hides_what_comes_later,
    "08-strays": marks_the_strays,
    "09-second-question": silences("head 2"),
    "09-copies-part": steps(16),
    "10-two-and-none": lambda hand, widget: hand.write(widget.get_by_role("textbox"), "axe"),
    "11-two-its": weights({"w_q 4 0": -3, "w_q 4 1": 4}),
    "12-application": turned(60),
    "13-empty-card": weights({"w_q 2 1": 4, "w_k 3 1": 4}),
    "14-three-back": turned(-90),
    "15-make-it-fit": makes_it_fit,
    "16-one-and-two": lambda hand, widget: hand.slide(arrow(widget, "top-p"), 0.8),
}


@pytest.mark.sweep(keep=2)
@pytest.mark.parametrize("kind", [Fingers, Keys])
@pytest.mark.parametrize("name", PAGES)
def test_each_goal_is_reached(browser: Browser, whole: Site, name: str, kind: type[Hand]) -> None:
    telephone = kind is Fingers
    size = {"width": 360, "height": 740} if telephone else {"width": 1280, "height": 720}
    page = browser.new_context(viewport=size, has_touch=telephone).new_page()
    page.goto(f"{whole.address}/{name}.html")
    page.evaluate(OPEN)
    for at, goal in goals(whole, name):
        place = page.locator("[data-state]").nth(at)
        place.scroll_into_view_if_needed()
        widget = place.locator(".qkv[data-ready]")
        WAYS[goal](kind(page), widget)
        expect(widget.locator(".qkv-goal-name")).to_have_text("✓ Goal met")
        assert page.evaluate("name => localStorage[name]", f"qkvlib/goals/{goal}") == "met"
    page.context.close()


def test_a_tap_at_once_after_a_flung_arrow_is_heard(browser: Browser, whole: Site) -> None:
    page = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True).new_page()
    page.goto(f"{whole.address}/00_start_here.html")
    page.locator(".place[data-kind^=vectors]").first.scroll_into_view_if_needed()
    fingers, tip = Fingers(page), page.locator(".qkv-vectors[data-ready] [role=slider]").first
    page.evaluate("window.heard = 0; addEventListener('click', () => window.heard++, true)")
    for taps in range(1, 4):
        fingers.move(tip, (-1) ** taps, 0.5)
        plane = page.locator(".qkv-vectors[data-ready] svg").first.bounding_box()
        assert plane
        page.touchscreen.tap(plane["x"] + 10, plane["y"] + 10)
        page.wait_for_function("taps => window.heard === taps", arg=taps, timeout=5000)
    page.context.close()


def goals(site: Site, name: str) -> list[tuple[int, str]]:
    """Return the widgets of a page that have a goal, each with the name under which it is stored."""
    states = re.findall(r'data-state="([^"]+)"', (site.folder / f"{name}.html").read_text("utf-8"))
    told = [json.loads((site.folder / state).read_text("utf-8")) for state in states]
    found = enumerate(one["traits"]["setup"].get("goal") for one in told)
    return [(at, goal["name"]) for at, goal in found if goal]
