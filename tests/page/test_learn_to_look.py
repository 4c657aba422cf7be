"""Test `LearnToLook` in a browser without Jupyter: the page computes all of it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from qkvlib.widgets import LearnToLook
from tests.page.host import Host, Show, drag_tip


@pytest.fixture
def host(show: Show) -> Host:
    return show(LearnToLook(), 984)


def press(host: Host, name: str) -> None:
    host.page.get_by_role("button", name=name).click()


def learn(host: Host, ending: str) -> None:
    press(host, ending)
    press(host, "Learn")
    host.page.wait_for_selector(".qkv-look:not([data-running])", timeout=20_000)


def knob(host: Host, name: str) -> Locator:
    return host.page.get_by_role("slider", name=name, exact=True)


def value(host: Host, name: str) -> float:
    return float(knob(host, name).get_attribute("aria-valuenow") or "")


def told(host: Host) -> str:
    return host.page.locator(".look-told").inner_text()


def arrows(host: Host) -> int:
    drawn: int = host.page.locator('.look-arrow:not([d=""])').count()
    return drawn


@pytest.mark.every_browser
def test_a_wish_raises_arrows_and_learning_turns_the_ending(host: Host) -> None:
    sentence = host.page.locator(".qkv-sentence")
    assert sentence.inner_text().endswith("full.")
    assert arrows(host) == 0
    press(host, "sour")
    assert arrows(host) > 8
    assert sentence.inner_text().endswith("full. ✗")
    learn(host, "sour")
    assert sentence.inner_text().endswith("sour. ✓")
    assert "“it” attends to “milk”" in told(host)
    expect(host.page.get_by_role("button", name="Learn")).to_be_disabled()


@pytest.mark.every_browser
def test_a_dragged_knob_shows_the_pull_before_and_is_pulled_back(host: Host) -> None:
    learn(host, "sour")
    name = "W Q, it, number 1"
    learned = value(host, name)
    box = knob(host, name).bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    host.page.mouse.move(x, y)
    host.page.mouse.down()
    host.page.mouse.move(x + 20, y, steps=4)
    moved = value(host, name)
    assert moved > learned + 0.5
    assert host.page.locator('.look-before:not([d=""])').count() > 0
    host.page.mouse.up()
    assert "Your move has changed the gradients’ lengths: WQ" in told(host)
    press(host, "Learn")
    host.page.wait_for_selector(".qkv-look:not([data-running])", timeout=20_000)
    assert value(host, name) < moved - 0.3
    assert host.page.locator('.look-before:not([d=""])').count() == 0


def test_an_arrow_and_its_knobs_are_the_same_numbers(host: Host) -> None:
    drag_tip(host, ".look-plane", "query it", -1.0, 2.0)
    assert value(host, "W Q, it, number 1") == pytest.approx(-1.0, abs=0.05)
    assert value(host, "W Q, it, number 2") == pytest.approx(2.0, abs=0.05)
    knob(host, "W K, milk, number 1").focus()
    host.page.keyboard.press("Home")
    spoken = host.page.get_by_role("slider", name="key milk").get_attribute("aria-valuetext") or ""
    assert spoken.startswith("x −3.00")


def test_a_lock_keeps_w_v_from_training_and_not_from_a_hand(host: Host) -> None:
    host.page.get_by_label("lock").check()
    learn(host, "cracked")
    assert value(host, "W V, cat, number 1") == 4
    knob(host, "W V, cat, number 1").press("ArrowLeft")
    assert value(host, "W V, cat, number 1") == 3.95
    host.page.get_by_label("lock").uncheck()
    press(host, "sour")
    before = value(host, "W V, bowl, number 2")
    press(host, "Step")
    assert value(host, "W V, bowl, number 2") != before


def test_learning_stops_and_a_step_is_one(host: Host) -> None:
    press(host, "sour")
    press(host, "Learn")
    press(host, "Stop")
    assert not host.page.locator("[data-running]").count()
    before = told(host)
    press(host, "Step")
    assert told(host) != before
    press(host, "Reset")
    assert told(host) == "Choose how the sentence should end. Then let it learn."
    expect(host.page.get_by_role("button", name="Learn")).to_be_disabled()
    expect(host.page.get_by_role("button", name="Step")).to_be_disabled()


def test_a_dead_softmax_is_said(host: Host) -> None:
    host.page.get_by_label("lock").check()
    for name in ("W Q, it, number", "W K, cat, number"):
        knob(host, f"{name} 1").press("End")
        knob(host, f"{name} 2").press("End")
    press(host, "sour")
    assert told(host).startswith("It is stuck: one word has nearly all of the weight")
    expect(host.page.get_by_role("button", name="Learn")).to_be_disabled()
    host.page.get_by_label("lock").uncheck()
    learn(host, "sour")
    assert "has changed what “cat” passes on" in told(host)


def test_python_keeps_what_the_page_was_left_with(show: Show) -> None:
    widget = LearnToLook()
    host = show(widget, 984)
    press(host, "sour")
    press(host, "Step")
    host.settle()
    kept = widget.bridge.shown["place"]
    assert kept["wish"] == 1
    assert kept["weights"]["w_q"][3] != widget.setup()["start"]["w_q"][3]
    left = value(host, "W Q, it, number 2")
    again = show(widget, 984)
    assert value(again, "W Q, it, number 2") == left


def test_a_screen_reader_hears_the_pull_and_what_came_of_it(host: Host) -> None:
    press(host, "sour")
    spoken = knob(host, "W Q, it, number 2").get_attribute("aria-valuetext") or ""
    assert spoken.startswith("1.90; the loss pulls it down, ")
    expect(host.page.locator('.qkv-spoken[aria-live="polite"]')).to_contain_text("The ending is wrong.")


def test_nothing_glows_where_motion_is_not_wanted(host: Host) -> None:
    press(host, "sour")
    glows = "getComputedStyle(document.querySelector('.look-plane')).animationName"
    assert host.page.evaluate(glows).startswith("look-")
    host.page.emulate_media(reduced_motion="reduce")
    assert host.page.evaluate(glows) == "none"
