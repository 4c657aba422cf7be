"""Test turning in a browser without Jupyter; its own Python answers, or nothing does."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from qkvlib.widgets import Goal, Prefers, Turning
from tests.page.host import Host, Show, drag_tip

QUERY, KEY = [2.0, 0.0], [1.5, 0.0]
ASKS, FOUND = "query q, at its position", "key k, at position 0"


def a_goal() -> Goal:
    return Goal(
        "host-turning",
        "Turn q until the key three back gets the most weight.",
        [Prefers("3 back")],
        ["query", "place"],
        keep_lengths=True,
    )


@pytest.fixture
def turning() -> Turning:
    return Turning(QUERY, KEY, place=5)


@pytest.fixture
def host(show: Show, turning: Turning) -> Host:
    return show(turning, 984)


def tip(page: Page, name: str = ASKS) -> Locator:
    return page.get_by_role("slider", name=name)


def scores(host: Host) -> list[str]:
    return [text.replace("−", "-") for text in host.page.locator(".turn-score").all_inner_texts()]


def best(host: Host) -> str:
    return host.page.locator(".turn-table tr[data-most] th").inner_text()


@pytest.mark.every_browser
def test_a_drag_moves_the_query_as_it_is_before_its_turn(host: Host, turning: Turning) -> None:
    # At position 5 it is rotated by 150 degrees: onto the key at position 2, which is rotated by 60.
    drag_tip(host, ".turn-plane", ASKS, 1.0, 3**0.5)
    host.settle()
    assert turning.query.tolist() == pytest.approx([0.0, -2.0], abs=0.03)
    assert best(host) == "3 back"
    drag_tip(host, ".turn-plane", FOUND, 0.0, -2.0)
    host.settle()
    assert turning.key.tolist() == pytest.approx([0.0, -2.0], abs=0.03)
    assert best(host) == "0 back"


@pytest.mark.every_browser
def test_the_place_moves_and_the_scores_stay(host: Host, turning: Turning) -> None:
    before = scores(host)
    assert before == ["3.00", "2.60", "1.50", "0.00", "-1.50", "-2.60", "–", "–"]
    host.page.get_by_role("slider", name="the query is at position").focus()
    host.page.keyboard.press("ArrowRight")
    host.page.keyboard.press("ArrowRight")
    host.settle()
    assert turning.place == 7
    assert scores(host) == [*before[:6], "-3.00", "-2.60"]
    host.page.get_by_role("slider", name="rotation per position").focus()
    host.page.keyboard.press("Home")
    host.settle()
    assert turning.angle == 0
    assert scores(host) == ["3.00"] * 8


def test_it_says_who_is_turned_by_how_much(host: Host) -> None:
    tip(host.page).focus()
    for _ in range(9):
        host.page.keyboard.press("Shift+]")
    host.settle()
    assert (
        host.page.locator(".turn-sum")
        .inner_text()
        .startswith(
            "q at position 5 is rotated by 5 × 30° = 150°, k at position 2 by 2 × 30° = 60°. "
            "They differ by 3 × 30° = 90°, and q · k is 3.0"
        )
    )
    said = host.page.locator('.qkv-spoken[aria-live="polite"]')
    expect(said).to_contain_text("most weight for 3 back, ")
    spoken = tip(host.page).get_attribute("aria-valuetext") or ""
    assert spoken.startswith("x 1.0")
    assert "; most weight for 3 back" in spoken


@pytest.mark.usefixtures("home")
def test_it_lives_and_meets_its_goal_without_a_kernel(show: Show) -> None:
    turning = Turning(QUERY, KEY, place=5, goal=a_goal())
    host = show(turning, 984, lost=True)
    strip = host.page.locator(".qkv-goal")
    expect(host.page.get_by_role("slider", name="rotation per position")).to_be_disabled()
    tip(host.page).focus()
    for _ in range(9):
        host.page.keyboard.press("Shift+]")
    assert "Goal met" in strip.inner_text()
    assert turning.query.tolist() == QUERY
    expect(host.page.get_by_role("slider", name="rotation per position")).to_be_enabled()
    host.page.get_by_role("button", name="Undo").click()
    assert best(host) == "2 back" or best(host) == "3 back"
    host.page.get_by_role("button", name="Reset").click()
    assert best(host) == "0 back"


def test_no_label_stands_on_a_number_of_the_grid(show: Show, home: object) -> None:
    """If keys lie on an axis and on one another there is no space left, so the number moves away."""
    host = show(Turning(QUERY, KEY, place=7, angle=90), 568)
    covered, shown = host.page.evaluate(
        """() => {
          const boxes = (what) => [...document.querySelectorAll(what)]
            .filter((one) => one.checkVisibility({ visibilityProperty: true }))
            .map((one) => one.getBoundingClientRect());
          const numbers = boxes(".plane-grid text");
          const on = (a, b) =>
            Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
            Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 5; // its line is high
          const labels = boxes(".plane-label");
          return [numbers.filter((n) => labels.some((l) => on(n, l))).length, numbers.length];
        }"""
    )
    assert covered == 0
    assert shown >= 4, "the others stay"
