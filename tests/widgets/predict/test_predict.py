"""Predictions: committed first, shown after, kept for the end."""

from __future__ import annotations

import json
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
    assert state == {"choice": None, "sure": None, "outcome": None, "because": ""}


def test_committing_shows_the_answer_and_keeps_the_choice() -> None:
    wire = Wire(ask(answer=1, because="Its length outweighs the angle."))
    state = wire.ask(do="commit", choice=0)["state"]
    assert state.pop("sealed")
    assert state == {
        "choice": "the near key",
        "sure": None,
        "outcome": "the long key",
        "because": "Its length outweighs the angle.",
    }
    assert progress.recall("predictions", "01-long") == "the near key"


@pytest.mark.parametrize("given", [{}, {"answer": 1}, {"answer": 2, "because": "Länge zählt."}])
@pytest.mark.parametrize("is_question", [False, True])
def test_the_page_comes_by_itself_to_what_python_tells(given: dict[str, Any], is_question: bool) -> None:
    prediction = ask("85-page", **given)
    if is_question and given:
        words = {"because": "Length counts.", **given, "unless": {0: "Not the near one."}}
        prediction = ask_question("85-page", "Which key wins?", CHOICES, **words)
    sures = [None] if is_question else [None, 0, 2]
    choices = range(3)
    commits = [{"do": "commit", "choice": i, "sure": sure} for i in choices for sure in sures]
    requests = [each for commit in commits for each in (commit, {"do": "afresh"})]
    asked = {"widget": "predict", "setup": prediction.setup(), "state": prediction.pack()}
    with Node(Path(__file__).parents[1] / "kit" / "carry_out.mjs") as node:
        theirs = node.ask({**asked, "requests": requests})
    for request, told in zip(requests, theirs, strict=True):
        prediction.carry_out(request)
        assert told == prediction.pack()


def test_a_prediction_is_kept_with_how_sure_it_was() -> None:
    Wire(ask()).ask(do="commit", choice=0, sure=2)
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
            Wire(prediction).ask(do="commit", choice=0, sure=1)
    (missed,) = memory.all_missed()
    kept = (missed.kind, missed.name, missed.chapter, missed.day, missed.fact["sure"])
    assert kept == ("misses", "01-long", 1, today, "fairly sure")
    assert (missed.fact["chose"], missed.fact["answer"]) == ("the near key", "the long key")


def test_what_came_true_is_no_miss() -> None:
    Wire(ask(answer=1)).ask(do="commit", choice=1)
    assert memory.all_missed() == []


def test_what_was_forgotten_does_not_come_back_with_run_all() -> None:
    Wire(ask(answer=1)).ask(do="commit", choice=0)
    assert memory.forget()
    ask(answer=1)
    ask().reveal(1)
    assert memory.all_missed() == []


def test_a_later_cell_can_reveal_what_an_experiment_found() -> None:
    prediction = ask()
    wire = Wire(prediction)
    assert wire.ask(do="commit", choice=2)["state"]["outcome"] is None
    assert prediction.reveal(torch.tensor([1.0, 5.0]).argmax(), "1 against 5.") is prediction
    (pushed,) = [sent for sent in wire.sent if sent["method"] == "update"]
    assert pushed["state"]["state"]["outcome"] == "the long key"


def test_run_all_spoils_nothing() -> None:
    prediction = ask()
    prediction.reveal(1, "1 against 5.")
    assert Wire(prediction).opening()["state"]["outcome"] is None


def test_an_earlier_prediction_returns_and_can_be_made_afresh() -> None:
    Wire(ask(answer=1)).ask(do="commit", choice=0)
    wire = Wire(ask(answer=1))
    assert wire.opening()["state"]["choice"] == "the near key"
    afresh = wire.ask(do="afresh")["state"]
    assert afresh["choice"] is afresh["outcome"] is None
    wire.ask(do="commit", choice=1)
    assert progress.recall("predictions", "01-long") == "the long key"


def test_a_kept_choice_that_is_no_longer_offered_is_not_shown() -> None:
    progress.record("predictions", "01-long", "the red key")
    assert ask().choice is None


def test_the_recap_follows_predictions_that_are_committed_later() -> None:
    prediction = ask("77-later", answer=1)
    recap = replay_predictions("77")
    wire = Wire(recap)
    assert wire.opening()["state"]["rows"][0]["outcome"] is None
    Wire(prediction).ask(do="commit", choice=1)
    assert wire.sent[-1]["state"]["state"]["rows"][0]["outcome"] == "the long key"


def test_the_recap_has_its_chapters_predictions_in_the_lessons_order() -> None:
    for name in ("78-b", "79-other", "78-a", "78-b"):
        predict(name, f"What is {name}?", CHOICES, answer=0)
    assert replay_predictions("78").setup()["questions"] == ["What is 78-b?", "What is 78-a?"]


def test_plain_text_is_the_same_with_and_without_predictions() -> None:
    prediction = ask("80-plain", answer=1)
    texts = [repr(prediction), repr(replay_predictions("80"))]
    Wire(prediction).ask(do="commit", choice=0)
    assert [repr(prediction), repr(replay_predictions("80"))] == texts
    assert texts == [
        "Prediction('80-plain')",
        "What happened:\n  Which key wins? the long key",
    ]


def test_the_still_recap_folds_away_what_was_not_predicted() -> None:
    prediction = ask("81-folded", answer=1)
    assert "<details>" in replay_predictions("81").static_html()
    Wire(prediction).ask(do="commit", choice=0)
    html = replay_predictions("81").static_html()
    assert "<details>" not in html
    assert "the near key" in html


def test_a_recap_without_predictions_says_so() -> None:
    assert repr(replay_predictions("99")) == "No predictions yet: run the cells that ask for them."


def test_texts_are_escaped() -> None:
    html = predict("82-html", "Is 1 < 2?", ["<b>yes</b>", "no"], answer=0).static_html()
    assert "Is 1 &lt; 2?" in html
    assert "<b>yes" not in html


@pytest.mark.parametrize("choices", [["only one"], ["same", "same"]])
def test_choices_must_be_choices(choices: list[str]) -> None:
    with pytest.raises(ValueError, match="at least two different are needed"):
        predict("01-bad", "What?", choices)


def test_an_answer_must_be_among_the_choices() -> None:
    with pytest.raises(ValueError, match="answer is 3, but the choices are numbered from 0 to 2"):
        ask(answer=3)


def question(name: str = "83-question") -> Prediction:
    return ask_question(
        name,
        "Which key wins?",
        CHOICES,
        answer=1,
        because="Length counts.",
        unless={0: "Not the near one."},
    )


@pytest.mark.parametrize(
    ("choice", "words"),
    [(0, "Not the near one. Length counts."), (1, "Length counts."), (2, "Length counts.")],
)
def test_a_wrong_choice_can_have_words_of_its_own(choice: int, words: str) -> None:
    wire = Wire(question())
    assert "near one" not in json.dumps(wire.opening())
    assert wire.ask(do="commit", choice=choice)["state"]["because"] == words
    assert wire.ask(do="afresh")["state"]["because"] == ""


def test_words_for_a_choice_that_is_not_there_are_refused() -> None:
    with pytest.raises(ValueError, match="answer is 5, but the choices are numbered from 0 to 2"):
        ask_question("83-bad", "Which?", CHOICES, answer=1, because="", unless={5: "No."})
