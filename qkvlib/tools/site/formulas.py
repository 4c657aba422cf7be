"""TeX as MathML, which browsers draw by themselves: for a page that stands alone."""

from __future__ import annotations

import base64
import re
from html import escape

from qkvlib.data import FOLDER

FONT = FOLDER / "stix-two-math.woff2"

_UNKNOWN = re.compile(r"<m[ion][^>]*>(\\|&</)")  # a command it does not know, or a stray &
_NAME = re.compile(r"<(mi|mo)>([a-z]{2,})</\1>(?=(<mo[^>]*>&#x00028;)?)")
_PRIME = re.compile(r"<msup>(<mi>\w</mi>)<mi>&#x02032;</mi></msup>")
_THIN = "0.167em"


def style(font: str = "") -> str:
    """The style of formulas, and their font: many a system has none in which brackets grow.

    `font` is the font's address. Without one the style carries it along.
    """
    carried = f"data:font/woff2;base64,{base64.b64encode(FONT.read_bytes()).decode()}"
    return (
        "@font-face { font-family: qkv-formulas; font-display: swap; "
        f"src: url({font or carried}) }}\n"
        "math { font-family: qkv-formulas, math; font-size: 1.12em }\n"
        "math[display=block] { margin: 0.6em 0 }\n"
    )


def mathml(tex: str, *, block: bool) -> str:
    """The formula; or, where a command in it is not known, its TeX as it was written."""
    from latex2mathml.converter import convert

    around = "$$" if block else "$"
    as_written = f"<code>{escape(around + tex + around)}</code>"
    try:
        made = convert(tex, display="block" if block else "inline")
    except Exception:  # it has many; none of them may cost a learner the page
        return as_written
    return as_written if _UNKNOWN.search(made) else _as_tex_spaces_it(made)


def _as_tex_spaces_it(made: str) -> str:
    """Room around log, none around bars and strokes; an upright T for a transpose; x′ as large."""

    def named(found: re.Match[str]) -> str:
        after = "0" if found[3] else _THIN
        return f'<mo lspace="{_THIN}" rspace="{after}">{found[2]}</mo>'

    made = _NAME.sub(named, made)
    made = _PRIME.sub(r'<mrow>\1<mo lspace="0" rspace="0">&#x02032;</mo></mrow>', made)
    for stroke in ("&#x0007C;", "&#x0002F;"):
        bare = rf"<mo( stretchy=\"false\")?>{stroke}</mo>"
        made = re.sub(bare, f'<mo stretchy="false" lspace="0" rspace="0">{stroke}</mo>', made)
    return made.replace('<mi mathvariant="sans-serif">T</mi>', "<mi>&#x1D5B3;</mi>")
