"""Test every view of every widget with the checks of one table.

Does it fit into one window? Is everything still there on a narrow or magnified page? Can each text
be read in light, dark and forced colours? `test_hosts.py` adds one more: does it work in each
host's page?
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any, Literal

import pytest
from playwright.sync_api import Locator, expect

from tests.page import questions
from tests.page.host import Host, Show
from tests.page.views import VIEWS, tinted_lab

TALLEST = 700  # about as many pixels as a laptop shows of a notebook


@dataclass(frozen=True)
class Screen:
    """The width of a widget on a screen, and Playwright's settings for the screen."""

    width: int
    high: bool = True  # whether a widget must fit into the height of the window
    about: dict[str, Any] = field(default_factory=dict)


SCREENS = {
    # The width of JupyterLab's text column, and the same beside the table of contents.
    "laptop": Screen(984),
    "beside contents": Screen(568),
    # A phone's page is scrolled with a thumb; and a column can be magnified to twice its size.
    "phone": Screen(374, False, {"has_touch": True, "device_scale_factor": 3}),
    "zoomed": Screen(492, False, {"device_scale_factor": 2}),
}
# `make test` checks a laptop, and a phone with a few representative widgets.
ASKED = [
    "laptop",
    pytest.param("beside contents", marks=pytest.mark.sweep),
    pytest.param("phone", marks=pytest.mark.sweep(keep=6)),
    pytest.param("zoomed", marks=pytest.mark.sweep),
]
# ... and only the first view of each widget.
FIRST = {name.partition(",")[0]: name for name in reversed(VIEWS)}.values()
SEEN = [name if name in FIRST else pytest.param(name, marks=pytest.mark.sweep) for name in VIEWS]
# JupyterLab without its sidebar, 1024 or about 960 pixels wide.
BETWEEN = {"soft lookup": 780, "replay, 05": 844, "replay, 09": 844, "vectors, 12": 844}


def opened(show: Show, name: str, screen: Screen) -> Host:
    host = show(VIEWS[name][0](), screen.width + 16, screen=screen.about)
    if name.startswith("replay"):
        host.page.wait_for_selector("[data-loaded]")
    host.settle()
    return host


def height(root: Locator) -> float:
    high: float = root.evaluate("(root) => root.getBoundingClientRect().height")
    return high


@pytest.mark.parametrize("screen", ASKED)
@pytest.mark.parametrize("name", SEEN)
def test_each_view_fits_its_screen_and_nothing_is_lost(
    show: Show, home: object, name: str, screen: str
) -> None:
    """Numbers are at least twelve pixels high, everywhere."""
    host = opened(show, name, SCREENS[screen])
    root = host.page.locator(".qkv")
    heights, below = [], []
    wrong = defaultdict(set)
    # A lab on a narrow page is scrolled sideways; beside the contents it cuts off features' names.
    asked = ["LOST", "WIDER"]
    if name.startswith("lab"):
        asked = ["WALK"] if SCREENS[screen].high else ["LOST"]
    for step in [lambda page: None, *VIEWS[name][1]]:
        step(host.page)
        host.settle()
        heights.append(height(root))
        below.append(root.evaluate(questions.BELOW))
        for question in [*asked, "SMALL"]:
            wrong[question].update(root.evaluate(getattr(questions, question)))
        assert host.page.evaluate("document.documentElement.scrollWidth") <= (SCREENS[screen].width + 16)
    assert not any(wrong.values()), wrong
    if SCREENS[screen].high:
        assert max(heights) <= TALLEST, heights
        assert max(below) <= 0, below
        if name.startswith(("lab", "heads")):
            assert len(set(map(round, heights))) == 1, f"what follows jumps: {heights}"


@pytest.mark.parametrize("name", BETWEEN)
def test_it_fits_one_window_at_the_widths_between(show: Show, home: object, name: str) -> None:
    host = opened(show, name, Screen(BETWEEN[name]))
    assert height(host.page.locator(".qkv")) <= TALLEST


TINTED = ("weights", "both", "gradients", "backward")


@pytest.mark.parametrize("name", [*SEEN, *TINTED])
def test_every_text_can_be_read(show: Show, home: object, name: str) -> None:
    host = show(tinted_lab(name) if name in TINTED else VIEWS[name][0](), 1100)
    root = host.page.locator(".qkv")
    for theme in ("light", "dark"):
        host.page.evaluate(
            "(dark) => { document.body.dataset.jpThemeLight = String(!dark); }", theme == "dark"
        )
        expect(root).to_have_attribute("data-theme", theme)
        host.settle()
        assert root.evaluate(questions.HARD_TO_READ) == [], theme
        # With forced colours they are the system's, whatever the page's theme.
        palette: Literal["light", "dark"] = "light" if theme == "dark" else "dark"
        host.page.emulate_media(forced_colors="active", color_scheme=palette)
        expect(root).to_have_attribute("data-theme", palette)
        host.settle()
        assert root.evaluate(questions.HARD_TO_READ) == [], f"forced, {palette}"
        assert root.evaluate(questions.ON_ITS_OWN_PLATE) == [], f"forced, {palette}"
        host.page.emulate_media(forced_colors="none", color_scheme="null")
