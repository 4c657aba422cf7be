"""Test predictions in a browser without Jupyter, by pointer and by keyboard."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from qkvlib.widgets import predict
from qkvlib.widgets.predict.widget import Prediction
from tests.page.host import Show

pytestmark = pytest.mark.usefixtures("home")
CHOICES = ["the near key", "the long key", "they tie"]


def ask() -> Prediction:
    return predict("55-host", "Which key wins?", CHOICES, answer=1, because="Length outweighs angle.")


@pytest.mark.every_browser
def test_a_choice_is_committed_by_pointer_then_the_answer_shows(show: Show) -> None:
    prediction = ask()
    host = show(prediction)
    question = host.page.get_by_role("group", name="Predict. Which key wins?")
    assert question.get_by_role("radio").count() == len(CHOICES)
    assert host.page.get_by_role("group", name="How sure are you?").get_by_role("radio").count() == 3
    commit = host.page.get_by_role("button", name="Commit")
    expect(commit).to_be_disabled()
    assert "outweighs" not in host.page.content()
    host.page.get_by_text("the near key").click()
    commit.click()
    host.settle()
    assert (prediction.choice, prediction.sure) == ("the near key", None)
    for offered in ("the near key", "certain"):
        expect(host.page.get_by_role("radio", name=offered)).to_be_disabled()
    expect(host.page.locator("label", has_text="the near key")).to_contain_text("your prediction")
    expect(host.page.locator("label", has_text="the long key")).to_contain_text("the answer")
    expect(host.page.get_by_role("status")).to_have_text("It is not what you predicted.")
    expect(host.page.get_by_text("Length outweighs angle.")).to_be_visible()


@pytest.mark.every_browser
def test_a_choice_is_committed_by_keyboard(show: Show) -> None:
    prediction = ask()
    host = show(prediction)
    host.page.keyboard.press("Tab")
    host.page.keyboard.press("Space")
    host.page.keyboard.press("ArrowDown")
    host.page.keyboard.press("Tab")
    host.page.keyboard.press("Space")
    host.page.keyboard.press("ArrowDown")
    host.page.keyboard.press("Tab")
    host.page.keyboard.press("Enter")
    host.settle()
    assert (prediction.choice, prediction.sure) == ("the long key", "fairly sure")
    expect(host.page.get_by_role("status")).to_have_text("It is as you predicted.")
    expect(host.page.locator(".qkv-predict")).to_be_focused()  # because its button has gone
    host.page.keyboard.press("Tab")
    host.page.keyboard.press("Enter")
    expect(host.page.get_by_role("radio", name="they tie")).to_be_enabled()
    expect(host.page.locator(".qkv-predict")).to_be_focused()


def test_an_earlier_choice_is_shown_and_can_be_made_afresh(show: Show) -> None:
    prediction = ask()
    prediction.receive({"choice": CHOICES[2], "sure": None})
    host = show(ask())
    expect(host.page.get_by_role("radio", name="they tie")).to_be_checked()
    host.page.get_by_role("button", name="Predict afresh").click()
    host.settle()
    assert "outweighs" not in host.page.locator(".qkv").inner_html()
    expect(host.page.get_by_role("radio", name="they tie")).to_be_enabled()
    expect(host.page.get_by_role("radio", name="they tie")).not_to_be_checked()


def test_an_answer_that_comes_before_the_choice_arrives_leaves_it_alone(show: Show) -> None:
    """The next cell reveals the prediction before Python has received the choice."""
    prediction = predict("55-early", "Which key wins?", CHOICES)
    host = show(prediction)
    host.holding = True
    host.page.get_by_text("they tie").click()
    host.page.get_by_role("button", name="Commit").click()
    prediction.reveal(2)
    host.push_from_python()
    expect(host.page.get_by_role("status").first).to_have_text("It is as you predicted.")
    host.let_go()
    assert prediction.choice == "they tie"
    expect(host.page.get_by_role("status").first).to_have_text("It is as you predicted.")


def test_what_reveals_a_prediction_says_in_one_line_what_came_of_it(show: Show) -> None:
    """The question is already above, so it is not repeated."""
    prediction = predict("55-again", "Which key wins?", CHOICES).reveal(1, "Length outweighs angle.")
    host = show(prediction)
    host.page.evaluate("() => { window.again(); }")
    asked, again = (host.page.locator(".qkv-predict").nth(place) for place in (0, 1))
    expect(again.get_by_role("status")).to_have_text(
        "Choose above and commit. Then you see here what happens."
    )
    expect(again.get_by_text("Which key wins?")).to_be_hidden()
    expect(again.get_by_role("button", name="Commit")).to_be_hidden()
    asked.get_by_text("they tie").click()
    asked.get_by_role("button", name="Commit").click()
    expect(again).to_contain_text(f"It is not what you predicted. The answer: {CHOICES[1]}.")
    expect(again.get_by_text("Length outweighs angle.")).to_be_visible()
    host.page.evaluate("() => { window.unmount(); }")
    expect(asked.get_by_text("Which key wins?")).to_be_visible()  # now it is the only one
