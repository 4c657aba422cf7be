"""Show where each number of X goes when it is split into heads, and merged again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from qkvlib.figures.still import table
from qkvlib.multi_head import merge_heads, split_heads
from qkvlib.widgets.kit.goals import Aim
from qkvlib.widgets.kit.widget import Widget

_WORDS = ("the", "law", "and", "its")
_HEADS = 2
_D_K = 3

_RIGHT = "Right. Each head holds every word, and its own features of it."
_TAKEN = "The names beside the rows are what the code takes them for."

Split = Callable[[Tensor, int], Any]


@dataclass(frozen=True)
class Stage:
    """One stage of a tensor: the code that made it, its axes and shape, and which numbers are where."""

    code: str
    axes: Sequence[str]
    shape: Sequence[int]
    places: Sequence[int]  # for each position, the number's index in the first tensor, counted from 0


@dataclass(frozen=True)
class Way:
    """One way to write it, stage by stage, and its outcome."""

    name: str
    stages: Sequence[Stage]
    verdict: str
    right: bool


@dataclass(frozen=True)
class Strays(Aim):
    """A goal for `Shapes`: mark every number of one head that belongs to another head.

        Strays("08-strays", "Mark the numbers in head 0 that belong to another head.")

    They are looked for where the split is by view alone; the mark is set by a click or by Enter.
    """


class Shapes(Widget):
    """Each number of X wears its origin: follow it through `view`, `transpose` and back.

    The right way to cut X into heads, the tempting wrong one of the same shape, and the same for
    putting heads together. `split=split_heads` shows where your own function sends the numbers; it
    is called with a batch of one sentence, [1 n h*d_k].

        right   x.view(n, h, d_k).transpose(0, 1)     every head gets its features of every word
        wrong   x.view(h, n, d_k)                     the first head gets the first words whole
    """

    front_end = "shapes"

    def __init__(self, *, split: Split | None = None, goal: Strays | None = None) -> None:
        super().__init__()
        width = _HEADS * _D_K
        x = torch.arange(float(len(_WORDS) * width)).view(len(_WORDS), width)
        self.ways = _ways(x, _HEADS)
        if split is not None:
            self.ways.insert(0, _split_own(x, _HEADS, split))
        self._goal, self._met = goal, False
        self._marked: list[int] = []

    def setup(self) -> dict[str, Any]:
        goal = self._goal
        return {
            "goal": goal and {**goal.for_page(), **self._hunt()},
            "words": list(_WORDS),
            "width": _HEADS * _D_K,
            "ways": [asdict(way) for way in self.ways],
        }

    def pack(self) -> dict[str, Any]:
        if not self._goal:
            return {}
        return {"marked": self._marked, "goal": {"met": self._met}}

    def receive(self, rest: dict[str, Any]) -> bool:
        self._marked = rest["marked"]
        if self._goal and rest["met"] and not self._met:
            self._met = True
            self._goal.record()
        return False

    def static_html(self) -> str:
        """Return X and the ways to split it, but not their results, because a goal may ask for those."""
        width = _HEADS * _D_K
        heads = ["x", *(f"feature {feature}" for feature in range(width))]
        rows = [[word, *map(str, range(width))] for word in _WORDS]
        ways = [[way.name, _whole_code(way), str(list(way.stages[-1].shape))] for way in self.ways]
        return table(heads, rows) + table(["way", "code", "shape"], ways)

    def __repr__(self) -> str:
        return f"Shapes(x of {len(_WORDS)} words × {_HEADS * _D_K} features, {_HEADS} heads of {_D_K})"

    def _hunt(self) -> dict[str, Any]:
        """Return which way has strays, and which numbers of its first head belong to another."""
        number, way = next((i, way) for i, way in enumerate(self.ways) if way.name == "split, view alone")
        held = way.stages[-1].places[: len(_WORDS) * _D_K]
        return {"way": number, "strays": [place for place in held if place % (_HEADS * _D_K) >= _D_K]}


def _whole_code(way: Way) -> str:
    """Return the code of a way in one line; a stage that begins with a dot continues the one before."""
    whole = ""
    for stage in way.stages:
        whole = whole + stage.code if stage.code.startswith(".") else stage.code
    return whole


def _ways(x: Float[Tensor, "n d"], h: int) -> list[Way]:
    """Return the right ways to split and to merge, each with the tempting wrong one."""
    n = len(x)
    by_word, heads = x.view(n, h, -1), split_heads(x, h)
    return [
        Way(
            "split",
            [
                _stage("x", "word feature", x),
                _stage("x.view(n, h, d_k)", "word head feature", by_word),
                _stage(".transpose(0, 1)", "head word feature", by_word.transpose(0, 1)),
            ],
            _RIGHT,
            right=True,
        ),
        Way(
            "split, view alone",
            [
                _stage("x", "word feature", x),
                _stage("x.view(h, n, d_k)", "head word feature", x.view(h, n, -1)),
            ],
            "Wrong, with the right shape. A view moves no number: the first head holds the first words "
            f"whole, and no head sees all words. {_TAKEN}",
            right=False,
        ),
        Way(
            "merge",
            [
                _stage("heads", "head word feature", heads),
                _stage("heads.transpose(0, 1)", "word head feature", heads.transpose(0, 1)),
                _stage(".flatten(1)", "word feature", merge_heads(heads)),
            ],
            "Right. Each row is one word again, the heads side by side.",
            right=True,
        ),
        Way(
            "merge, reshape alone",
            [
                _stage("heads", "head word feature", heads),
                _stage("heads.reshape(n, h * d_k)", "word feature", heads.reshape(x.shape)),
            ],
            f"Wrong, with the right shape. Each row is filled from one head, and mixes words. {_TAKEN}",
            right=False,
        ),
    ]


def _stage(code: str, axes: str, places: Tensor) -> Stage:
    return Stage(code, axes.split(), list(places.shape), places.flatten().int().tolist())


def _split_own(x: Float[Tensor, "n d"], h: int, split: Split) -> Way:
    """Show where the learner's own function sends the numbers; a ValueError says why it does not."""
    name = getattr(split, "__name__", "split")
    try:
        result = split(x.clone()[None], h)
    except Exception as error:
        raise ValueError(f"{name}(x, {h}) raised {type(error).__name__}: {error}") from error
    shape = (1, h, len(x), x.shape[1] // h)
    if not isinstance(result, Tensor) or result.shape != shape:
        got = tuple(result.shape) if isinstance(result, Tensor) else type(result).__name__
        raise ValueError(f"{name}(x, {h}) gave {got}, but the heads have the shape {shape}")
    places = result[0].float()
    if not torch.equal(places.flatten().sort().values, x.flatten()):
        raise ValueError(f"{name}(x, {h}) changed or repeated numbers: a split only moves them")
    right = torch.equal(places, split_heads(x, h))
    wrong = "Not yet. Compare with the split beside it: which words does the first head hold?"
    return Way(
        "the course's" if split is split_heads else "yours",
        [_stage("x", "word feature", x), _stage(f"{name}(x, {h})", "head word feature", places)],
        _RIGHT if right else wrong,
        right,
    )
