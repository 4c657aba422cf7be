"""Test that the glossary's words are marked where a section first uses them."""

from __future__ import annotations

import re

from qkvlib.tools.site.words import Marker


def words(html: str) -> list[str]:
    return re.findall("<dfn[^>]*>(.*?)</dfn>", html)


def test_a_word_that_the_page_has_explained_is_marked_faintly_in_later_sections() -> None:
    marker = Marker()
    assert "<dfn tabindex" in marker.marked("<p>A query.</p>")
    later = marker.marked("<h2>Next</h2><p>A query, a key.</p>")
    assert re.findall("<dfn( class[^ ]*)?", later) == [' class="again"', ""]


def test_a_word_is_marked_once_a_section() -> None:
    marker = Marker()
    assert words(marker.marked("<p>A query. Another query.</p>")) == ["query"]
    assert words(marker.marked("<p>Two queries.</p>")) == []
    assert words(marker.marked("<h2>Next</h2><p>Two queries.</p>")) == ["queries"]


def test_a_long_word_goes_before_a_short_one() -> None:
    assert words(Marker().marked("<p>attention weights are weights</p>")) == ["attention weights", "weights"]


def test_a_line_may_end_within_a_word() -> None:
    assert "singular\nvalues</dfn>" in Marker().marked("<p>their singular\nvalues</p>")


def test_the_arrow_keys_are_no_keys() -> None:
    assert words(Marker().marked("<p>Go with the arrow keys to a key.</p>")) == ["key"]


def test_a_word_in_a_plain_sense_is_not_marked_in_that_section() -> None:
    marker = Marker()
    html = "<p>They come in\nblocks, block by block. A lock and key.</p><p>Each block.</p>"
    assert marker.marked(html) == html
    assert words(marker.marked("<h2>Next</h2><p>A block.</p>")) == ["block"]


def test_no_code_link_heading_or_part_of_a_word_is_marked() -> None:
    html = "<h3>query</h3><p><code>query</code> <a>query</a> keyboard valued d_key</p>"
    assert Marker().marked(html) == html


def test_a_mark_leads_to_its_meaning() -> None:
    marked = Marker().marked("<p>A query and a key.</p>")
    places = re.findall(r'aria-describedby="([^"]*)"', marked)
    assert places == re.findall(r' id="([^"]*)"', marked)
    assert len(set(places)) == 2
    assert "the vector that asks" in marked


def test_titles_and_a_table_to_play_on_are_left_alone() -> None:
    marker = Marker()
    titles = '<h2 id="What-to-read-next">What to read next</h2><p>Attention Is All You Need</p>'
    assert words(marker.marked(titles)) == []
    assert words(marker.marked("<p>A guide to attention</p>")) == []  # in a separate cell
    assert words(marker.marked("<h2>Then</h2><p>Attention, a card on the table</p>")) == ["Attention"]
