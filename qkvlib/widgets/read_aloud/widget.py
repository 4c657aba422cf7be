"""Type a word, read its sounds, and see which letters each sound looks at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from qkvlib.figures import still
from qkvlib.models import Pronouncer, Reading
from qkvlib.models.pronouncer import PRETRAINED
from qkvlib.tasks.pronunciation import AS_IN, dictionary
from qkvlib.widgets.kit.goals import Aim
from qkvlib.widgets.kit.widget import Widget, tidy


@dataclass(frozen=True)
class Spelling(Aim):
    """A goal for `ReadAloud`: find a word with letters of two sounds, and letters of none.

    Spelling("10-two-and-none", "Find a word: one letter gives two sounds, another none.")
    """


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
        if goal and model is not None:
            raise ValueError("a goal is for the model that ships: leave out the goal, or the model")
        self._model = Pronouncer.pretrained() if model is None else model
        self._ships = model is None
        self._goal, self._met_with, self._trouble = goal, "", ""
        self.reading = self._model.read(word)

    def read(self, word: str) -> Reading:
        """Read a new word. If it cannot be read, raise a ValueError that says why."""
        with self.lock:
            self.reading, self._trouble = self._model.read(word), ""
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
            state["goal"] = {"met": self._met_with}
        return state

    def receive(self, rest: dict[str, Any]) -> bool:
        """Read the word that the page has read. The page has no dictionary and needs an answer."""
        if self._goal and rest.get("met") and not self._met_with:
            self._met_with = rest["met"]
            self._goal.record()
        try:
            self.reading, self._trouble = self._model.read(str(rest["word"])), ""
        except ValueError as refusal:
            self._trouble = str(refusal)
        return True

    def static_html(self) -> str:
        reading = self.reading
        title = f"{reading.word} is said {' '.join(reading.sounds)}"
        return still.heatmap(reading.weights.tolist(), reading.rows, reading.columns, title)

    def __repr__(self) -> str:
        return f"ReadAloud({self.reading.word}: {' '.join(self.reading.sounds)})"


def _verdict(reading: Reading) -> str:
    """Compare with the dictionary."""
    listed = dictionary().get(reading.word, ())
    if reading.sounds in listed:
        return "The dictionary says the same."
    if not listed:
        return "The dictionary does not have this word."
    return f"The dictionary says {' '.join(listed[0])}."
