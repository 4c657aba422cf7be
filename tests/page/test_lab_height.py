"""The lab fits one window, in every view; its numbers can be read; and nothing jumps."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.page.host import Host, show
from tests.page.lesson_labs import LABS, TRAINED

TALLEST = 700
WIDTHS = (984, 568)


def height(host: Host) -> float:
    box = host.page.locator(".qkv-lab").bounding_box()
    assert box
    return box["height"]


def view(host: Host, name: str) -> None:
    host.page.get_by_role("button", name=name, exact=True).click()
    host.settle()
    host.page.mouse.move(1, 1)


def opened(browser: Browser, name: str, width: int) -> Host:
    """A lab on a page that leaves it this width."""
    return show(browser, LABS[name](), width + 16)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", LABS)
def test_a_lab_fits_one_window_in_every_view(
    browser: Browser, home: object, name: str, width: int
) -> None:
    host = opened(browser, name, width)
    heights = {"Weights": height(host)}
    if name in TRAINED:
        for other in ("Both", "Gradients", "Backward"):
            view(host, other)
            heights[other] = height(host)
        for step in range(1, 10):
            host.page.get_by_role("button", name="Next").click()
            heights[f"Backward {step + 1}"] = height(host)
    assert max(heights.values()) <= TALLEST, heights
    assert len({round(high) for high in heights.values()}) == 1, f"what follows jumps: {heights}"
    host.close()
