"""Draw every seed of an experiment as a point, with its control."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from statistics import median

from qkvlib.figures import svg, theme
from qkvlib.figures.plot import LOOKS, MIDDLE, Json, Plot, axis, ink, plain, scatter, soft
from qkvlib.figures.tables import written

_STEP = 7  # pixels between two points of a pile
_CLOSE = 0.022  # share of the axis: points nearer than this would hide each other
_EDGE = {"color": theme.LIGHT.paper, "width": 1}  # separates points that touch
_WIDE, _RIGHT = 640, 606  # widths of the still picture and of its axis


def seeds(
    values: Mapping[str, Sequence[float]],
    what: str,
    *,
    chance: float | None = None,
    span: tuple[float, float] | None = None,
) -> Plot:
    """Draw all seeds of some runs, one row for each run: `seeds({"two tables": shares}, "right answers")`.

    `values` are shares, and the axis goes from 0 to 100%; `span` sets its range for other numbers.
    Points that would hide each other are piled up. The vertical line of a row is its median. `chance` is
    the result of guessing, a dotted line across all rows.
    """
    empty = [name for name, numbers in values.items() if not len(numbers)]
    if empty or not values:
        raise ValueError(f"{empty or 'values'} holds no seed: give a number for each seed of a row")
    counts = all(float(x).is_integer() for numbers in values.values() for x in numbers)
    scale = _Scale(*(span or (0.0, 1.0)), percent=span is None, counts=counts)
    rows: list[_Row] = []
    for name, numbers in values.items():
        top = rows[-1].bottom if rows else 0.0
        rows.append(_Row(name, [round(float(x), 4) for x in numbers], top, scale))
    told = [f"{row.name}: {row.in_words}" for row in rows]
    if chance is not None:
        told.append(f"chance: {scale.number(chance)}")
    return Plot(
        [_points(row, LOOKS[place % len(LOOKS)]) for place, row in enumerate(rows)],
        _layout(rows, what, chance),
        _still(rows, what, chance),
        f"{what}, on every seed. {'. '.join(told)}.",
        "\n".join([what, *told]),
    )


def _outwards() -> Iterator[int]:
    """Yield 0, 1, -1, 2, -2 and so on."""
    yield 0
    for distance in count(1):
        yield from (distance, -distance)


@dataclass(frozen=True)
class _Scale:
    """The axis of the values: its range, and the format of its numbers."""

    low: float
    high: float
    percent: bool
    counts: bool
    """Whether all values are whole numbers."""

    def number(self, value: float) -> str:
        if self.percent:
            return f"{value:.1%}"
        return written(value, 0 if self.counts and value.is_integer() else 2)

    def share(self, value: float) -> float:
        """Return the position of a value along the axis, from 0 to 1."""
        return (value - self.low) / (self.high - self.low)


@dataclass(frozen=True)
class _Row:
    """The seeds of one condition, and the row of the figure that they occupy, in pixels."""

    name: str
    values: Sequence[float]
    top: float
    scale: _Scale

    @cached_property
    def piled(self) -> list[int]:
        """Return each point's offset from the middle of its row, in places, so that it hides no other."""
        taken: dict[int, list[float]] = defaultdict(list)
        places = {}
        for seed, value in sorted(enumerate(self.values), key=lambda point: point[1]):
            at = self.scale.share(value)
            free = (k for k in _outwards() if all(at - near > _CLOSE for near in taken[k]))
            places[seed] = next(free)
            taken[places[seed]].append(at)
        return [places[seed] for seed in range(len(self.values))]

    @property
    def bottom(self) -> float:
        return self.top + 2 * _STEP * max(map(abs, self.piled)) + 38

    @property
    def middle(self) -> float:
        return (self.top + self.bottom) / 2

    @property
    def heights(self) -> list[float]:
        """Return each point's distance from the top of the figure."""
        return [self.middle + _STEP * place for place in self.piled]

    @property
    def reach(self) -> str:
        """Return the range of the seeds in words."""
        ends = [self.scale.number(end) for end in (min(self.values), max(self.values))]
        return " to ".join(dict.fromkeys(ends))

    @property
    def in_words(self) -> str:
        """Describe the row in words."""
        if len(self.values) == 1:
            return f"1 seed, {self.reach}"
        numbers = {
            "lowest": min(self.values),
            "median": median(self.values),
            "highest": max(self.values),
        }
        said = (f"{name} {self.scale.number(number)}" for name, number in numbers.items())
        return f"{len(self.values)} seeds, {', '.join(said)}"


