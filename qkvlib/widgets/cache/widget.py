"""Show what a layer computes and holds while words arrive; the learner chooses both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from qkvlib.figures.still import table
from qkvlib.widgets.kit.goals import Aim
from qkvlib.widgets.kit.widget import Widget

KEEPS = ("nothing", "K and V", "Q, K and V")

_MOST_WORDS = 10
_MOST_HEADS = 4
_LONGEST_WORD = 10


@dataclass(frozen=True)
class Costs:
    """The cost of a run from the first word: numbers held, rows of K and V computed."""

    held: int
    computed: int


@dataclass(frozen=True, kw_only=True)
class Fits(Aim):
    """A goal for `Cache`: let all words arrive, within this much memory and this much work.

    Fits("15-make-it-fit", "Let all words arrive ...", most_held=300, most_computed=40)
    """

    most_held: int
    most_computed: int


class Cache(Widget):
    """A layer while words arrive: which rows of Q, K and V are computed in a round, and which are held.

        Cache(["The", "law", "will"], n_heads=4, d_k=8)

    The learner lets words arrive, and chooses what is kept from round to round and how many heads of keys and
    values there are. The widget shows the cost of a run from the first word with that choice.
    """

    front_end = "cache"

    def __init__(
        self, words: Sequence[str], n_heads: int = 4, d_k: int = 8, *, goal: Fits | None = None
    ) -> None:
        super().__init__()
        _check(words, n_heads, d_k)
        self.words, self.n_heads, self.d_k = list(words), n_heads, d_k
        self.arrived, self.keeps, self.kv_heads = 1, KEEPS[0], n_heads
        self._goal, self._met = goal, False

    @property
    def shares(self) -> list[int]:
        """The possible numbers of heads of keys and values, largest first."""
        return [g for g in range(self.n_heads, 0, -1) if self.n_heads % g == 0]

    @property
    def costs(self) -> Costs:
        """Return the cost of the choice, up to the last word that has arrived."""
        n, rows = self.arrived, 2 * self.kv_heads
        if self.keeps == KEEPS[0]:
            return Costs(0, rows * n * (n + 1) // 2)
        kept = rows + (self.n_heads if self.keeps == KEEPS[2] else 0)
        return Costs(kept * n * self.d_k, rows * n)

    def setup(self) -> dict[str, Any]:
        return {
            "words": self.words,
            "n_heads": self.n_heads,
            "d_k": self.d_k,
            "keeps": list(KEEPS),
            "shares": self.shares,
            "goal": self._goal and self._goal.for_page(),
        }

    def pack(self) -> dict[str, Any]:
        with self.lock:
            return {
                "arrived": self.arrived,
                "keeps": KEEPS.index(self.keeps),
                "kv_heads": self.kv_heads,
                "goal": self._goal and {"met": self._met},
            }

    def receive(self, rest: dict[str, Any]) -> bool:
        self.arrived, self.kv_heads = rest["arrived"], rest["kv_heads"]
        self.keeps = KEEPS[rest["keeps"]]
        if self._goal and rest["met"] and not self._met:
            self._met = True
            self._goal.record()
        return False

    def static_html(self) -> str:
        """Return the cost of the present choice, as one line of a table."""
        heads = [
            "kept from round to round",
            "heads of K and V",
            "words",
            "numbers held",
            "rows of K and V computed",
        ]
        row = [self.keeps, self.kv_heads, self.arrived, self.costs.held, self.costs.computed]
        return table(heads, [[str(cell) for cell in row]])

    def __repr__(self) -> str:
        return (
            f"Cache({len(self.words)} words, {self.n_heads} heads, {self.kv_heads} of keys and "
            f"values; {self.keeps} kept, {self.arrived} arrived: {self.costs.held} numbers held, "
            f"{self.costs.computed} rows computed)"
        )


def _check(words: Sequence[str], n_heads: int, d_k: int) -> None:
    if not 2 <= len(words) <= _MOST_WORDS:
        raise ValueError(
            f"there are {len(words)} words, but this widget shows 2 to {_MOST_WORDS}: a few will do"
        )
    for word in words:
        if not 1 <= len(word) <= _LONGEST_WORD:
            raise ValueError(f"the word {word!r} must have 1 to {_LONGEST_WORD} letters")
    if not 1 <= n_heads <= _MOST_HEADS:
        raise ValueError(f"there are {n_heads} heads, but this widget shows 1 to {_MOST_HEADS}")
    if d_k < 1:
        raise ValueError(f"a row has {d_k} numbers, but it needs one at least")
