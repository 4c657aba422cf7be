"""Test a widget's module: its bundle together with the theme's colours."""

from __future__ import annotations

import gzip

import pytest

from qkvlib.figures import theme
from qkvlib.widgets.kit import envelope

NAMES = sorted(path.stem for path in envelope.STATIC.glob("*.css"))


@pytest.mark.parametrize("name", NAMES)
def test_a_module_holds_the_colours_the_styles_and_the_script(name: str) -> None:
    css, script = gzip.decompress(envelope.pack(name)).decode().split("\0")
    assert css.startswith(theme.css())
    assert ".qkv :focus-visible{" in css
    assert script.startswith(("var ", "function ", "import "))
    assert "export{" in script


def test_a_module_is_the_same_whenever_it_is_made() -> None:
    assert envelope.module("lab") == envelope.module("lab")
    assert envelope.module("lab") != envelope.module("heads")
