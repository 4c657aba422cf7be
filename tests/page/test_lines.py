"""Test ordering lines in a browser without Jupyter: by pointer, by keys, and by finger."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from qkvlib import puzzle
from tests.page.host import Show

pytestmark = pytest.mark.every_browser


def lines(page: Page) -> Locator:
    return page.locator(".lines-program .lines-line")


def letters(page: Page) -> str:
    return page.locator(".lines-letters").inner_text()


def drag(page: Page, letter: str, onto: Locator, above: bool = False) -> None:
    page.locator(f'[data-letter="{letter}"] code').hover()
    page.mouse.down()
    box = onto.bounding_box()
    assert box
    page.mouse.move(box["x"] + 20, box["y"] + box["height"] * (0.2 if above else 0.9), steps=6)
    page.mouse.up()


def test_lines_are_dragged_in_about_and_out(show: Show) -> None:
    host = show(puzzle("order_the_heads"), width=1000)
    page = host.page
    drag(page, "E", page.locator(".lines-program"))
    drag(page, "B", page.locator(".lines-program"))
    assert letters(page) == "EB"
    drag(page, "J", page.locator('[data-letter="B"]'), above=True)
    assert letters(page) == "EJB"
    expect(page.locator(".lines-made").filter(has_text="[b, h, n, d_k]")).to_be_visible()
    drag(page, "E", page.locator(".lines-list").first)
    assert letters(page) == "JB"
    expect(lines(page).first).to_contain_text("stops: name 'q' is not defined")
    expect(lines(page).nth(1)).to_contain_text("does not run")


def test_a_click_puts_a_line_in_and_takes_it_out(show: Show) -> None:
    widget = puzzle("order_the_heads")
    host = show(widget, width=1000)
    page = host.page
    for letter in "EJ":
        page.locator(f'[data-letter="{letter}"]').click()
    assert letters(page) == "EJ"
    page.locator('[data-letter="E"]').click()
    assert letters(page) == "J"
    host.settle()
    assert widget.order == "J"
    page.get_by_role("button", name="Start again").click()
    assert letters(page) == "none yet"


def test_keys_do_all_of_it_and_the_focus_stays_with_the_line(show: Show) -> None:
    host = show(puzzle("order_the_heads"), width=1000)
    page = host.page
    page.get_by_role("button", name="Line E").focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Line J").focus()
    page.keyboard.press("Space")
    assert letters(page) == "EJ"
    expect(page.get_by_role("button", name="Line J")).to_be_focused()
    expect(page.get_by_role("button", name="number 2 of 2")).to_be_focused()
    page.keyboard.press("Shift+ArrowUp")
    assert letters(page) == "JE"
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("button", name="number 2 of 2")).to_be_focused()
    page.keyboard.press("Delete")
    assert letters(page) == "J"
    expect(page.get_by_role("button", name="Line E")).to_be_focused()


def test_a_programs_result_is_said_and_not_judged(show: Show) -> None:
    host = show(puzzle("order_the_heads", "EJBHAIFC"), width=1000)
    page = host.page
    expect(lines(page)).to_have_count(8)
    expect(page.locator(".qkv-lines")).not_to_contain_text("right")
