"""Draw boxes and arrows as an SVG file, light and dark, with words for screen readers.

A drawing has a panel as its background, so that it can be read on any page. If the page is dark,
according to `prefers-color-scheme`, the panel and everything on it are dark too. Every colour is a
class named after a colour of the theme: `ink` fills with it, `ink-line` draws with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from html import escape

from qkvlib.figures.theme import DARK, LIGHT, Palette, mix

TEXT = 14  # in a drawing 640 wide; on a narrow page that shows it at 568, still 12 high
BEGINS_HERE, ENDS_HERE = 'style="text-anchor: start"', 'style="text-anchor: end"'
ROLES = {"Q": "query", "K": "key", "V": "value"}


@dataclass(frozen=True)
class Box:
    """A rectangle in a drawing, given by its upper left corner and its size."""

    x: float
    y: float
    wide: float
    high: float

    @property
    def middle(self) -> tuple[float, float]:
        return self.x + self.wide / 2, self.y + self.high / 2

    @property
    def right(self) -> float:
        return self.x + self.wide

    @property
    def bottom(self) -> float:
        return self.y + self.high


def panel(palette: Palette) -> str:
    """Return the background colour of a drawing: nearly the paper."""
    return mix(palette.paper, palette.line, 0.3)


def drawing(wide: int, high: int, parts: list[str], words: str, scale: float = 1) -> str:
    """Return an SVG of these parts on their panel. `words` describe it to a screen reader."""
    said = escape(words)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide * scale:g}" '
        f'height="{high * scale:g}" viewBox="0 0 {wide} {high}" role="img" aria-label="{said}" '
        f'font-family="system-ui, sans-serif" font-size="{TEXT}">\n'
        f"<title>{said}</title>\n<style>\n{_style()}</style>\n"
        f'<rect class="panel line-line" x="0.5" y="0.5" width="{wide - 1}" height="{high - 1}" '
        f'rx="8"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def outline(box: Box, lit: bool, bright: bool = True) -> str:
    """Draw a part's outline: heavy if it is lit, and filled with paper if it or its container is."""
    colours = f"{'paper' if bright else 'panel'} {'ink-line' if lit else 'soft-line'}"
    width = "3" if lit else "1"
    return f'<rect class="{colours}" {_geometry(box)} rx="5" stroke-width="{width}"/>'


def text(x: float, y: float, words: str, colour: str = "ink", style: str = "") -> str:
    """Draw words centred at x, with their baseline at y."""
    extra = f" {style}" if style else ""
    return f'<text class="{colour}" x="{x:g}" y="{y:g}"{extra}>{escape(words)}</text>'


def labelled(box: Box, lines: tuple[str, ...], lit: bool = False, bright: bool = True) -> str:
    """Draw a box with its name in it, in one line or two."""
    x, y = box.middle
    first = y + 5 - (len(lines) - 1) * 8
    colour = "ink" if bright else "soft"
    style = 'font-weight="bold"' if lit else ""
    named = [text(x, first + 16 * i, line, colour, style) for i, line in enumerate(lines)]
    return "".join([outline(box, lit, bright), *named])


def role(box: Box, letter: str, lit: bool = False) -> str:
    """Draw Q, K or V, with its letter and its colour, which is the same everywhere in the course."""
    x, y = box.middle
    colour = ROLES[letter]
    return (
        f'<rect class="paper {colour}-line" {_geometry(box)} rx="4" '
        f'stroke-width="{3 if lit else 1.5}"/>' + text(x, y + 5, letter, colour, 'font-weight="bold"')
    )


def vector(x: float, y: float, numbers: Sequence[float]) -> str:
    """Draw a row of signed numbers as squares, around a line at y."""
    return "".join(
        f'<rect class="{"plus" if number > 0 else "minus"}" x="{x + 12 * i:g}" y="{y - 6:g}" '
        f'width="12" height="12" opacity="{abs(number)}"/>'
        for i, number in enumerate(numbers)
    )


def bare(box: Box, colour: str) -> str:
    """Draw a box without an outline."""
    return f'<rect class="{colour}" {_geometry(box)}/>'


def line(points: list[tuple[float, float]], colour: str = "soft", heavy: bool = False) -> str:
    """Draw a line through the points."""
    path = "L".join(f"{x:g} {y:g}" for x, y in points)
    width = "2.5" if heavy else "1.5"
    return f'<path class="{colour}-line" d="M{path}" fill="none" stroke-width="{width}"/>'


def arrow(points: list[tuple[float, float]], colour: str = "soft", heavy: bool = False) -> str:
    """Draw a line through the points, with an arrowhead at the last of them."""
    (before_x, before_y), (x, y) = points[-2:]
    along = (x > before_x) - (x < before_x), (y > before_y) - (y < before_y)
    back = x - 6 * along[0], y - 6 * along[1]
    wing = 4 * along[1], 4 * along[0]
    head = f"{x:g} {y:g}L{back[0] + wing[0]:g} {back[1] + wing[1]:g}"
    return (
        line([*points[:-1], back], colour, heavy)
        + f'<path class="{colour}" d="M{head}L{back[0] - wing[0]:g} {back[1] - wing[1]:g}Z"/>'
    )


def upright(x: float, top: float, bottom: float, colour: str, dashed: bool = False) -> str:
    """Draw a vertical line of a chart."""
    dash = ' stroke-dasharray="2 4"' if dashed else ""
    return f'<path class="{colour}-line" d="M{x:g} {top:g}V{bottom:g}"{dash}/>'


def curve(points: Sequence[tuple[float, float]], colour: str, dashes: str = "") -> str:
    """Draw a curve of a chart through all its points."""
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    dash = f' stroke-dasharray="{dashes}"' if dashes else ""
    return f'<path class="{colour}-line" d="M{path}" fill="none" stroke-width="2"{dash}/>'


def point(x: float, y: float, radius: float) -> str:
    """Draw one value of a chart."""
    return f'<circle class="ink" cx="{x:g}" cy="{y:g}" r="{radius:g}" opacity="0.8"/>'


def _geometry(box: Box) -> str:
    return f'x="{box.x:g}" y="{box.y:g}" width="{box.wide:g}" height="{box.high:g}"'


def _style() -> str:
    dark = "".join(f"  {rule}\n" for rule in _rules(DARK))
    light = "".join(f"{rule}\n" for rule in _rules(LIGHT))
    return f"text {{ text-anchor: middle; }}\n{light}@media (prefers-color-scheme: dark) {{\n{dark}}}\n"


def _rules(palette: Palette) -> list[str]:
    colours = {field.name: getattr(palette, field.name) for field in fields(palette)}
    return [
        f".{name} {{ fill: {colour}; }} .{name}-line {{ stroke: {colour}; }}"
        for name, colour in {**colours, "panel": panel(palette)}.items()
    ]