def _points(row: _Row, look: tuple[str, str, str]) -> Json:
    colour, symbol, _ = look
    return scatter(
        list(zip(row.values, row.heights, strict=True)),
        "markers",
        name=plain(row.name),
        text=[
            f"{plain(row.name)}<br>seed {seed}: {row.scale.number(value)}"
            for seed, value in enumerate(row.values)
        ],
        hovertemplate="%{text}<extra></extra>",
        marker={"color": colour, "symbol": symbol, "size": 9, "line": _EDGE},
        cliponaxis=False,
    )


def _layout(rows: Sequence[_Row], what: str, chance: float | None) -> Json:
    scale, bottom = rows[0].scale, rows[-1].bottom
    margin = 0.02 * (scale.high - scale.low)
    numbers = {"tickformat": ".0%", "dtick": 0.25} if scale.percent else {}
    marks = [_mark(median(row.values), row.top + 6, row.bottom - 6, "solid") for row in rows]
    words = []
    if chance is not None:
        marks.append(_mark(chance, 0, bottom, "dot"))
        guess = {"text": soft(f"chance {scale.number(chance)}"), "x": chance, "y": 0}
        words.append({**guess, "yanchor": "bottom", "showarrow": False})
    return {
        "height": round(bottom + 100),
        "xaxis": axis(what, range=[scale.low - margin, scale.high + margin], **numbers),
        "yaxis": {
            "range": [bottom, 0],
            "tickvals": [row.middle for row in rows],
            "ticktext": [f"{ink(row.name)}<br>{soft(row.reach)}" for row in rows],
            "showgrid": False,
            "zeroline": False,
            "automargin": True,
            "fixedrange": True,
        },
        "shapes": marks,
        "annotations": words,
        "hovermode": "closest",
    }


def _mark(x: float, top: float, bottom: float, dash: str) -> Json:
    """Draw a vertical line at x."""
    line = {"color": MIDDLE, "width": 2, "dash": dash}
    ends = {"x0": x, "x1": x, "y0": top, "y1": bottom}
    return {"type": "line", "layer": "below", "line": line, **ends}


def _still(rows: Sequence[_Row], what: str, chance: float | None) -> str:
    """Draw a still picture: points in the text colour, names on the left."""
    scale, begin = rows[0].scale, 30 if chance is not None else 14
    bottom = begin + rows[-1].bottom
    left = 40 + 7.5 * max(len(name) for row in rows for name in (row.name, row.reach))

    def across(value: float) -> float:
        return round(left + (_RIGHT - left) * scale.share(value), 1)

    parts = []
    for quarter in range(5):
        value = scale.low + (scale.high - scale.low) * quarter / 4
        number = f"{value:.0%}" if scale.percent else written(value, 1)
        parts += [
            svg.upright(across(value), begin, bottom, "line"),
            svg.text(across(value), bottom + 20, number, "soft"),
        ]
    if chance is not None:
        parts += [
            svg.upright(across(chance), begin, bottom, "soft", dashed=True),
            svg.text(across(chance), 22, f"chance {scale.number(chance)}", "soft"),
        ]
    for row in rows:
        middle = begin + row.middle
        parts += [
            svg.text(left - 14, middle - 3, row.name, style=svg.ENDS_HERE),
            svg.text(left - 14, middle + 14, row.reach, "soft", svg.ENDS_HERE),
            svg.upright(across(median(row.values)), begin + row.top + 6, begin + row.bottom - 6, "soft"),
            *(
                svg.point(across(value), begin + height, 4)
                for value, height in zip(row.values, row.heights, strict=True)
            ),
        ]
    parts.append(svg.text((left + _RIGHT) / 2, bottom + 42, what))
    return svg.drawing(_WIDE, round(bottom + 56), parts, what)
