"""Make a page smaller without changing its looks, because many servers compress nothing.

Pictures become files that load when they are near the screen, only code with a colour is marked up, and a
style that occurs often is written once.
"""

from __future__ import annotations

import base64
import re
from collections import Counter
from html import escape
from pathlib import Path

from markupsafe import Markup

from qkvlib.tools.site.assets import Assets

_COLOURED = set(
    re.findall(r"\.code \.(\w+)", (Path(__file__).parent / "site.css").read_text(encoding="utf-8"))
)
_MARKED = re.compile(r'<span class="(\w+)">([^<]*)</span>')
_PICTURE = re.compile(r'<img ([^>]*)src="data:image/svg\+xml;base64,([^"]{3000,})"')
_SIZE = re.compile(r'<svg[^>]*? (width="[\d.]+" height="[\d.]+")')
_STYLE = re.compile(r' style="([^"&-][^"&]{20,})"')
_OFTEN = 3


def code(highlighted: str) -> Markup:
    """Mark up code only where the page's style has a colour for it."""

    def if_coloured(found: re.Match[str]) -> str:
        return found[0] if found[1] in _COLOURED else found[2]

    return Markup(_MARKED.sub(if_coloured, highlighted))


def pictures_apart(html: str, name: str, assets: Assets) -> str:
    """Return the HTML with its large drawings in separate files; the browser reserves their size in
    advance."""

    def as_file(found: re.Match[str]) -> str:
        svg = base64.b64decode(found[2]).decode()
        size = _SIZE.search(svg)
        known = f" {size[1]}" if size else ""
        return f'<img {found[1]}loading="lazy"{known} src="{escape(assets.add(f"{name}.svg", svg))}"'

    return _PICTURE.sub(as_file, html)


def styles_once(page: str) -> str:
    """Return the page with each frequent inline style as a rule that has the same priority as before."""
    often = [style for style, times in Counter(_STYLE.findall(page)).items() if times >= _OFTEN]
    numbers = {style: number for number, style in enumerate(often)}
    rules = "".join(f'#main [data-s="{number}"] {{ {style} }}\n' for style, number in numbers.items())

    def short(found: re.Match[str]) -> str:
        return f' data-s="{numbers[found[1]]}"' if found[1] in numbers else found[0]

    return _STYLE.sub(short, page).replace("</style>", f"{rules}</style>", 1)
