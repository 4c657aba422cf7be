"""Predictions: a choice that is committed before what happens is shown.

There are two ways to end one. When the answer comes out of an experiment, the lesson reveals it in
a later cell, and the cell that asks gives nothing away:

    # %%
    longer = predict(
        "01-long-key",
        "Which key has the largest dot product with q?",
        ["the key that points the same way", "the long key"],
    )

    # %%
    scores = keys @ query
    longer.reveal(scores.argmax(), f"The products are {scores[0]:.2f} and {scores[1]:.2f}.")

When the answer is a matter of thinking, it stands in the cell that asks (which the lesson folds
away), and committing shows it:

    predict("01-sign", "A dot product is −4. What do you know?", [...], answer=1, because="...")

Either way the page does not hold the answer before the choice is committed, so "Run all" spoils
nothing: `reveal` shows the question once more, and the answer only to those who have committed.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any, SupportsInt

from qkvlib import progress
from qkvlib.widgets.base import Widget

_asked: dict[str, Prediction] = {}  # in this session, in the order of the lesson


def predict(
    name: str,
    question: str,
    choices: Sequence[str],
    *,
    answer: SupportsInt | None = None,
    because: str = "",
) -> Prediction:
    """Ask for a prediction; who has made it before, on any day, sees it again.

    `name` is where the choice is kept: the chapter's number and a word or two, "01-long-key".
    `answer` is the place of the right choice, counted from 0, and `because` says why in words;
    leave both out when a later cell will `reveal` them.
    """
    _asked[name] = Prediction(name, question, choices)
    return _asked[name] if answer is None else _asked[name].reveal(answer, because)


class Prediction(Widget):
    """A question with a few choices, one of which can be committed. Made by `predict`."""

    front_end = "predict"

    def __init__(self, name: str, question: str, choices: Sequence[str]) -> None:
        super().__init__()
        if len(choices) < 2 or len(set(choices)) < len(choices):
            raise ValueError(f"choices is {list(choices)}, but at least two different are needed")
        self.name = name
        self.question = question
        self.choices = list(choices)
        self.outcome: str | None = None
        self.because = ""
        kept = progress.recall("predictions", name)
        self.choice: str | None = kept if kept in self.choices else None

    def reveal(self, answer: SupportsInt, because: str = "") -> Prediction:
        """Show what happened, by its place among the choices, once there is a prediction."""
        place, last = int(answer), len(self.choices) - 1
        if not 0 <= place <= last:
            raise ValueError(f"answer is {place}, but the choices are numbered from 0 to {last}")
        with self.lock:
            self.outcome, self.because = self.choices[place], because
        self.push()
        return self

    def setup(self) -> dict[str, Any]:
        return {"question": self.question, "choices": self.choices}

    def pack(self) -> dict[str, Any]:
        """The outcome is withheld until a choice is committed: no reader of the page finds it."""
        state: dict[str, Any] = {"choice": self.choice, "outcome": None, "because": ""}
        if self.choice is not None:
            state |= {"outcome": self.outcome, "because": self.because}
        return state

    def carry_out(self, request: dict[str, Any]) -> None:
        if request["do"] == "commit":
            self.choice = self.choices[request["choice"]]
            progress.record("predictions", self.name, self.choice)
        elif request["do"] == "afresh":
            self.choice = None

    def static_html(self) -> str:
        """The question alone: where nobody can commit, nobody is told."""
        items = "".join(f"<li>{escape(choice)}</li>" for choice in self.choices)
        return f"<p><b>Predict.</b> {escape(self.question)}</p><ul>{items}</ul>"

    def __repr__(self) -> str:
        return f"Prediction({self.name!r})"


class Replay:
    """Each prediction of a lesson beside what happened."""

    def __init__(self, predictions: Sequence[Prediction]) -> None:
        self._predictions = predictions

    def __repr__(self) -> str:
        """What happened; the same whatever was predicted, so that two runs can be compared."""
        if not self._predictions:
            return "No predictions yet: run the cells that ask for them."
        rows = [f"  {p.question} {p.outcome or 'not run yet'}" for p in self._predictions]
        return "\n".join(["What happened:", *rows])

    def _repr_html_(self) -> str:
        if not self._predictions:
            return f"<p>{escape(repr(self))}</p>"
        heads = ("You were asked", "You predicted", "What happened")
        head = "".join(f'<th style="text-align:left">{text}</th>' for text in heads)
        rows = "".join(_row(prediction) for prediction in self._predictions)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def replay_predictions(chapter: str) -> Replay:
    """The predictions that this notebook has asked for so far, each beside what happened.

    `chapter` is the number their names begin with, "01".
    """
    return Replay([asked for name, asked in _asked.items() if name.startswith(f"{chapter}-")])


def _row(prediction: Prediction) -> str:
    if prediction.choice is None:
        cells = ["not predicted", _folded(prediction) if prediction.outcome else "not run yet"]
    else:
        mark = "✓ as predicted: " if prediction.choice == prediction.outcome else ""
        cells = [escape(prediction.choice), mark + _told(prediction)]
    texts = (escape(prediction.question), *cells)
    return "<tr>" + "".join(f'<td style="text-align:left">{text}</td>' for text in texts) + "</tr>"


def _told(prediction: Prediction) -> str:
    if prediction.outcome is None:
        return "not run yet"
    because = f"<br>{escape(prediction.because)}" if prediction.because else ""
    return f"<b>{escape(prediction.outcome)}</b>{because}"


def _folded(prediction: Prediction) -> str:
    return f"<details><summary>What happened</summary>{_told(prediction)}</details>"
