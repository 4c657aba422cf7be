"""Test arriving words in a browser without Jupyter: by pointer, by keys, and without a kernel."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from qkvlib.widgets import Cache, Fits
from tests.page.host import Show

pytestmark = pytest.mark.every_browser

WORDS = ["The", "law", "will", "never"]


def cache() -> Cache:
    goal = Fits("66-fits", "Let all four words arrive.", most_held=140, most_computed=20)
    return Cache(WORDS, n_heads=4, d_k=8, goal=goal)


def cells(page: Page, role: str, what: str) -> int:
    return page.locator(f'.cache-grid [data-role="{role}"][{what}]').count()


def test_words_arrive_and_rows_are_computed_again_or_held(show: Show, home: object) -> None:
    host = show(cache(), width=1000)
    page = host.page
    over = page.locator(".cache-meter[data-over]")
    expect(over).to_have_count(0)
    page.get_by_role("button", name="All words").click()
    expect(over).to_contain_text("rows of K and V")
    assert cells(page, "key", "data-computed-now") == 4 * 4, "begun anew, all rows"
    assert cells(page, "key", "data-held") == 0
    page.get_by_role("radio", name="K and V", exact=True).check(force=True)
    assert cells(page, "key", "data-computed-now") == 4, "the newest word's, in each head"
    assert cells(page, "key", "data-held") == 4 * 4
    assert cells(page, "query", "data-held") == 0
    page.get_by_role("radio", name="Q, K and V").check(force=True)
    assert cells(page, "query", "data-held") == 4 * 4


def test_keys_reach_the_goal_and_python_knows(show: Show, home: object) -> None:
    widget = cache()
    host = show(widget, width=1000)
    page = host.page
    page.get_by_role("radio", name="nothing").focus()
    page.keyboard.press("ArrowRight")
    page.get_by_role("radio", name="4 (MHA)").focus()
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Next word").focus()
    for _ in WORDS:
        page.keyboard.press("Enter")
    expect(page.locator(".qkv-goal-name")).to_have_text("✓ Goal met")
    host.settle()
    assert (widget.arrived, widget.keeps, widget.kv_heads) == (4, "K and V", 2)
    assert widget.costs.held == 128
