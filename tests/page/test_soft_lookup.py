"""Test the soft lookup in a browser without Jupyter; its own Python answers, or nothing does."""

from __future__ import annotations

import re

import pytest
import torch
from playwright.sync_api import Locator, Page, expect

from qkvlib.widgets import AtLeast, Goal, SoftLookup
from tests.page.host import Host, Show, drag_tip

QUERY, KEYS = [2.0, 1.0], [[2.0, 0.5], [-1.0, 2.0], [0.5, 2.0]]
VALUES = [[8.0, 0.0], [2.0, 2.0], [0.0, 8.0]]
NAMES = ["law", "old", "spirit"]


@pytest.fixture
def lookup() -> SoftLookup:
    return SoftLookup(QUERY, KEYS, VALUES, names=NAMES)


@pytest.fixture
def host(show: Show, lookup: SoftLookup) -> Host:
    return show(lookup, 984)


def tip(page: Page, name: str = "query q") -> Locator:
    return page.get_by_role("slider", name=name)


def weights(host: Host) -> list[float]:
    return [float(text) for text in host.page.locator(".soft-weight").all_inner_texts()]


def blend(host: Host) -> list[float]:
    """Return the position of the blend according to the displayed sum."""
    text = host.page.locator(".soft-sum").inner_text().replace("−", "-")
    x, y = re.findall(r"\((-?[\d.]+), (-?[\d.]+)\)", text)[-1]
    return [float(x), float(y)]


@pytest.mark.every_browser
def test_a_drag_moves_the_weights_and_the_blend_to_torchs(host: Host, lookup: SoftLookup) -> None:
    drag_tip(host, ".soft-keys", "query q", -1.0, 1.5)
    assert lookup.query.tolist() == pytest.approx([-1.0, 1.5], abs=0.02)
    expected = torch.softmax(torch.tensor(KEYS) @ lookup.query, 0)
    assert weights(host) == pytest.approx(expected.tolist(), abs=0.006)
    assert blend(host) == pytest.approx((expected @ torch.tensor(VALUES)).tolist(), abs=0.006)


def test_a_soft_blend_glides_and_a_hard_one_jumps(host: Host, lookup: SoftLookup) -> None:
    def places() -> list[tuple[str | None, ...]]:
        """Return the positions of the blend while the query turns away from law in small steps."""
        tip(host.page).focus()
        seen = []
        for _ in range(25):
            host.page.keyboard.press("[")
            circle = host.page.locator(".soft-blend")
            seen.append((circle.get_attribute("cx"), circle.get_attribute("cy")))
        host.settle()
        return seen

    assert len(set(places())) == 25
    host.page.get_by_role("button", name="Reset").click()
    host.page.get_by_text("hard", exact=True).click()
    host.settle()
    assert len(set(places())) == 2
    assert lookup.hard
    assert host.page.locator(".soft-sum").inner_text() == (
        "value of spirit = (0.00, 8.00), and nothing from the others"
    )
    winners = host.page.locator(".plane-winner").all_text_contents()
    assert sorted(winners) == ["law wins", "old wins", "spirit wins"]


def test_what_a_hand_may_not_touch_has_no_grip(show: Show) -> None:
    lookup = SoftLookup(QUERY, KEYS, VALUES, names=NAMES, touch=["query"])
    host = show(lookup, 984)
    drag_tip(host, ".soft-keys", "key spirit", 0.0, -2.0)
    assert lookup.keys.tolist() == KEYS
    assert host.page.get_by_text("hard", exact=True).count() == 0
    assert host.page.get_by_text("temperature").count() == 0
    assert host.page.locator(".plane-arrow:not([data-pinned])").count() == 1


@pytest.mark.usefixtures("home")
def test_a_goal_is_met_in_the_frame_of_the_hand(show: Show) -> None:
    goal = Goal("host-soft", "Let spirit speak up.", [AtLeast("spirit", 0.3)], ["temperature"])
    host = show(SoftLookup(QUERY, KEYS, VALUES, names=NAMES, goal=goal), 984)
    strip = host.page.locator(".qkv-goal")
    before = strip.bounding_box()
    drag_tip(host, ".soft-keys", "query q", 0.0, 2.0)
    assert "you need at least 0.30" in strip.inner_text()
    host.holding = True
    host.page.get_by_role("slider", name="temperature").focus()
    host.page.keyboard.press("End")
    assert "Goal met" in strip.inner_text()
    host.page.keyboard.press("Home")
    assert "Goal met" in strip.inner_text()
    host.let_go()
    assert "Goal met" in strip.inner_text(), "Python has not heard of what was seen in passing"
    assert strip.bounding_box() == before
    host.page.get_by_role("button", name="Reset").click()
    host.settle()
    assert "Goal (met before)" in strip.inner_text()


def test_a_screen_reader_hears_the_arrows_the_blend_and_the_rest_of_the_hand(host: Host) -> None:
    tip(host.page).focus()
    host.page.keyboard.press("ArrowRight")
    spoken = tip(host.page).get_attribute("aria-valuetext") or ""
    assert spoken.startswith("x 2.05, y 1.00; “law” 0.8")
    assert "; blend (" in spoken
    said = host.page.locator('.qkv-spoken[aria-live="polite"]')
    expect(said).to_contain_text("Soft lookup: “law” 0.8")
    label = host.page.get_by_role("img").get_attribute("aria-label") or ""
    assert label.startswith("The values: law (8.00, 0.00), old (2.00, 2.00), spirit (0.00, 8.00).")


def test_the_first_toy_ends_its_sentence(show: Show) -> None:
    host = show(SoftLookup.of("first"), 984)
    sentence = host.page.locator(".qkv-sentence")
    assert sentence.inner_text().endswith("full.")
    drag_tip(host, ".soft-keys", "query it", -0.5, 2.0)
    assert sentence.inner_text().endswith("sour.")
