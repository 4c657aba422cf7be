"""Test three learners at one JupyterHub: each has the lessons, and only their own progress."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.jupyterlab.hub import Hub, running_hub
from tests.jupyterlab.jupyterlab import Lab

pytestmark = pytest.mark.whole

# What each of them hands in, and the outcome that is stored.
ANSWERS = {"ada": "x @ w_q", "bob": "x", "cleo": ""}
KEPT = {"ada": {"queries": "right"}, "bob": {"queries": "wrong"}, "cleo": {}}


class Learner(Lab):
    """A logged-in learner, in their own page of a browser."""

    def __init__(self, browser: Browser, hub: Hub, name: str) -> None:
        self.watch(browser)
        self.name = name
        self.home = hub.homes / name
        hub.log_in(self.page, name)

    def run(self, source: str) -> str:
        """Return the text printed by a new last cell, which is too far below the first to be on the page."""
        place = self.start_cell(source)
        printed: str = self.page.evaluate(
            """async (place) => {
              const { content } = window.jupyterapp.shell.currentWidget;
              await content.scrollToItem(place, "start");
              const { model } = content.widgets[place];
              while (model.executionState !== "idle" || model.executionCount === null)
                await new Promise((soon) => setTimeout(soon, 50));
              return model.outputs.toJSON().map((output) => output.text ?? "").join("").trim();
            }""",
            place,
        )
        return printed

    def kept(self) -> dict[str, str]:
        """Return the outcome of each exercise, as stored in the learner's own home."""
        files = (self.home / ".local/share/qkvlib/exercises").glob("*.json")
        return {file.stem: json.loads(file.read_text()) for file in files}


@pytest.mark.sweep
def test_three_learners_at_a_hub_work_apart(browser: Browser, tmp_path: Path) -> None:
    with running_hub(tmp_path) as hub:
        learners = [Learner(browser, hub, name) for name in ANSWERS]
        for learner in learners:
            learner.rest()  # on the first lesson, which `qkv lab` has copied and opened
            assert f"/user/{learner.name}/lab/" in learner.page.url
            assert (learner.home / "qkvlib-course/lessons/01_similarity.ipynb").exists()
            imported = learner.run("import qkvlib\nprint(qkvlib.__file__)")
            assert Path(imported).is_relative_to(hub.course)
            if answer := ANSWERS[learner.name]:
                answers(learner, answer)
        assert {learner.name: learner.kept() for learner in learners} == KEPT
        a_widget_moves(learners[0])
        for learner in learners:
            learner.page.close()
            learner.check()


def answers(learner: Learner, answer: str) -> None:
    """Write the lesson's first exercise and run its check."""
    learner.run(
        f"def queries(x, w_q):\n    return {answer}\nfrom qkvlib import check\nqueries = check(queries)"
    )


def a_widget_moves(learner: Learner) -> None:
    """Move an arrow in the page with keys; Python follows, through the hub and back."""
    learner.run("from qkvlib import Vectors\narrows = Vectors([2, 1], [[0, 1]])\narrows")
    learner.widget("vectors").get_by_role("slider", name="query q").focus()
    learner.page.keyboard.press("Shift+ArrowRight")
    learner.widget("vectors")
    assert learner.run("print(arrows.query.tolist())") == "[2.5, 1.0]"
