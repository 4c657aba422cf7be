"""Test what shared links, search engines and home screens read of the pages."""

from __future__ import annotations

import json
import re
import struct
from pathlib import Path
from xml.etree import ElementTree

import pytest

from qkvlib.tools.site.assets import Assets
from qkvlib.tools.site.build import Pages, _shared
from tests.tools.site.conftest import Site

ADDRESS = "https://site.example/course/"
LOOP = Path(__file__).parents[3] / "lessons" / "pictures" / "learn-to-look.png"


def written(folder: Path, address: str) -> str:
    assets = Assets(folder)
    pages = Pages(folder, _shared(assets, "[]"), assets, address, LOOP)
    for name in ("index", "questions"):
        pages.write(
            name, "questions", title="A <title>", description="What it is.", text="", sections=[], early=None
        )
    pages.list_addresses()
    return (folder / "questions.html").read_text(encoding="utf-8")


def test_where_an_address_is_set_a_page_states_it_and_shows_the_loop(tmp_path: Path) -> None:
    page = written(tmp_path, ADDRESS)
    assert f'<link rel="canonical" href="{ADDRESS}questions.html">' in page
    assert '<meta property="og:title" content="A &lt;title&gt;">' in page
    assert '<meta name="twitter:card" content="summary_large_image">' in page
    (picture,) = re.findall(r'og:image" content="([^"]*)"', page)
    assert (tmp_path / picture.removeprefix(ADDRESS)).read_bytes() == LOOP.read_bytes()
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
    assert {icon["sizes"] for icon in icons} == {"any", "512x512"}
    for icon in icons:
        content = (tmp_path / icon["src"]).read_bytes()
        assert icon["sizes"] == "any" or struct.unpack(">II", content[16:24]) == (512, 512)


@pytest.mark.whole
def test_no_style_sheet_blocks_the_first_paint(site: Site) -> None:
    for path in site.pages():
        head = path.read_text(encoding="utf-8").partition("</head>")[0]
        assert 'rel="stylesheet"' not in head
        assert "--page-ink" in head
