"""Predictions: a choice that is committed before what happens is shown.

A lesson asks in one cell, runs its experiment, and reveals what came out in a later cell:

    # %%
    longest = predict(
        "01-long-key",
        "Which key has the largest dot product with q?",
        ["the key that points the same way", "the long key", "they tie"],
    )

    # %%
    scores = keys @ query
    longest.reveal(["the key that points the same way", "the long key"][scores.argmax()])

The answer is not in the cell that asks, where a learner would read it, but comes out of the
experiment. `reveal` shows the question once more, and the answer only to those who have committed:
so "Run all" spoils nothing. Numbers that would give the answer away belong in `because`, not in a
print. At the chapter's end `replay_predictions()` shows each prediction beside what happened.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from qkvlib import progress
from qkvlib.widgets.base import Widget

_asked: dict[str, Prediction] = {}  # in this session, in the order of the lesson


def predict(name: str, question: str, choices: Sequence[str]) -> Prediction:
    """Ask for a prediction; who has made it before, on any day, sees it again.

    `name` is where the choice is kept: the chapter's number and a word or two, "01-long-key".
    """
    _asked[name] = Prediction(name, question, choices)
    return _asked[name]


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
        self._because = ""
        kept = progress.recall("predictions", name)
        self.choice: str | None = kept if kept in self.choices else None

    def reveal(self, outcome: str, because: str = "") -> Prediction:
        """Show what happened, one of the choices, and in words why, once there is a prediction."""
        if outcome not in self.choices:
            raise ValueError(f"{outcome!r} is none of the choices, which are {self.choices}")
        self.outcome, self._because = outcome, because
        self.push()
        return self

    def setup(self) -> dict[str, Any]:
        return {"question": self.question, "choices": self.choices}

    def pack(self) -> dict[str, Any]:
        """The outcome is withheld until a choice is committed: no reader of the page finds it."""
        state: dict[str, Any] = {"choice": self.choice, "outcome": None, "because": ""}
        if self.choice is not None:
            state |= {"outcome": self.outcome, "because": self._because}
        return state

    def carry_out(self, request: dict[str, Any]) -> None:
        if request["do"] == "commit":
            self.choice = self.choices[request["choice"]]
            progress.record("predictions", self.name, self.choice)
        elif request["do"] == "afresh":
            self.choice = None

    def static_html(self) -> str:
        """The question and its choices; the outcome, when there is one, folded away."""
        items = "".join(f"<li>{escape(choice)}</li>" for choice in self.choices)
        asked = f"<p><b>Predict.</b> {escape(self.question)}</p><ul>{items}</ul>"
        return asked + (_folded(self) if self.outcome else "")

    def __repr__(self) -> str:
        outcome = f", outcome={self.outcome!r}" if self.outcome else ""
        return f"Prediction({self.name!r}{outcome})"


class Replay:
    """Each prediction of a lesson beside what happened."""

    def __init__(self, predictions: Sequence[Prediction]) -> None:
        self._predictions = predictions

    def __repr__(self) -> str:
        """What happened; the same whatever was predicted, so that two runs can be compared."""
        rows = [f"{p.question} -> {p.outcome or 'not run yet'}" for p in self._predictions]
        return "\n".join(["What happened:", *rows])

    def _repr_html_(self) -> str:
        heads = ("You were asked", "You predicted", "What happened")
        head = "".join(f'<th style="text-align:left">{text}</th>' for text in heads)
        rows = "".join(_row(prediction) for prediction in self._predictions)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def replay_predictions() -> Replay:
    """All predictions that this notebook has asked for, each beside what happened."""
    return Replay(list(_asked.values()))


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
    because = f"<br>{escape(prediction._because)}" if prediction._because else ""
    return f"<b>{escape(prediction.outcome)}</b>{because}"


def _folded(prediction: Prediction) -> str:
    return f"<details><summary>What happened</summary>{_told(prediction)}</details>"
