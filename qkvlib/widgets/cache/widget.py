"""What a layer computes and what it holds while words arrive, under a hand that chooses both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from qkvlib.figures.still import table
from qkvlib.widgets.kit.goals import Aim, Standing
from qkvlib.widgets.kit.widget import Widget

KEEPS = ("nothing", "K and V", "Q, K and V")

_MOST_WORDS = 10
_MOST_HEADS = 4
_LONGEST_WORD = 10


@dataclass(frozen=True)
class Costs:
    """What a run costs that began at the first word: numbers held, rows of K and V computed."""

    held: int
    computed: int


@dataclass(frozen=True, kw_only=True)
class Fits(Aim):
    """A goal for `Cache`: all words arrive, within so much memory and so much work.

    Fits("15-make-it-fit", "Let all words arrive ...", most_held=300, most_computed=40)
    """

    most_held: int
    most_computed: int

    def standing(self, arrived: int, n_words: int, costs: Costs) -> Standing:
        """It holds when the last word is there and neither bound is passed."""
        within = costs.held <= self.most_held and costs.computed <= self.most_computed
        words = (
            f"{arrived} of {n_words} words, {costs.held} numbers of {self.most_held}, "
            f"{costs.computed} rows of {self.most_computed}."
        )
        return Standing(within and arrived == n_words, arrived / n_words if within else 0.0, words)


class Cache(Widget):
    """A layer while words arrive: which rows of Q, K and V are computed in a round, which are held.

        Cache(["The", "law", "will"], n_heads=4, d_k=8)

    A hand lets words arrive, chooses what is kept from round to round, and how many heads of keys
    and values there are. What is shown are the costs of a run from the first word with that choice.
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
        """How many heads of keys and values there may be, most first."""
        return [g for g in range(self.n_heads, 0, -1) if self.n_heads % g == 0]

    @property
    def costs(self) -> Costs:
        """What the choice costs, up to the word that has arrived."""
        n, rows = self.arrived, 2 * self.kv_heads
        if self.keeps == KEEPS[0]:
            return Costs(0, rows * n * (n + 1) // 2)
        kept = rows + (self.n_heads if self.keeps == KEEPS[2] else 0)
        return Costs(kept * n * self.d_k, rows * n)

    def setup(self) -> dict[str, Any]:
        goal = self._goal
        bounds = goal and {"most_held": goal.most_held, "most_computed": goal.most_computed}
        return {
            "words": self.words,
            "n_heads": self.n_heads,
            "d_k": self.d_k,
            "keeps": list(KEEPS),
            "shares": self.shares,
            "goal": goal and {**goal.told(), **(bounds or {})},
        }

    def pack(self) -> dict[str, Any]:
        with self.lock:
            costs = self.costs
            state: dict[str, Any] = {
                "arrived": self.arrived,
                "keeps": KEEPS.index(self.keeps),
                "kv_heads": self.kv_heads,
                "held": costs.held,
                "computed": costs.computed,
            }
            if self._goal:
                standing = self._goal.standing(self.arrived, len(self.words), costs)
                state["goal"] = standing.shown(self._met)
            return state

    def carry_out(self, request: dict[str, Any]) -> None:
        match request["do"]:
            case "arrive":
                self.arrived = min(max(int(request["choice"]), 1), len(self.words))
            case "keep":
                self.keeps = KEEPS[request["choice"]]
            case "share" if request["choice"] in self.shares:
                self.kv_heads = request["choice"]
        if self._goal and not self._met:
            standing = self._goal.standing(self.arrived, len(self.words), self.costs)
            if standing.holds:
                self._met = True
                self._goal.record()

    def static_html(self) -> str:
        """What the present choice costs, in one line of a table."""
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
