"""Type a word, read its sounds, and see which letters each sound looks at."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

from qkvlib.figures import still
from qkvlib.figures.words import quoted
from qkvlib.models import Pronouncer, Reading
from qkvlib.models.pronouncer import PRETRAINED
from qkvlib.tasks.pronunciation import AS_IN, dictionary
from qkvlib.widgets.kit.goals import Aim, Standing
from qkvlib.widgets.kit.widget import Widget, tidy


@dataclass(frozen=True)
class Spelling(Aim):
    """A goal for `ReadAloud`: find a word with letters of two sounds, and letters of none.

    Spelling("10-two-and-none", "Find a word: one letter gives two sounds, another none.")
    """

    def standing(self, reading: Reading) -> Standing:
        """Return how close this word is to the goal."""
        double, silent = unusual(reading)
        found = bool(double) + bool(silent)
        words = f"gives two sounds: {_listed(reading, double)} · gives none: "
        words += _listed(reading, silent)
        return Standing(found == 2, found / 2, words)


class ReadAloud(Widget):
    """A trained model reads what you type; its cross-attention shows which letters each sound looks at.

        ReadAloud("knight")             the model that ships
        ReadAloud("knight", mine)       a Pronouncer of your own

    `read("anna")` does from a cell what typing does; `reading` has the numbers.
    """

    front_end = "read_aloud"

    def __init__(
        self, word: str = "knight", model: Pronouncer | None = None, *, goal: Spelling | None = None
    ) -> None:
        super().__init__()
        self._model = Pronouncer.pretrained() if model is None else model
        self._ships = model is None
        self._goal, self._met, self._trouble = goal, False, ""
        self.reading = self._model.read(word)
        self._see()

    def read(self, word: str) -> Reading:
        """Read a new word. If it cannot be read, raise a ValueError that says why."""
        with self.lock:
            self.reading, self._trouble = self._model.read(word), ""
            self._see()
        self.push()
        return self.reading

    def setup(self) -> dict[str, Any]:
        goal = self._goal
        return {
            "as_in": AS_IN,
            "model": self._ships and {"weights": PRETRAINED.read_bytes(), "n_heads": self._model.n_heads},
            "goal": goal and goal.for_page(),
        }

    def pack(self) -> dict[str, Any]:
        reading = self.reading
        state: dict[str, Any] = {
            "word": reading.word,
            "rows": reading.rows,
            "columns": reading.columns,
            "weights": tidy(reading.weights.flatten().tolist()),
            "verdict": _verdict(reading),
            "refused": self._trouble,
        }
        if self._goal:
            state["goal"] = self._standing.shown(self._met)
        return state

    def receive(self, rest: dict[str, Any]) -> bool:
        """Read the word that the page has read, after the one that met the goal. The page has no dictionary
        and needs an answer."""
        for word in [rest[name] for name in ("met", "word") if name in rest]:
            try:
                self.reading, self._trouble = self._model.read(str(word)), ""
            except ValueError as refusal:
                self._trouble = str(refusal)
            self._see()
        return True

    def static_html(self) -> str:
        reading = self.reading
        title = f"{reading.word} is said {' '.join(reading.sounds)}"
        return still.heatmap(reading.weights.tolist(), reading.rows, reading.columns, title)

    def __repr__(self) -> str:
        return f"ReadAloud({self.reading.word}: {' '.join(self.reading.sounds)})"

    def _see(self) -> None:
        if self._goal and not self._met:
            self._standing = self._goal.standing(self.reading)
            if self._standing.holds:
                words = f"Met with {quoted(self.reading.word)}: {self._standing.words}."
                self._met, self._standing = True, replace(self._standing, words=words)
                self._goal.record()


def unusual(reading: Reading) -> tuple[list[int], list[int]]:
    """Return the positions of letters that two or more sounds look at most, and of those that no sound looks
    at most."""
    looked = Counter(reading.weights[:-1].argmax(-1).tolist())
    places = range(len(reading.word))
    return [i for i in places if looked[i] > 1], [i for i in places if not looked[i]]


def _listed(reading: Reading, places: list[int]) -> str:
    letters = " ".join(reading.word[place] for place in places)
    return f"{letters} ✓" if letters else "no letter yet"


def _verdict(reading: Reading) -> str:
    """Compare with the dictionary."""
    listed = dictionary().get(reading.word, ())
    if reading.sounds in listed:
        return "The dictionary says the same."
    if not listed:
        return "The dictionary does not have this word."
    return f"The dictionary says {' '.join(listed[0])}."
