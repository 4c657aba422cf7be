"""The table at the end of a lesson: each prediction beside its outcome."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from qkvlib.widgets.kit.widget import Widget
from qkvlib.widgets.predict.widget import Prediction, asked

_NONE_YET = "No predictions yet: run the cells that ask for them."


def replay_predictions(chapter: str) -> Recap:
    """Show the predictions that this notebook has asked for so far, each beside its outcome.

    `chapter` is the number with which their names begin, "01". A prediction that is committed later appears
    by itself.
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
        """Return the table as it is now; rows without a prediction are folded away."""
        if not self._predictions:
            return f"<p>{_NONE_YET}</p>"
        heads = _row("th", "Question", "Predicted", "What happened")
        rows = "".join(_outcome_row(prediction) for prediction in self._predictions)
        return f"<table><thead>{heads}</thead><tbody>{rows}</tbody></table>"

    def __repr__(self) -> str:
        """Return the outcomes, which do not depend on what was predicted, so that nbval can compare two
        runs."""
        if not self._predictions:
            return _NONE_YET
        rows = [f"  {p.question} {p.outcome or 'Not run yet.'}" for p in self._predictions]
        return "\n".join(["What happened:", *rows])


def _outcome_row(prediction: Prediction) -> str:
    outcome = "not run yet"
    if prediction.outcome:
        outcome = f"<b>{escape(prediction.outcome)}</b><br>{escape(prediction.because)}"
        if prediction.choice is None:
            outcome = f"<details><summary>not predicted: open it</summary>{outcome}</details>"
    return _row("td", escape(prediction.question), escape(prediction.choice or "–"), outcome)


def _row(tag: str, *cells: str) -> str:
    """Return a row of sentences, aligned to the left: JupyterLab would align them to the right, like
    numbers."""
    inner = "".join(f'<{tag} style="text-align: left">{cell}</{tag}>' for cell in cells)
    return f"<tr>{inner}</tr>"
