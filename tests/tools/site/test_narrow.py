"""Test that the narrow form of "you are here" has every part of the wide one, and the same place."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from qkvlib.tools.site.narrow import HIGH, WIDE, narrow

PICTURES = sorted((Path(__file__).parents[3] / "lessons/pictures").glob("here-*.svg"))
_SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.stem)
def test_it_has_every_word_of_the_wide_one_and_fits_a_telephone(path: Path) -> None:
    svg = path.read_text(encoding="utf-8")
    wide, small = ElementTree.fromstring(svg), ElementTree.fromstring(narrow(svg))
    assert WIDE <= 360 - 2 * 16
    assert (small.get("width"), small.get("height")) == (str(WIDE), str(HIGH))
    assert small.get("aria-label") == wide.get("aria-label")
    words = [[each.text for each in one.iter(f"{_SVG}text")] for one in (wide, small)]
    assert words[0] == words[1]
    bounds = [tuple(float(one.get(name, 0)) for name in ("x", "width")) for one in small.iter(f"{_SVG}rect")]
    flag = bounds[-1]
    assert flag[0] >= 0
    assert flag[0] + flag[1] <= WIDE


def test_the_loss_comes_back_from_the_next_word() -> None:
    tips = {
        path.stem: re.findall(r'd="M(\d+) [\d.]+l6 4v-8Z"', narrow(path.read_text("utf-8")))
        for path in PICTURES
    }
    assert tips["here-04"] == ["312"]
    assert all(tip == ["300"] for name, tip in tips.items() if name != "here-04")


def test_another_picture_is_refused() -> None:
    with pytest.raises(ValueError, match="where you are"):
        narrow("<svg></svg>")
