"""Test the preview of a shared link, and what search engines and home screens read of the pages."""

from __future__ import annotations

import json
import re
import struct
import zlib
from pathlib import Path
from xml.etree import ElementTree

import pytest

from qkvlib.course.chapters import chapters
from qkvlib.tools.site import card
from qkvlib.tools.site.assets import Assets
from qkvlib.tools.site.build import Pages, _shared
from tests.tools.site.conftest import Site

ADDRESS = "https://site.example/course/"


def read(png: bytes) -> tuple[int, int, list[bytes]]:
    """Return the width, the height and the rows of a picture."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    wide, high = struct.unpack(">II", png[16:24])
    start, size = png.index(b"IDAT") + 4, struct.unpack(">I", png[33:37])[0]
    raw = zlib.decompress(png[start : start + size])
    assert len(raw) == high * (3 * wide + 1)
    return wide, high, [raw[i : i + 3 * wide + 1] for i in range(0, len(raw), 3 * wide + 1)]


def test_a_card_has_the_size_that_platforms_ask_for_and_shows_its_chapter() -> None:
    one, other = (card.card("1. Similarity", "Why?", here) for here in ("comparing", "one block"))
    wide, high, rows = read(one)
    assert (wide, high) == (1200, 630)
    assert rows != read(other)[2]
    assert rows[140] != rows[200]
    assert len(one) < 60_000


def test_every_chapter_can_be_written_on_its_card() -> None:
    for chapter in chapters():
        letters = set(chapter.title + chapter.question) - {" "}
        assert letters <= set(card._DOTS), f"letters.txt lacks {letters - set(card._DOTS)}"


def test_a_letter_has_rows_of_one_width() -> None:
    for letter, rows in card._DOTS.items():
        assert len({len(row) for row in rows}) == 1, letter
        assert 6 <= len(rows) <= 9, letter


def written(folder: Path, address: str) -> str:
    assets = Assets(folder)
    pages = Pages(folder, _shared(assets, "[]"), assets, address)
    for name in ("index", "questions"):
        pages.write(
            name,
            "questions",
            ("A title", "A question?", ""),
            title="A <title>",
            description="What it is.",
            text="",
            sections=[],
            early=None,
        )
    pages.list_addresses()
    return (folder / "questions.html").read_text(encoding="utf-8")


def test_where_an_address_is_set_a_page_states_it_and_its_card(tmp_path: Path) -> None:
    page = written(tmp_path, ADDRESS)
    assert f'<link rel="canonical" href="{ADDRESS}questions.html">' in page
    assert '<meta property="og:title" content="A &lt;title&gt;">' in page
    assert '<meta name="twitter:card" content="summary_large_image">' in page
    (picture,) = re.findall(r'og:image" content="([^"]*)"', page)
    assert (tmp_path / picture.removeprefix(ADDRESS)).read_bytes().startswith(b"\x89PNG")
    sitemap = ElementTree.parse(tmp_path / "sitemap.xml").getroot()
    assert [one.text for one in sitemap.iter() if one.tag.endswith("loc")] == [
        ADDRESS,
        f"{ADDRESS}questions.html",
    ]


def test_where_none_is_set_nothing_names_one(tmp_path: Path) -> None:
    page = written(tmp_path, "")
    assert "og:title" in page
    assert "canonical" not in page
    assert "og:image" not in page
    assert not (tmp_path / "sitemap.xml").exists()


def test_the_manifest_names_icons_that_are_there(tmp_path: Path) -> None:
    page = written(tmp_path, "")
    (manifest,) = re.findall(r'rel="manifest" href="([^"]*)"', page)
    icons = json.loads((tmp_path / manifest).read_text(encoding="utf-8"))["icons"]
    assert {icon["sizes"] for icon in icons} == {"any", "192x192", "512x512"}
    for icon in icons:
        content = (tmp_path / icon["src"]).read_bytes()
        assert icon["sizes"] == "any" or "{}x{}".format(*read(content)) == icon["sizes"]


@pytest.mark.whole
def test_no_style_sheet_blocks_the_first_paint(site: Site) -> None:
    for path in site.pages():
        head = path.read_text(encoding="utf-8").partition("</head>")[0]
        assert 'rel="stylesheet"' not in head
        assert "--page-ink" in head
