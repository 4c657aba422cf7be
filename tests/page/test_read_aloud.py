"""Test the reading widget in a browser without Jupyter; its own Python answers."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from qkvlib.widgets import ReadAloud, Spelling
from tests.page.host import Host, Show


@pytest.fixture
def host(show: Show) -> Host:
    goal = Spelling("host-spelling", "Two sounds from one letter, none from another.")
    return show(ReadAloud("knight", goal=goal))


def type_word(host: Host, word: str) -> None:
    host.page.get_by_label("A word, or a name").fill(word)
    host.page.keyboard.press("Enter")
    host.settle()


@pytest.mark.every_browser
def test_enter_reads_the_word_and_shows_who_looks_where(host: Host) -> None:
    type_word(host, "Photo")
    expect(host.page.locator(".aloud-said")).to_contain_text("photo: F OW T OW.")
    assert host.page.locator(".map-columns span").all_inner_texts() == [*"photo", "end"]
    assert host.page.locator(".map-rows span").all_inner_texts() == ["F", "OW", "T", "OW", "end"]
    shown = host.page.locator(".map-cell").all_inner_texts()
    assert len(shown) == 5 * 6
    assert float(shown[0]) > 0.5, "F looks at p"


def test_the_keyboard_alone_is_enough_to_read_word_after_word(host: Host) -> None:
    host.page.get_by_label("A word, or a name").focus()
    for word in ("law", "its"):
        host.page.keyboard.type(word)
        host.page.keyboard.press("Enter")
        host.settle()
        expect(host.page.locator(".aloud-said")).to_contain_text(f"{word}: ")
    host.page.locator(".map-body").focus()
    host.page.keyboard.press("ArrowDown")
    expect(host.page.locator(".aloud-words")).to_contain_text("T, as in ten, gives the letter “i”")
    expect(host.page.locator(".qkv-spoken")).to_contain_text("T, as in ten, gives the letter “i”")


def test_a_refusal_is_told_beside_the_field_and_goes_away(host: Host) -> None:
    refused = host.page.locator(".aloud-refused")
    expect(refused).to_be_hidden()
    type_word(host, "Zoë")
    expect(refused).to_contain_text("try “zoe”")
    expect(host.page.locator(".aloud-said")).to_contain_text("knight: N AY T.")
    assert host.page.get_by_label("A word, or a name").get_attribute("aria-invalid") == "true"
    type_word(host, "zoe")
    expect(refused).to_be_hidden()


def test_a_busy_kernel_keeps_nobody_waiting_and_hears_of_the_goal(show: Show) -> None:
    widget = ReadAloud("law", goal=Spelling("host-busy", "Two sounds, and none."))
    host = show(widget)
    host.holding = True
    for word in ("tree", "axe", "its"):
        host.page.get_by_label("A word, or a name").fill(word)
        host.page.keyboard.press("Enter")
    expect(host.page.locator(".aloud-said")).to_have_text("its: IH T S.")
    expect(host.page.locator(".qkv-goal")).to_contain_text("Met with “axe”")
    host.let_go()
    expect(host.page.locator(".aloud-said")).to_have_text("its: IH T S. The dictionary says the same.")
    assert widget.reading.word == "its"
    assert widget.pack()["goal"] == {"met": "axe"}


def test_a_page_without_python_reads_on(show: Show) -> None:
    goal = Spelling("host-alone", "Two sounds from one letter, none from another.")
    host = show(ReadAloud("law", goal=goal), alone=True)
    said = host.page.locator(".aloud-said")
    expect(said).to_have_text("law: L AO. The dictionary says the same.")
    type_word(host, "Zoë")
    expect(host.page.locator(".aloud-refused")).to_contain_text("try “zoe”")
    type_word(host, "axe")
    expect(said).to_have_text("axe: AE K S. (The dictionary is not on this page.)")
    assert host.page.locator(".map-columns span").all_inner_texts() == [*"axe", "end"]
    expect(host.page.locator(".qkv-goal")).to_contain_text("✓ Goal met")
    expect(host.page.locator(".qkv-notice:visible, .qkv-patience:visible")).to_have_count(0)


def test_where_a_column_is_narrow_colours_stand_alone_and_letters_upright(show: Show) -> None:
    host = show(ReadAloud("characterization"), width=390)
    expect(host.page.locator("canvas")).to_have_count(1)
    letter = host.page.locator(".map-columns span").first
    assert letter.evaluate("(one) => getComputedStyle(one).writingMode") == "horizontal-tb"
