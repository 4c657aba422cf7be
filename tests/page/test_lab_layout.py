"""Test that nothing in a lab jumps, and that whatever can be moved is visible."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.page.host import Host, Show
from tests.page.of_lessons import LABS, TRAINED

WIDTHS = (984, 568)


def height(host: Host) -> float:
    box = host.page.locator(".qkv-lab").bounding_box()
    assert box
    return box["height"]


def view(host: Host, name: str) -> None:
    host.page.get_by_role("button", name=name, exact=True).click()
    host.settle()
    host.page.mouse.move(1, 1)


def opened(show: Show, name: str, width: int) -> Host:
    """Open a lab on a page that leaves it this width."""
    return show(LABS[name](), width + 16)


def places(host: Host) -> list[dict[str, float]]:
    """Return the position of the picture, and of every matrix in it that is not a weight matrix."""
    parts = host.page.locator(".lab-picture, .lab-m:not([class*=lab-m-w_])")
    found: list[dict[str, float]] = parts.evaluate_all(
        "(parts) => parts.map((part) => { const { x, y, width, height } ="
        " part.getBoundingClientRect(); return { x, y, width, height }; })"
    )
    return found


@pytest.mark.sweep(keep=3)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", TRAINED)
def test_no_view_and_no_words_move_the_picture(show: Show, home: object, name: str, width: int) -> None:
    host = opened(show, name, width)
    view(host, "Weights")  # one lab opens in another view
    before = places(host)
    for other in ("Both", "Gradients", "Weights"):
        view(host, other)
        assert places(host) == before, other
    for cell in ("weights 2 1", "w_q 1 1", "q 2 0", "scores 2 2"):
        host.page.locator(f'[data-at="{cell}"]').hover()
        assert places(host) == before, cell


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ["its_law", "bank"])
def test_a_goal_is_met_without_a_leap(show: Show, home: object, name: str, width: int) -> None:
    host = opened(show, name, width)
    before, high = places(host), height(host)
    for cell in {"its_law": ["w_k 2 0", "w_k 2 1"], "bank": ["w_k 2 0"]}[name]:
        host.page.locator(f'[data-at="{cell}"]').focus()
        host.page.keyboard.type("2" if name == "bank" else "0")
        host.page.keyboard.press("Enter" if name == "bank" else "Shift")
        host.settle()
    expect(host.page.locator(".qkv-goal")).to_contain_text("Goal met")
    assert places(host) == before
    assert height(host) == high
    assert set(host.page.locator("[data-goal]").evaluate_all("(all) => all.map((c) => c.dataset.goal)")) == {
        "met"
    }


def test_what_a_hand_can_move_has_a_grip_and_what_is_held_says_why(show: Show, home: object) -> None:
    host = opened(show, "its_law", 984)
    free, held = (host.page.locator(f'[data-at="{name} 0 0"]') for name in ("w_k", "w_v"))
    grip = "(cell) => getComputedStyle(cell, '::after').content"
    cursor = "(cell) => getComputedStyle(cell).cursor"
    assert (free.evaluate(grip), free.evaluate(cursor)) == ('""', "ns-resize")
    assert (held.evaluate(grip), held.evaluate(cursor)) == ("none", "not-allowed")
    expect(host.page.locator(".lab-m-w_v .lab-lock")).to_be_visible()
    expect(host.page.locator(".lab-m-w_k .lab-lock")).to_be_hidden()
    held.hover()
    host.page.mouse.down()
    host.page.mouse.move(300, 300, steps=4)
    words = host.page.locator(".lab-words")
    expect(words).to_have_text("WV is locked until the goal is met.")
    host.page.mouse.up()
    free.hover()
    expect(words).to_contain_text("It multiplies “thing” of every token")


def test_in_both_the_grip_of_a_weight_in_hand_lies_on_no_number(show: Show, home: object) -> None:
    host = opened(show, "loss", 984)
    weight = host.page.locator('[data-at="w_k 1 0"]')
    tips = """(cell) => ["::before", "::after"].map((part) => {
      const { display, bottom, height } = getComputedStyle(cell, part);
      return display === "none" ? null : parseFloat(bottom) + parseFloat(height);
    })"""
    weight.focus()
    host.page.keyboard.press("ArrowUp")
    assert None not in weight.evaluate(tips)  # one tip is above the number, one below
    view(host, "Both")
    weight.focus()
    host.page.keyboard.press("ArrowUp")
    assert weight.evaluate(tips) == [None, None]  # there you drag the knob


def test_heads_and_the_loss_stand_clear_of_x(show: Show, home: object) -> None:
    host = opened(show, "copies", 984)
    side, x, name, number = (
        host.page.locator(part).bounding_box()
        for part in (".lab-side", ".lab-m-x", ".lab-loss .lab-head", ".lab-loss-number")
    )
    assert side
    assert x
    assert side["y"] + side["height"] <= x["y"]
    assert name
    assert number
    assert name["x"] + name["width"] <= number["x"]


@pytest.mark.parametrize("name", ["its_law", "bank", "two_its"])
def test_in_a_window_of_800_pixels_the_names_of_features_are_whole(
    show: Show, home: object, name: str
) -> None:
    host = opened(show, name, 660)
    names = host.page.locator(".lab-m-w_k .lab-name:visible")
    assert names.count() >= 4
    fits = "(all) => all.every((one) => one.scrollWidth <= one.clientWidth)"
    assert names.evaluate_all(fits)


def test_the_goals_cells_say_what_is_wanted_there(show: Show, home: object) -> None:
    host = opened(show, "its_law", 984)
    asked = host.page.locator("[data-goal]")
    assert asked.evaluate_all("(cells) => cells.map((cell) => [cell.dataset.at, cell.title])") == [
        ["weights 0 2", "The goal: at most 0.10"],
        ["weights 2 0", "The goal: the most of its row"],
    ]
    expect(
        host.page.get_by_role(
            "gridcell", name=re.compile("“law” looks at “its”: 0.[0-9]+, the goal: at most 0.10$")
        )
    ).to_have_attribute("data-goal", "open")
