"""Draw the losses of several runs, one curve for each."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from qkvlib.figures import svg
from qkvlib.figures.plot import LOOKS, Json, Plot, axis, ink, plain, scatter

if TYPE_CHECKING:  # drawing must not load the training code
    from qkvlib.training.recording import Recording

_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 616, 16, 216  # the axes of the still picture
_DASHES = ("", "8 4", "2 4", "8 4 2 4", "14 4", "14 4 2 4")  # as in LOOKS
_LEAST = 1e-8  # the smallest loss drawn: a logarithmic axis cannot show zero

Points = Sequence[tuple[int, float]]


def curves(runs: Mapping[str, Recording]) -> Plot:
    """Draw the loss of each run over its steps: `curves({"from random": recording, ...})`.

    The loss axis is logarithmic: equal distances down are equal factors. So a loss of a hundredth and
    one of a thousandth look different.
    """
    if not runs:
        raise ValueError("runs is empty: give a recording for each curve, by its name")
    lines = {name: _points(run) for name, run in runs.items()}
    told = [
        f"{name}: {line[0][1]:.2g} at step {line[0][0]}, {line[-1][1]:.2g} at step {line[-1][0]}"
        for name, line in lines.items()
    ]
    return Plot(
        [_trace(name, line, LOOKS[place % len(LOOKS)]) for place, (name, line) in enumerate(lines.items())],
        _layout(lines),
        _still(lines),
        f"The loss over the steps of training. {'; '.join(told)}.",
        "\n".join(["loss", *told]),
    )


def _points(run: Recording) -> Points:
    """Return steps and losses, with no more digits than a curve can show."""
    losses = [float(f"{max(loss, _LEAST):.3g}") for loss in run.losses.tolist()]
    return list(zip(run.steps.tolist(), losses, strict=True))


def _ticks(lines: Mapping[str, Points]) -> list[float]:
    """Return round numbers that enclose all losses."""
    losses = [loss for line in lines.values() for _, loss in line]
    low, high = math.floor(math.log10(min(losses))), math.ceil(math.log10(max(losses)))
    parts = (1, 2, 5) if high - low < 3 else (1,)
    ticks = [part * 10.0**power for power in range(low, high + 1) for part in parts]
    first = max((place for place, tick in enumerate(ticks) if tick <= min(losses)), default=0)
    last = next(place for place, tick in enumerate(ticks) if tick >= max(losses))
    return ticks[first : max(last, first + 1) + 1]


def _trace(name: str, line: Points, look: tuple[str, str, str]) -> Json:
    colour, symbol, dash = look
    return scatter(
        line,
        "lines+markers" if len(line) <= 30 else "lines",
        name=ink(name),
        text=[f"{plain(name)}<br>step {step}: loss {loss:.3g}" for step, loss in line],
        hovertemplate="%{text}<extra></extra>",
        line={"color": colour, "dash": dash, "width": 2},
        marker={"color": colour, "symbol": symbol, "size": 8},
    )


def _layout(lines: Mapping[str, Points]) -> Json:
    ticks = _ticks(lines)
    ends = [math.log10(ticks[0]) - 0.05, math.log10(ticks[-1]) + 0.05]
    return {
        "height": 360,
        "xaxis": axis("step"),
        "yaxis": axis(
            "loss",
            type="log",
            range=ends,
            tickvals=ticks,
            ticktext=[ink(f"{tick:g}") for tick in ticks],
        ),
        "showlegend": True,
        "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        "hovermode": "closest",
    }


def _still(lines: Mapping[str, Points]) -> str:
    ticks = _ticks(lines)
    low, high = math.log(ticks[0]), math.log(ticks[-1])
    most = max(step for line in lines.values() for step, _ in line) or 1

    def at(step: float, loss: float) -> tuple[float, float]:
        up = (math.log(loss) - low) / (high - low)
        return _LEFT + (_RIGHT - _LEFT) * step / most, _BOTTOM - (_BOTTOM - _TOP) * up

    parts = []
    for tick in ticks:
        left, y = at(0, tick)
        parts += [
            svg.curve([(left, y), (_RIGHT, y)], "line"),
            svg.text(left - 8, y + 5, f"{tick:g}", "soft", svg.ENDS_HERE),
        ]
    parts += [svg.text(_LEFT, _BOTTOM + 20, "step 0", "soft")]
    parts += [svg.text(_RIGHT, _BOTTOM + 20, f"{most}", "soft", svg.ENDS_HERE)]
    for place, (name, line) in enumerate(lines.items()):
        y, dashes = _BOTTOM + 44 + 20 * place, _DASHES[place % len(_DASHES)]
        parts += [
            svg.curve([at(*point) for point in line], "ink", dashes),
            svg.curve([(_LEFT, y - 5), (_LEFT + 60, y - 5)], "ink", dashes),
            svg.text(_LEFT + 72, y, name, "ink", svg.BEGINS_HERE),
        ]
    return svg.drawing(640, _BOTTOM + 38 + 20 * len(lines), parts, "loss over steps")
