"""Test the next token in a browser without Jupyter: sliders, bars, goal; by pointer and keyboard."""

from __future__ import annotations

import pytest
import torch
from playwright.sync_api import Locator, expect

from qkvlib.widgets import Leaves, NextToken
from tests.page.host import Host, Show

NAMES = ["a", "b", "c", "d", "e", "f", "g", "h"]
SURE = torch.tensor([0.01, 0.9, 0.04, 0.02, 0.01, 0.01, 0.005, 0.005]).log()
TORN = torch.tensor([0.5, 0.02, 0.4, 0.03, 0.03, 0.01, 0.005, 0.005]).log()


@pytest.fixture
def widget(home: object) -> NextToken:
    goal = Leaves("next-page", "Leave one in at sure and two at torn.", (1, 2))
    return NextToken({"sure": SURE, "torn": TORN}, NAMES, goal=goal)


@pytest.fixture
def host(show: Show, widget: NextToken) -> Host:
    return show(widget)


def slider(host: Host, name: str) -> Locator:
    return host.page.get_by_role("slider", name=name)


def rows(host: Host, panel: int) -> list[str]:
    table = host.page.locator(".next-table").nth(panel)
    texts = table.locator("tbody tr").all_inner_texts()
    return [" ".join(text.split()) for text in texts]


@pytest.mark.every_browser
def test_the_keyboard_alone_reaches_the_goal_and_python_follows(host: Host, widget: NextToken) -> None:
    assert rows(host, 0)[:3] == ["b 0.90", "c 0.04", "d 0.02"]
    assert rows(host, 0)[-1] == "2 others 0.01"
    slider(host, "top-p").focus()
    for _ in range(20):
        host.page.keyboard.press("ArrowLeft")
    host.settle()
    expect(host.page.locator(".qkv-goal")).to_contain_text("Goal met")
    assert host.page.locator(".next-count").all_inner_texts() == ["1 of 8 left", "2 of 8 left"]
    assert rows(host, 1)[:3] == ["a 0.56", "c 0.44", "d out"]
    assert widget.pack()["p"] == 0.8
    assert list(widget.probabilities["torn"]) == ["a", "c"]
    expect(host.page.locator(".qkv-spoken")).to_contain_text("“torn”: 2 left, a 0.56, c 0.44.")


def test_top_k_cuts_both_alike_and_undo_takes_back_a_key(host: Host, widget: NextToken) -> None:
    slider(host, "top-k").press("Home")
    host.settle()
    assert host.page.locator(".next-count").all_inner_texts() == ["1 of 8 left", "1 of 8 left"]
    expect(host.page.locator(".qkv-goal")).to_contain_text("“sure”: 1 left ✓ · “torn”: 1 left")
    slider(host, "top-k").press("ArrowRight")
    host.settle()
    assert widget.pack()["k"] == 2
    host.page.get_by_role("button", name="Undo").click()
    host.settle()
    assert widget.pack()["k"] == 1
    host.page.get_by_role("button", name="Reset").click()
    host.settle()
    assert (widget.pack()["k"], slider(host, "top-k").input_value()) == (8, "8")
