"""Test predictions: committed first, revealed after that, and kept to the end."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
import torch

from qkvlib import predict, replay_predictions
from qkvlib.learner import memory, progress
from qkvlib.widgets.predict import widget
from qkvlib.widgets.predict.widget import Prediction
from qkvlib.widgets.predict.widget import ask as ask_question
from tests.node import Node
from tests.wire import Wire

pytestmark = pytest.mark.usefixtures("home")
CHOICES = ["the near key", "the long key", "they tie"]


def ask(name: str = "01-long", **given: Any) -> Prediction:
    return predict(name, "Which key wins?", CHOICES, **given)


def test_the_answer_is_not_on_the_page_before_the_choice() -> None:
    prediction = ask(answer=1, because="Its length outweighs the angle.")
    bundle, _ = prediction._repr_mimebundle_()
    page = json.dumps([Wire(prediction).opening(), bundle])
    assert "outweighs" not in page
    state = Wire(prediction).opening()["state"]
    assert state.pop("sealed")
    assert state == {"choice": None, "sure": None}


def opened(prediction: Prediction) -> dict[str, Any]:
    """Return what a page shows of a prediction."""
    asked = {"widget": "predict", "setup": prediction.setup(), "state": prediction.pack()}
    with Node(Path(__file__).parents[1] / "kit" / "carry_out.mjs") as node:
        (told,) = node.ask({**asked, "requests": [{"edit": {}}]})
    return dict(told)


def test_committing_shows_the_answer_and_keeps_the_choice() -> None:
    prediction = ask(answer=1, because="Länge zählt: it outweighs the angle.")
    Wire(prediction).commit("the near key")
    state = opened(prediction)
    assert state.pop("sealed")
    assert state == {
        "choice": "the near key",
        "sure": None,
        "outcome": "the long key",
        "because": "Länge zählt: it outweighs the angle.",
    }
    assert progress.recall("predictions", "01-long") == "the near key"


def test_a_prediction_is_kept_with_how_sure_it_was() -> None:
    Wire(ask()).commit("the near key", "certain")
    state = Wire(ask()).opening()["state"]
    assert (state["choice"], state["sure"]) == ("the near key", "certain")
    progress.record("confidence", "01-long", "beyond all doubt")
    assert Wire(ask()).opening()["state"]["sure"] is None


@pytest.mark.parametrize("reveals_first", [True, False])
def test_a_miss_is_kept_to_be_asked_again(reveals_first: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    today = date(2026, 3, 1)
    monkeypatch.setattr(widget, "date", Mock(today=lambda: today))
    prediction = ask()
    for step in (1, 2):
        if (step == 1) == reveals_first:
            prediction.reveal(1)
        else:
            Wire(prediction).commit("the near key", "fairly sure")
    (missed,) = memory.all_missed()
    kept = (missed.kind, missed.name, missed.chapter, missed.day, missed.fact["sure"])
    assert kept == ("misses", "01-long", 1, today, "fairly sure")
    assert (missed.fact["chose"], missed.fact["answer"]) == ("the near key", "the long key")


def test_what_came_true_is_no_miss() -> None:
    Wire(ask(answer=1)).commit("the long key")
    assert memory.all_missed() == []


def test_what_was_forgotten_does_not_come_back_with_run_all() -> None:
    Wire(ask(answer=1)).commit("the near key")
    assert memory.forget()
    ask(answer=1)
    ask().reveal(1)
    assert memory.all_missed() == []


def test_a_later_cell_can_reveal_what_an_experiment_found() -> None:
    prediction = ask()
    wire = Wire(prediction)
    wire.commit("they tie")
    assert opened(prediction)["outcome"] is None
    assert prediction.reveal(torch.tensor([1.0, 5.0]).argmax(), "1 against 5.") is prediction
    (pushed,) = [sent for sent in wire.sent if sent["method"] == "update"]
    assert pushed["state"]["state"]["sealed"]
    assert opened(prediction)["outcome"] == "the long key"


def test_a_kept_choice_that_is_no_longer_offered_is_not_shown() -> None:
    progress.record("predictions", "01-long", "the red key")
    assert ask().choice is None


def test_the_recap_follows_predictions_that_are_committed_later() -> None:
    prediction = ask("77-later", answer=1)
    recap = replay_predictions("77")
    wire = Wire(recap)
    assert wire.opening()["state"]["rows"][0]["choice"] is None
    Wire(prediction).commit("the long key")
    assert wire.sent[-1]["state"]["state"]["rows"][0]["choice"] == "the long key"


def test_the_recap_has_its_chapters_predictions_in_the_lessons_order() -> None:
    for name in ("78-b", "79-other", "78-a", "78-b"):
        predict(name, f"What is {name}?", CHOICES, answer=0)
    assert replay_predictions("78").setup()["questions"] == ["What is 78-b?", "What is 78-a?"]


def test_plain_text_is_the_same_with_and_without_predictions() -> None:
    prediction = ask("80-plain", answer=1)
    texts = [repr(prediction), repr(replay_predictions("80"))]
    Wire(prediction).commit("the near key")
    assert [repr(prediction), repr(replay_predictions("80"))] == texts
    assert texts == ["Prediction('80-plain')", "What happened:\n  Which key wins? the long key"]


def test_the_still_recap_folds_away_what_was_not_predicted() -> None:
    prediction = ask("81-folded", answer=1)
    assert "<details>" in replay_predictions("81").static_html()
    Wire(prediction).commit("the near key")
    html = replay_predictions("81").static_html()
    assert "<details>" not in html
    assert "the near key" in html


def test_a_recap_without_predictions_says_so() -> None:
    assert repr(replay_predictions("99")) == "No predictions yet: run the cells that ask for them."


def test_texts_are_escaped() -> None:
    html = predict("82-html", "Is 1 < 2?", ["<b>yes</b>", "no"], answer=0).static_html()
    assert "Is 1 &lt; 2?" in html
    assert "<b>yes" not in html


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: predict("01-bad", "What?", ["one"]), "at least two different are needed"),
        (lambda: predict("01-bad", "What?", ["same", "same"]), "at least two different are needed"),
        (lambda: ask(answer=3), "answer is 3, but the choices are numbered from 0 to 2"),
        (lambda: ask().reveal("yes"), "answer is 'yes', but the choices are numbered"),  # type: ignore[arg-type]
        (lambda: question(unless=5), "answer is 5, but the choices are numbered from 0 to 2"),
    ],
)
def test_bad_input_is_refused_with_words(make: Callable[[], object], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        make()


def question(unless: int = 0) -> Prediction:
    return ask_question(
        "83-question",
        "Which key wins?",
        CHOICES,
        answer=1,
        because="Length counts.",
        unless={unless: "Not the near one."},
    )


@pytest.mark.parametrize(
    ("choice", "words"),
    [(0, "Not the near one. Length counts."), (1, "Length counts."), (2, "Length counts.")],
)
def test_a_wrong_choice_can_have_words_of_its_own(choice: int, words: str) -> None:
    asked = question()
    wire = Wire(asked)
    assert "near one" not in json.dumps(wire.opening())
    wire.commit(CHOICES[choice])
    assert opened(asked)["because"] == words
    wire.commit(None)
    assert opened(asked)["because"] == ""
