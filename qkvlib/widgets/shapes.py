"""Where each number of X goes when it is cut into heads, and put together again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from qkvlib.heads import merge_heads, split_heads
from qkvlib.widgets.base import Widget
from qkvlib.widgets.pictures import table

_MOST_NUMBERS = 96
_MOST_WORDS = 6
_LONGEST_WORD = 10

_TAKEN = "The names beside the rows are what the code takes them for."

Split = Callable[[Tensor, int], Any]


@dataclass(frozen=True)
class Stage:
    """A tensor on its way: the code that made it, its axes, and whose numbers stand where."""

    code: str
    axes: Sequence[str]
    places: Tensor  # in each place, the number's place in the first tensor, counted from 0


@dataclass(frozen=True)
class Way:
    """One way to write it, stage by stage, and what came of it."""

    name: str
    stages: Sequence[Stage]
    verdict: str
    right: bool


class Shapes(Widget):
    """Each number of X wears its origin: follow it through `view`, `transpose` and back.

    The right way to cut X into heads, the tempting wrong one of the same shape, and the same for
    putting heads together. `split=my_split_heads` shows where your own function sends the numbers.

        right   x.view(n, h, d_k).transpose(0, 1)     every head gets its features of every word
        wrong   x.view(h, n, d_k)                     the first head gets the first words whole
    """

    front_end = "shapes"

    def __init__(
        self,
        words: Sequence[str] = ("the", "law", "and", "its"),
        n_heads: int = 2,
        d_k: int = 3,
        *,
        split: Split | None = None,
    ) -> None:
        super().__init__()
        _check(words, n_heads, d_k)
        self.words, self.n_heads, self.d_k = list(words), n_heads, d_k
        x = torch.arange(float(len(words) * n_heads * d_k)).view(len(words), n_heads * d_k)
        self.ways = [
            _split_right(x, n_heads),
            _split_wrong(x, n_heads),
            _merge_right(x, n_heads),
            _merge_wrong(x, n_heads),
        ]
        if split is not None:
            self.ways.insert(0, _split_own(x, n_heads, split))

    def setup(self) -> dict[str, Any]:
        return {
            "words": self.words,
            "n_heads": self.n_heads,
            "d_k": self.d_k,
            "ways": [
                {
                    "name": way.name,
                    "verdict": way.verdict,
                    "right": way.right,
                    "stages": [
                        {
                            "code": stage.code,
                            "axes": list(stage.axes),
                            "shape": list(stage.places.shape),
                            "places": stage.places.flatten().int().tolist(),
                        }
                        for stage in way.stages
                    ],
                }
                for way in self.ways
            ],
        }

    def pack(self) -> dict[str, Any]:
        return {}

    def carry_out(self, request: dict[str, Any]) -> None:
        """Nothing moves but what is looked at."""

    def static_html(self) -> str:
        rows = []
        for way in self.ways:
            last = way.stages[-1].places
            first = last[0].reshape(-1, last.shape[-1]) if last.ndim == 3 else last[:1]
            held = "; ".join(" ".join(self._label(int(p)) for p in row) for row in first)
            rows.append([way.name, way.stages[-1].code, held, way.verdict])
        return table(["", "code", "what the first head, or row, holds", ""], rows)

    def __repr__(self) -> str:
        n, width = len(self.words), self.n_heads * self.d_k
        return f"Shapes(x of {n} words × {width} features, {self.n_heads} heads of {self.d_k})"

    def _label(self, place: int) -> str:
        width = self.n_heads * self.d_k
        return f"{self.words[place // width]}{place % width}"


def _split_right(x: Float[Tensor, "n d"], h: int) -> Way:
    viewed = x.view(len(x), h, -1)
    return Way(
        "split",
        [
            Stage("x", ["word", "feature"], x),
            Stage("x.view(n, h, d_k)", ["word", "head", "feature"], viewed),
            Stage(".transpose(0, 1)", ["head", "word", "feature"], viewed.transpose(0, 1)),
        ],
        "Right. Each head holds every word, and its own features of it.",
        right=True,
    )


def _split_wrong(x: Float[Tensor, "n d"], h: int) -> Way:
    return Way(
        "split, view alone",
        [
            Stage("x", ["word", "feature"], x),
            Stage("x.view(h, n, d_k)", ["head", "word", "feature"], x.view(h, len(x), -1)),
        ],
        "Wrong, with the right shape. A view moves no number: the first head holds the first words "
        f"whole, and no head sees all words. {_TAKEN}",
        right=False,
    )


def _merge_right(x: Float[Tensor, "n d"], h: int) -> Way:
    heads = split_heads(x, h)
    back = heads.transpose(0, 1)
    return Way(
        "merge",
        [
            Stage("heads", ["head", "word", "feature"], heads),
            Stage("heads.transpose(0, 1)", ["word", "head", "feature"], back),
            Stage(".flatten(1)", ["word", "feature"], merge_heads(heads)),
        ],
        "Right. Each row is one word again, the heads side by side.",
        right=True,
    )


def _merge_wrong(x: Float[Tensor, "n d"], h: int) -> Way:
    heads = split_heads(x, h)
    return Way(
        "merge, reshape alone",
        [
            Stage("heads", ["head", "word", "feature"], heads),
            Stage("heads.reshape(n, h * d_k)", ["word", "feature"], heads.reshape(x.shape)),
        ],
        f"Wrong, with the right shape. Each row is filled from one head, and mixes words. {_TAKEN}",
        right=False,
    )


def _split_own(x: Float[Tensor, "n d"], h: int, split: Split) -> Way:
    """Where the learner's own function sends the numbers; a ValueError says why it sends none."""
    name = getattr(split, "__name__", "split")
    try:
        result = split(x.clone(), h)
    except Exception as error:
        raise ValueError(f"{name}(x, {h}) raised {type(error).__name__}: {error}") from error
    shape = (h, len(x), x.shape[1] // h)
    if not isinstance(result, Tensor) or result.shape != shape:
        got = tuple(result.shape) if isinstance(result, Tensor) else type(result).__name__
        raise ValueError(f"{name}(x, {h}) gave {got}, but the heads have the shape {shape}")
    places = result.float()
    if not torch.equal(places.flatten().sort().values, x.flatten()):
        raise ValueError(f"{name}(x, {h}) changed or repeated numbers: a split only moves them")
    right = torch.equal(places, split_heads(x, h))
    words = "Right. Each head holds every word, and its own features of it."
    wrong = "Not yet. Compare with the split beside it: which words does the first head hold?"
    return Way(
        "yours",
        [
            Stage("x", ["word", "feature"], x),
            Stage(f"{name}(x, {h})", ["head", "word", "feature"], places),
        ],
        words if right else wrong,
        right,
    )


def _check(words: Sequence[str], n_heads: int, d_k: int) -> None:
    if not 2 <= len(words) <= _MOST_WORDS:
        raise ValueError(
            f"there are {len(words)} words, but this widget shows 2 to {_MOST_WORDS}: a few will do"
        )
    for word in words:
        if not 1 <= len(word) <= _LONGEST_WORD:
            raise ValueError(f"the word {word!r} must have 1 to {_LONGEST_WORD} letters")
    count = len(words) * n_heads * d_k
    if n_heads < 1 or d_k < 1 or count > _MOST_NUMBERS:
        raise ValueError(
            f"{len(words)} words × {n_heads} heads × {d_k} features make {count} numbers, but this "
            f"widget shows 1 to {_MOST_NUMBERS}: take fewer"
        )
