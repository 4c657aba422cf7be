"""Test that the picture of the model highlights each place's parts, and that everyone can read it."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from qkvlib.figures import drawings, svg
from qkvlib.figures.frame import HIGH, PARTS, PLACES, WHOLE, WIDE, model, words
from qkvlib.figures.theme import DARK, LIGHT, Palette, contrast

EVERY_PLACE = pytest.mark.parametrize("place", PLACES)
SVG = "{http://www.w3.org/2000/svg}"

DRAWN = {
    "block": (drawings.block(), drawings.BLOCK_WORDS),
    "encoder and decoder": (drawings.encoder_decoder(), drawings.ENCODER_DECODER_WORDS),
    "the whole, larger": (model("attention", WHOLE, scale=1.25), WHOLE),
    **{place: (model(place, words(place)), words(place)) for place in PLACES},
}
EVERY_DRAWING = pytest.mark.parametrize("name", DRAWN)


def tree(name: str) -> ElementTree.Element:
    return ElementTree.fromstring(DRAWN[name][0])


def heavy(drawn: str) -> set[str]:
    """Return the corners (x and y) at which the heavy outlines of a drawing begin."""
    return {
        rect.attrib["x"] + " " + rect.attrib["y"]
        for rect in ElementTree.fromstring(drawn).iter(f"{SVG}rect")
        if rect.get("stroke-width") == "3"
    }


@EVERY_PLACE
def test_a_place_lights_parts_that_there_are(place: str) -> None:
    where = PLACES[place]
    assert where.lit
    assert set(where.lit) <= set(PARTS)
    assert not where.stacked or all(PARTS[name].sheets for name in where.lit)


@EVERY_PLACE
def test_what_is_lit_has_a_heavy_outline_and_nothing_else_has(place: str) -> None:
    where = PLACES[place]
    wanted = {
        f"{PARTS[name].box.x + 4 * sheet:g} {PARTS[name].box.y + 4 * sheet:g}"
        for name in where.lit
        if name != "W"  # three arrows, and no box
        for sheet in range(1 + (PARTS[name].sheets if where.stacked else 0))
    }
    assert heavy(DRAWN[place][0]) == wanted


@EVERY_PLACE
def test_the_place_is_written_and_said(place: str) -> None:
    written = [text.text for text in tree(place).iter(f"{SVG}text")]
    assert f"you are here: {place}" in written
    assert f"You are here: {place} (" in words(place)


@EVERY_PLACE
def test_only_the_way_back_turns_the_arrows_round(place: str) -> None:
    before, after = PARTS["block"].box.right + 8, PARTS["next word"].box.x - 2
    tips = {float(x) for x in re.findall(r'class="(?:ink|soft)" d="M([\d.]+)', DRAWN[place][0])}
    back = place == "the way back"
    assert (before in tips, after in tips) == (back, not back)


@pytest.mark.parametrize("name", PARTS)
def test_a_part_lies_within_the_part_that_it_belongs_to(name: str) -> None:
    box, outer = PARTS[name].box, svg.Box(0, 0, WIDE, HIGH)
    if PARTS[name].inside:
        outer = PARTS[PARTS[name].inside].box
    assert outer.x < box.x
    assert outer.y < box.y
    assert box.right + 4 * PARTS[name].sheets < outer.right
    assert box.bottom + 4 * PARTS[name].sheets < outer.bottom


@EVERY_DRAWING
def test_a_drawing_says_in_words_what_it_shows(name: str) -> None:
    root, said = tree(name), DRAWN[name][1]
    assert root.get("role") == "img"
    assert root.get("aria-label") == root.findtext(f"{SVG}title") == said
    assert not set(said) & set("[]\n"), "these would end the words of an image in Markdown"


@EVERY_DRAWING
def test_every_colour_has_a_name_that_is_light_and_dark(name: str) -> None:
    drawn, root = DRAWN[name][0], tree(name)
    used = {one for node in root.iter() for one in node.get("class", "").split()}
    light, dark = (root.findtext(f"{SVG}style") or "").split("@media (prefers-color-scheme: dark)")
    assert used
    for one in used:
        assert f".{one} {{" in light
        assert f".{one} {{" in dark
    assert not re.search("#[0-9a-f]{6}", drawn.replace(light, "").replace(dark, ""))


@EVERY_DRAWING
def test_words_are_large_enough_on_a_narrow_page(name: str) -> None:
    root = tree(name)
    sizes = [float(node.get("font-size", svg.TEXT)) for node in root.iter()]
    assert min(sizes) * min(568 / float(root.attrib["viewBox"].split()[2]), 1) >= 12


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_words_and_lines_can_be_seen_on_the_panel(palette: Palette) -> None:
    for colour in (palette.ink, palette.soft):
        assert contrast(colour, svg.panel(palette)) > 4.5
    for role in svg.ROLES.values():  # letters are drawn on paper, lines on the panel
        assert contrast(getattr(palette, role), palette.paper) > 4.5
        assert contrast(getattr(palette, role), svg.panel(palette)) > 3
