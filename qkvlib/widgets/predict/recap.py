"""The end of a lesson: each prediction beside what happened."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from qkvlib.widgets.kit.widget import Widget
from qkvlib.widgets.predict.widget import Prediction, asked

_NONE_YET = "No predictions yet: run the cells that ask for them."


def replay_predictions(chapter: str) -> Recap:
    """The predictions that this notebook has asked for so far, each beside what happened.

    `chapter` is the number that their names begin with, "01". A prediction that is committed later
    shows up by itself.
    """
    return Recap(asked(chapter))


class Recap(Widget):
    """A table of predictions and outcomes. Made by `replay_predictions`."""

    front_end = "recap"
    asleep = ""  # it looks like no picture

    def __init__(self, predictions: Sequence[Prediction]) -> None:
        super().__init__()
        self._predictions = list(predictions)
        for prediction in self._predictions:
            prediction.on_change(self.push)

    def setup(self) -> dict[str, Any]:
        return {"questions": [prediction.question for prediction in self._predictions]}

    def pack(self) -> dict[str, Any]:
        return {"rows": [prediction.pack() for prediction in self._predictions]}

    def static_html(self) -> str:
        """The table as it is now; what was not predicted is folded away."""
        if not self._predictions:
            return f"<p>{_NONE_YET}</p>"
        heads = _row("th", "Question", "Predicted", "What happened")
        rows = "".join(_told(prediction) for prediction in self._predictions)
        return f"<table><thead>{heads}</thead><tbody>{rows}</tbody></table>"

    def __repr__(self) -> str:
        """What happened; the same whatever was predicted, so that two runs can be compared."""
        if not self._predictions:
            return _NONE_YET
        rows = [f"  {p.question} {p.outcome or 'Not run yet.'}" for p in self._predictions]
        return "\n".join(["What happened:", *rows])


def _told(prediction: Prediction) -> str:
    outcome = "not run yet"
    if prediction.outcome:
        outcome = f"<b>{escape(prediction.outcome)}</b><br>{escape(prediction.because)}"
        if prediction.choice is None:
            outcome = f"<details><summary>not predicted: open it</summary>{outcome}</details>"
    return _row("td", escape(prediction.question), escape(prediction.choice or "–"), outcome)


def _row(tag: str, *cells: str) -> str:
    """A table's row of sentences: JupyterLab would set them to the right, as numbers."""
    inner = "".join(f'<{tag} style="text-align: left">{cell}</{tag}>' for cell in cells)
    return f"<tr>{inner}</tr>"
