"""The only place where colours are defined.

A role has one hue everywhere in the course: the query is blue, the key orange, the value green.
A signed number (a weight, a score, a gradient) runs from violet through the paper to gold, hues
that no role has. An attention weight, which is never negative, runs from the paper to raspberry.
Roles can be told apart, and so can minus and plus, in the three common kinds of colour blindness.
Even so, nothing relies only on colour: roles have letters, and signs are written.
"""

from __future__ import annotations

from dataclasses import dataclass, fields


@dataclass(frozen=True)
class Palette:
    """The colours of one theme, light or dark."""

    query: str
    key: str
    value: str
    minus: str  # a signed value at its lower end; zero is the paper
    plus: str  # a signed value at its upper end
    weight: str  # an attention weight of 1; 0 is the paper
    good: str  # a goal that is met
    bad: str  # an error
    paper: str
    ink: str
    soft: str  # secondary words
    line: str  # grids and borders


LIGHT = Palette(
    query="#004f8f",
    key="#bf4f00",
    value="#008560",
    minus="#8459c9",
    plus="#b28a0c",
    weight="#a82a68",
    good="#0f7a2e",
    bad="#b3261e",
    paper="#ffffff",
    ink="#1f1f1f",
    soft="#5f6368",
    line="#d5d7db",
)

DARK = Palette(
    query="#4c9df2",
    key="#f58a42",
    value="#55e0ae",
    minus="#c9a6ff",
    plus="#ecd05f",
    weight="#ee74a9",
    good="#6fd087",
    bad="#ff8a80",
    paper="#111111",
    ink="#ececec",
    soft="#a3a8ad",
    line="#3c3f43",
)

# Colours that JupyterLab defines too follow its theme; ours are for every other page.
_JUPYTER = {
    "paper": "--jp-layout-color0",
    "ink": "--jp-content-font-color1",
    "soft": "--jp-content-font-color2",
    "line": "--jp-border-color2",
}


def css() -> str:
    """Return the palettes as CSS custom properties of a widget's root: `--qkv-query`, `--qkv-paper`..."""
    return _rule(".qkv", LIGHT) + _rule('.qkv[data-theme="dark"]', DARK)


def signed(t: float) -> str:
    """Return the colour of a signed value on light paper, `t` from -1 to 1."""
    return mix(LIGHT.paper, LIGHT.plus if t > 0 else LIGHT.minus, abs(t))


def weight(t: float) -> str:
    """Return the colour of an attention weight on light paper, `t` from 0 to 1."""
    return mix(LIGHT.paper, LIGHT.weight, t)


def on_any_page(name: str) -> str:
    """Return a colour between light and dark, visible on both papers: for figures on an unknown page."""
    light, dark = getattr(LIGHT, name), getattr(DARK, name)
    mixed = [mix(light, dark, share / 20) for share in range(21)]
    return max(mixed, key=lambda c: min(contrast(c, LIGHT.paper), contrast(c, DARK.paper)))


def veil(colour: str, t: float) -> str:
    """Return the colour laid over any paper, light or dark, with opacity `t`, as CSS."""
    red, green, blue = (round(255 * c) for c in channels(colour))
    return f"rgba({red}, {green}, {blue}, {min(max(t, 0.0), 1.0):.3f})"


def mix(start: str, end: str, t: float) -> str:
    """Return the colour at a share `t` of the way from one colour to another."""
    share = min(max(t, 0.0), 1.0)
    pairs = zip(channels(start), channels(end), strict=True)
    return "#" + "".join(f"{round(255 * (a + share * (b - a))):02x}" for a, b in pairs)


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, from 1 to 21; text needs 4.5 (WCAG 2)."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour, from 0 (black) to 1 (white)."""
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def channels(colour: str) -> tuple[float, float, float]:
    """Return the red, green and blue of "#rrggbb", each from 0 to 1."""
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return red, green, blue


def _rule(selector: str, palette: Palette) -> str:
    names = [field.name for field in fields(palette)]
    lines = [f"--qkv-{name}: {_declared(name, getattr(palette, name))};" for name in names]
    return f"{selector} {{ {' '.join(lines)} }}\n"


def _declared(name: str, colour: str) -> str:
    return f"var({_JUPYTER[name]}, {colour})" if name in _JUPYTER else colour
