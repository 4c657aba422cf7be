"""Define a figure to hover over, zoom or rotate: plotly's if a script can run, a still otherwise.

plotly's figures are JSON, and JupyterLab draws that JSON by itself. So we write it as plain
dictionaries, without importing plotly: that takes seconds, and its own figures carry a template of
seven thousand characters each.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from qkvlib.figures import still, theme

MIME = "application/vnd.plotly.v1+json"
Json = dict[str, Any]
LETTERS = 14  # pixels high; nothing here is smaller than 12

# WebGL ignores style sheets, so where the page's colour is unknown, use a middle grey.
MIDDLE = theme.on_any_page("soft")
FAINT = theme.veil(MIDDLE, 0.35)
_FACE = "system-ui, sans-serif"
_INK = f"var(--jp-content-font-color1, {MIDDLE})"
_SOFT = f"var(--jp-content-font-color2, {MIDDLE})"

# The looks of successive lines or rows; each has a different symbol and dash as well as a colour.
LOOKS = (
    (theme.on_any_page("ink"), "circle", "solid"),
    (theme.on_any_page("weight"), "diamond", "dash"),
    (theme.on_any_page("minus"), "square", "dot"),
    (theme.on_any_page("bad"), "triangle-up", "dashdot"),
    (theme.on_any_page("good"), "triangle-down", "longdash"),
    (theme.on_any_page("query"), "star", "longdashdot"),
)


@dataclass(frozen=True)
class Plot:
    """An interactive figure. `traces`, `layout` and `frames` have plotly's format.

    `still` is the same figure as an SVG, `words` describe it, and `text` is its form for a terminal.
    """

    traces: Sequence[Json]
    layout: Json
    still: str
    words: str
    text: str
    frames: Sequence[Json] = ()

    @property
    def spec(self) -> Json:
        """Return the figure as plotly's JSON."""
        return {
            "data": list(self.traces),
            "layout": {**_LAYOUT, **self.layout},
            "frames": list(self.frames),
            "config": {**_CONFIG, "scrollZoom": "gl3d" if "scene" in self.layout else False},
        }

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> Json:
        picture = still.image(self.still, self.words)
        return {MIME: self.spec, "text/html": picture, "text/plain": self.text}

    def __repr__(self) -> str:
        return self.text


def plain(words: str) -> str:
    """Escape words, so that plotly takes no mark in them for markup."""
    return escape(words, quote=False)


def ink(words: str) -> str:
    """Return a figure's words in the colour of the page's text, light or dark."""
    return f'<span style="color: {_INK}">{plain(words)}</span>'


def soft(words: str) -> str:
    """Return a figure's words in the colour of secondary text."""
    return f'<span style="color: {_SOFT}; font-size: 12px">{plain(words)}</span>'


def scatter(points: Sequence[Sequence[float]], mode: str, **more: Any) -> Json:
    """Return a trace through points of two coordinates, or of three."""
    coordinates = zip("xyz", zip(*points, strict=True), strict=False)
    return {
        "type": "scatter3d" if len(points[0]) == 3 else "scatter",
        "mode": mode,
        **{name: list(numbers) for name, numbers in coordinates},
        **more,
    }


def axis(title: str, **more: Any) -> Json:
    """Return an axis with its title; its numbers also have the colour of the page's text."""
    return {
        "title": {"text": ink(title), "standoff": 10, "font": {"size": LETTERS}},
        "tickprefix": f'<span style="color: {_INK}">',
        "ticksuffix": "</span>",
        "gridcolor": FAINT,
        "linecolor": MIDDLE,
        "zeroline": False,
        "automargin": True,
        **more,
    }


# The wheel scrolls the page. In 3D it zooms, but only after a click (`qkv lab` sees to that). No
# button sends a figure to anyone; plotly's default buttons include one that does.
_CONFIG: Json = {
    "displaylogo": False,
    "showSendToCloud": False,
    "plotlyServerURL": "",
    "modeBarButtonsToRemove": ["select2d", "lasso2d"],
}

_LAYOUT: Json = {
    "paper_bgcolor": "rgba(0, 0, 0, 0)",
    "plot_bgcolor": "rgba(0, 0, 0, 0)",
    "font": {"family": _FACE, "size": LETTERS, "color": MIDDLE},
    "hoverlabel": {
        "bgcolor": theme.LIGHT.ink,
        "bordercolor": theme.LIGHT.soft,
        "font": {"family": _FACE, "color": theme.LIGHT.paper, "size": LETTERS},
        "align": "left",
    },
    "modebar": {
        "bgcolor": "rgba(0, 0, 0, 0)",
        "color": MIDDLE,
        "activecolor": theme.on_any_page("ink"),
    },
    "margin": {"l": 10, "r": 24, "t": 34, "b": 10},
    "autosize": True,  # as wide as the page; each figure sets its own height
    "showlegend": False,
}
