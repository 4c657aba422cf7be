"""A figure to hover over, zoom or turn: plotly's where a script runs, a still everywhere else.

plotly's figures are JSON, and JupyterLab draws that JSON by itself. So it is written here as plain
dictionaries, and plotly is imported by nobody but `Plot.plotly`: importing it takes seconds, and
its own figures carry a template of seven thousand characters each.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from qkvlib.figures import still, theme

MIME = "application/vnd.plotly.v1+json"
Json = dict[str, Any]
LETTERS = 14  # high; nothing here is smaller than 12

# A graphics card has no style sheet: where nobody can say what colour the page has, a middle one.
MIDDLE = theme.on_any_page("soft")
FAINT = theme.veil(MIDDLE, 0.35)
_FACE = "system-ui, sans-serif"
_INK = f"var(--jp-content-font-color1, {MIDDLE})"
_SOFT = f"var(--jp-content-font-color2, {MIDDLE})"

# One line or row after the other; each has a symbol and a dash of its own, whatever its colour.
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
    """A figure that answers a pointer. `traces`, `layout` and `frames` are as plotly has them.

    `still` is the same as an SVG, `words` say what is seen in it, `text` is what a terminal gets.
    `plotly()` gives plotly's own Figure, to change or to save.
    """

    traces: Sequence[Json]
    layout: Json
    still: str
    words: str
    text: str
    frames: Sequence[Json] = ()

    @property
    def spec(self) -> Json:
        """The figure as plotly's JSON."""
        return {
            "data": list(self.traces),
            "layout": {**_LAYOUT, **self.layout},
            "frames": list(self.frames),
            "config": {**_CONFIG, "scrollZoom": "gl3d" if "scene" in self.layout else False},
        }

    def plotly(self) -> Any:
        """The same as a `plotly.graph_objects.Figure`."""
        from plotly.graph_objects import Figure

        parts = {name: part for name, part in self.spec.items() if name != "config"}
        return Figure(parts)

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> Json:
        picture = still.image(self.still, self.words)
        return {MIME: self.spec, "text/html": picture, "text/plain": self.text}

    def __repr__(self) -> str:
        return self.text


def plain(words: str) -> str:
    """Words as they are: no mark within them means anything to plotly."""
    return escape(words, quote=False)


def ink(words: str) -> str:
    """Words of a figure in the colour that the page gives its text, light or dark."""
    return f'<span style="color: {_INK}">{plain(words)}</span>'


def soft(words: str) -> str:
    """The same for words that stand back."""
    return f'<span style="color: {_SOFT}; font-size: 12px">{plain(words)}</span>'


def axis(title: str, **more: Any) -> Json:
    """An axis with its title; its numbers, too, have the colour of the page's text."""
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


# The wheel is the page's, but in space, where a click has to come first (`qkv lab` sees to that). And
# no button sends a figure to anybody: plotly's own default has one.
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
    "autosize": True,  # to the page's width; the height is each figure's own
    "showlegend": False,
}
