"""Make a page smaller without changing its looks, because many servers compress nothing.

Pictures become files that load when they are near the screen, code is marked up in a few short elements, and
a style that occurs often is written once.
"""

from __future__ import annotations

import base64
import re
from collections import Counter
from html import escape
from itertools import groupby

from markupsafe import Markup
from pygments.lexers import PythonLexer
from pygments.token import Token

from qkvlib.tools.site.assets import Assets

# The first of these that a piece of code is gives its element; the page's style says how that looks.
_ELEMENTS = (
    (Token.Comment, "i"),
    (Token.String.Doc, "i"),
    (Token.String, "u"),
    (Token.Keyword, "b"),
    (Token.Operator.Word, "b"),
)
_PICTURE = re.compile(r'<img ([^>]*)src="data:image/svg\+xml;base64,([^"]{3000,})"')
_SIZE = re.compile(r'<svg[^>]*? (width="[\d.]+" height="[\d.]+")')
# A cell of a shaded table shares all of its style with the others but the background.
_STYLE = re.compile(r' style="([^"&-][^"&]{20,}?)(?:; (background: rgba[^"&;]*))?"')
_OFTEN = 3


def code(source: str) -> Markup:
    """Mark up Python code, in elements with the shortest names; none goes on over the end of a line."""
    pieces = groupby(PythonLexer().get_tokens(source), key=lambda piece: _element(piece[0]))
    return Markup("").join(
        _marked(line, element)
        for element, run in pieces
        for line in "".join(text for _, text in run).splitlines(keepends=True)
    )


def _marked(line: str, element: str) -> Markup:
    text = line.rstrip("\n")
    marked = escape(text, quote=False)
    return Markup((f"<{element}>{marked}</{element}>" if element and text else marked) + line[len(text) :])


def _element(kind: tuple[str, ...]) -> str:
    return next((element for parent, element in _ELEMENTS if kind in parent), "")


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
    often = [
        style
        for style, times in Counter(found[1] for found in _STYLE.finditer(page)).items()
        if times >= _OFTEN
    ]
    numbers = {style: number for number, style in enumerate(often)}
    rules = "".join(f'#main [data-s="{number}"] {{ {style} }}\n' for style, number in numbers.items())

    def short(found: re.Match[str]) -> str:
        if found[1] not in numbers:
            return found[0]
        own = f' style="{found[2]}"' if found[2] else ""
        return f' data-s="{numbers[found[1]]}"{own}'

    return _STYLE.sub(short, page).replace("</style>", f"{rules}</style>", 1)
