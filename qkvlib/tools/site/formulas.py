"""Convert TeX to MathML, which browsers draw by themselves: for a page without external scripts."""

from __future__ import annotations

import re
from html import escape

from qkvlib.data import FOLDER

FONT = FOLDER / "stix-two-math.woff2"

_UNKNOWN = re.compile(r"<m[ion][^>]*>(\\|&</)")  # a command that the converter does not know, or a stray &
_NAME = re.compile(r"<(mi|mo)>([a-z]{2,})</\1>(?=(<mo[^>]*>&#x00028;)?)")
_PRIME = re.compile(r"<msup>(<mi>\w</mi>)<mi>&#x02032;</mi></msup>")
_THIN = "0.167em"


def style(font: str) -> str:
    """Return the style of formulas. `font` is the address of one in which brackets grow, as in few systems'
    own."""
    return (
        f"@font-face {{ font-family: qkv-formulas; font-display: swap; src: url({font}) }}\n"
        "math { font-family: qkv-formulas, math; font-size: 1.12em }\n"
        "math[display=block] { margin: 0.6em 0 }\n"
    )


def mathml(tex: str, *, block: bool) -> str:
    """Return the formula as MathML; if it contains an unknown command, return its TeX."""
    from latex2mathml.converter import convert

    around = "$$" if block else "$"
    as_written = f"<code>{escape(around + tex + around)}</code>"
    try:
        made = convert(tex, display="block" if block else "inline")
    except Exception:  # the converter raises many kinds, and none of them may cost a learner the page
        return as_written
    return as_written if _UNKNOWN.search(made) else _as_tex_spaces_it(made)


def _as_tex_spaces_it(made: str) -> str:
    """Space the formula as TeX does: room around log, none around bars; an upright T for a transpose; x′ at
    full size."""

    def named(found: re.Match[str]) -> str:
        after = "0" if found[3] else _THIN
        return f'<mo lspace="{_THIN}" rspace="{after}">{found[2]}</mo>'

    made = _NAME.sub(named, made)
    made = _PRIME.sub(r'<mrow>\1<mo lspace="0" rspace="0">&#x02032;</mo></mrow>', made)
    for stroke in ("&#x0007C;", "&#x0002F;"):
        bare = rf"<mo( stretchy=\"false\")?>{stroke}</mo>"
        made = re.sub(bare, f'<mo stretchy="false" lspace="0" rspace="0">{stroke}</mo>', made)
    return made.replace('<mi mathvariant="sans-serif">T</mi>', "<mi>&#x1D5B3;</mi>")
