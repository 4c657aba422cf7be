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

When the answer is a matter of thinking, the source states it with the question, and committing
shows it:

    ask("01-sign", "A dot product is −4. What do you know?", [...], answer=1, because="...")

Either way the page shows the answer only when the choice is committed, so "Run all" spoils nothing:
`reveal` shows the question once more, and the answer only to those who have committed. Until then
the page holds it sealed, in letters that nobody reads by accident, and opens it by itself.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from html import escape
from typing import Any, SupportsInt

from qkvlib.learner import memory, progress
from qkvlib.learner.greeting import greet
from qkvlib.widgets.kit.widget import Widget
from qkvlib.widgets.predict.answers import answer_of

# The front end's words for each moment.
_PREDICTION = {
    "head": "Predict.",
    "wait": "Choose before you run on.",
    "committed": "Committed. Run on and see.",
    "right": "It is as you predicted.",
    "wrong": "It is not what you predicted.",
    "mine": "your prediction",
    "afresh": "Predict afresh",
    "above": "Choose above and commit. Then you see here what happens.",
}
_QUESTION = {
    "head": "Question.",
    "wait": "Choose one.",
    "committed": "",
    "right": "That is right.",
    "wrong": "That is not it.",
    "mine": "your answer",
    "afresh": "Answer afresh",
    "above": "Answer above.",
}

_asked: dict[str, Prediction] = {}
_questions: dict[str, Prediction] = {}


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
    greet()
    _asked[name] = Prediction(name, question, choices)
    return _asked[name] if answer is None else _asked[name].reveal(answer, because)


def asked(chapter: str) -> list[Prediction]:
    """Return the predictions that this session has asked for, in the order of the lesson."""
    return [made for name, made in _asked.items() if name.startswith(f"{chapter}-")]


def ask(
    name: str,
    question: str,
    choices: Sequence[str],
    *,
    answer: SupportsInt | None = None,
    because: str = "",
    unless: Mapping[int, str] | None = None,
) -> Prediction:
    """Ask what the reader should know by now; the answer shows when a choice is committed.

    `unless` has a word for whoever makes a certain wrong choice, by its place: what is wrong about
    that one. It comes before `because`, which is for all. A lesson leaves the three out, and the
    course knows them by the question's name.

    It is no prediction, so `replay_predictions` leaves it out.
    """
    if answer is None:
        answer, because, unless = answer_of(name)
    asking = Prediction(name, question, choices, is_question=True, unless=unless)
    _questions[name] = asking
    return asking.reveal(answer, because)


def questions(chapter: str) -> list[Prediction]:
    """Return the questions that this session has asked, in the order of the lesson."""
    return [made for name, made in _questions.items() if name.startswith(f"{chapter}-")]


class Prediction(Widget):
    """A question with a few choices, one of which can be committed. Made by `predict`."""

    front_end = "predict"
    asleep = ""  # it looks like no picture

    def __init__(
        self,
        name: str,
        question: str,
        choices: Sequence[str],
        is_question: bool = False,
        unless: Mapping[int, str] | None = None,
        given: str = "",
    ) -> None:
        super().__init__()
        if len(choices) < 2 or len(set(choices)) < len(choices):
            raise ValueError(f"choices is {list(choices)}, but at least two different are needed")
        self._unless = {_choice(choices, place): words for place, words in (unless or {}).items()}
        self.name = name
        self.question = question
        self.given = given  # what the question is about, as lines to show unchanged
        self.choices = list(choices)
        self.is_question = is_question
        self.outcome: str | None = None
        self.because = ""
        self._listeners: list[Callable[[], None]] = []
        kept = progress.recall("predictions", name)
        self.choice: str | None = kept if kept in self.choices else None
        sure = progress.recall("confidence", name) if self.choice is not None else None
        self.sure: str | None = sure if sure in memory.CONFIDENCE else None
        self._committed_now = False

    def reveal(self, answer: SupportsInt, because: str = "") -> Prediction:
        """Show the outcome, given as the index of a choice, once there is a prediction."""
        with self.lock:
            self.outcome, self.because = _choice(self.choices, answer), because
        self._keep_a_miss()
        self.push()
        self._tell()
        return self

    @property
    def advice(self) -> str:
        """Return the words for a learner who made this choice; none for the right choice, or if no choice was
        made."""
        return self._unless.get(self.choice or "", "")

    def setup(self) -> dict[str, Any]:
        words = _QUESTION if self.is_question else _PREDICTION
        asked = {"question": self.question, "choices": self.choices, "words": words}
        sure = [] if self.is_question else list(memory.CONFIDENCE)
        return {"name": self.name, **asked, "confidence": sure, "given": self.given}

    def pack(self) -> dict[str, Any]:
        return {"choice": self.choice, "sure": self.sure, "sealed": self._seal()}

    def _seal(self) -> str:
        """Encode what the page reveals when a choice is committed, so that nobody reads it by accident."""
        if self.outcome is None:
            return ""
        inside = {"outcome": self.outcome, "because": self.because, "unless": self._unless}
        return base64.b64encode(json.dumps(inside).encode()).decode()

    def receive(self, rest: dict[str, Any]) -> bool:
        self.choice, self.sure = rest["choice"], rest["sure"]
        if self.choice is not None:
            self.keep_choice()
        self._tell()
        return False

    def keep_choice(self) -> None:
        """Keep the choice that has just been committed, for another day."""
        assert self.choice is not None
        progress.record("predictions", self.name, self.choice)
        if not self.is_question and memory.is_on():
            progress.record("confidence", self.name, self.sure)
        self._committed_now = True
        self._keep_a_miss()

    def _keep_a_miss(self) -> None:
        """Keep a choice of this session that was wrong, to ask the question again some days later.

        A choice from an earlier session is not kept again: the learner may have deleted it since.
        """
        choice, outcome = self.choice, self.outcome
        if not self._committed_now or choice is None or outcome is None:
            return
        self._committed_now = False
        if choice != outcome:
            memory.keep_miss(self.name, self.question, self.choices, choice, outcome, self.sure, date.today())

    def static_html(self) -> str:
        """Return only the question: where nobody can commit, the answer stays hidden."""
        items = "".join(f"<li>{escape(choice)}</li>" for choice in self.choices)
        given = f"<pre>{escape(self.given)}</pre>" if self.given else ""
        head = f"<b>{self.setup()['words']['head']}</b>"
        return f"<p>{head} {escape(self.question)}</p>{given}<ul>{items}</ul>"

    def on_change(self, listener: Callable[[], None]) -> None:
        """Call `listener` whenever the choice or the outcome has changed."""
        self._listeners.append(listener)

    def _tell(self) -> None:
        for listener in self._listeners:
            listener()

    def __repr__(self) -> str:
        return f"Prediction({self.name!r})"


def _choice(choices: Sequence[str], place: SupportsInt) -> str:
    """Return the text of a choice, given its index from 0."""
    if isinstance(place, str) or not 0 <= int(place) < len(choices):
        raise ValueError(f"answer is {place!r}, but the choices are numbered from 0 to {len(choices) - 1}")
    return choices[int(place)]
