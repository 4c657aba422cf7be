"""Test lesson 1 as a learner sees it, in the JupyterLab that this environment opens."""

from __future__ import annotations

import base64
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, expect

from qkvlib.exercises import EXERCISES
from qkvlib.figures import svg
from qkvlib.figures.theme import DARK, LIGHT
from qkvlib.learner import progress
from tests.jupyterlab.conftest import shared_page
from tests.jupyterlab.jupyterlab import Lab, Server

LESSON = Path(__file__).parents[2] / "lessons" / "01_similarity.ipynb"

RIGHT = "def dot(a, b):\n    return (a * b).sum()"
WRONG = "def dot(a, b):\n    return (a * b).mean()"


def place_lesson(server: Server) -> None:
    """Reset for a new learner: copy the lesson as released, with no progress."""
    shutil.copy(LESSON, server.notebooks)
    shutil.copytree(LESSON.parent / "pictures", server.notebooks / "pictures", dirs_exist_ok=True)
    shutil.rmtree(progress.folder(), ignore_errors=True)


@pytest.fixture(scope="module")
def lesson(browser: Browser, server: Server, pages: dict[Server, Lab]) -> Iterator[Lab]:
    """Run the lesson once; each test does something different in it."""
    place_lesson(server)
    with shared_page(browser, server, pages) as lab:
        lab.open(LESSON.name)
        lab.run_all()
        yield lab


def cell(lab: Lab, source: str) -> int:
    """Return the index of the first cell whose source begins with this text."""
    place = lab.page.evaluate(
        """(source) => window.jupyterapp.shell.currentWidget.content.widgets.findIndex(
             (cell) => cell.model.sharedModel.source.startsWith(source))""",
        source,
    )
    assert place >= 0, f"no cell begins with {source!r}"
    return int(place)


def scroll(lab: Lab, place: int) -> None:
    """Bring a cell into view: JupyterLab draws no others."""
    lab.page.evaluate(
        """async (place) => {
          const { content } = window.jupyterapp.shell.currentWidget;
          content.activeCellIndex = place;
          await content.scrollToItem(place, "start");
        }""",
        place,
    )


def output(lab: Lab, source: str) -> Locator:
    """Return the output of the cell whose source begins with this text, scrolled into view."""
    place = cell(lab, source)
    scroll(lab, place)
    return lab.page.locator(f'.jp-Cell[data-windowed-list-index="{place}"] .jp-Cell-outputArea')


def write(lab: Lab, before: str, source: str) -> None:
    """Put `source` into a cell, as if pasted, and run it and the check below it."""
    place = cell(lab, before)
    for offset, text in enumerate((source, None)):
        lab.page.evaluate(
            """([place, text]) => {
              const { content } = window.jupyterapp.shell.currentWidget;
              content.activeCellIndex = place;
              if (text) content.widgets[place].model.sharedModel.setSource(text);
            }""",
            [place + offset, text],
        )
        lab.command("notebook:run-cell")


def test_an_untouched_lesson_runs_from_top_to_bottom(lesson: Lab) -> None:
    outputs = lesson.page.evaluate(
        """() => window.jupyterapp.shell.currentWidget.content.model.sharedModel.cells
             .flatMap((cell) => cell.outputs ?? [])"""
    )
    assert not [one for one in outputs if one["output_type"] == "error"]
    expect(output(lesson, "dot = check(dot)")).to_contain_text("Not attempted (0 of 1 point)")
    # Each widget reaches the page when the learner scrolls to it.
    for source, name in [("from qkvlib.widgets", "vectors"), ("long_vector = predict", "predict")]:
        output(lesson, source).locator(f".qkv-{name}[data-ready]").wait_for()


def test_the_picture_at_its_head_says_where_one_is_and_follows_the_theme(lesson: Lab) -> None:
    scroll(lesson, 0)
    picture = lesson.page.locator(".jp-RenderedMarkdown img").first
    expect(picture).to_have_attribute("alt", re.compile("You are here: comparing"))
    assert ground(picture) == svg.panel(LIGHT)
    lesson.dark()
    assert ground(picture) == svg.panel(DARK)


def ground(picture: Locator) -> str:
    """Return the colour of a drawing near its upper left corner, as shown on the screen."""
    png = base64.b64encode(picture.screenshot()).decode()
    red, green, blue = picture.evaluate(
        """async (_, png) => {
          const shot = new Image();
          shot.src = `data:image/png;base64,${png}`;
          await shot.decode();
          const canvas = document.createElement("canvas").getContext("2d");
          canvas.drawImage(shot, -12, -12);
          return [...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3)];
        }""",
        png,
    )
    return f"#{red:02x}{green:02x}{blue:02x}"


def test_the_goal_can_be_met_by_keyboard_and_is_remembered(lesson: Lab) -> None:
    vectors = output(lesson, "from qkvlib.widgets").locator(".qkv-vectors[data-ready]")
    expect(vectors.locator(".vec-weight").first).to_have_text("0.81")
    vectors.get_by_role("slider", name="query q").focus()
    for _ in range(30):
        lesson.page.keyboard.press("[")
        if "Goal met" in vectors.locator(".qkv-goal").inner_text():
            break
    expect(vectors.locator(".qkv-goal")).to_contain_text("Goal met")
    expect(vectors.locator(".vec-weight").first).not_to_have_text("0.81")
    expect(vectors).to_have_attribute("data-waiting", "0")  # the page knows before Python does
    assert progress.recall("goals", "01-third-key") is True


def test_a_wrong_answer_is_named_and_a_right_one_accepted(lesson: Lab) -> None:
    write(lesson, "def dot", WRONG)
    verdict = output(lesson, "dot = check(dot)")
    expect(verdict).to_contain_text("dot: Not yet (0 of 1 point)")
    expect(verdict).to_contain_text("You average the products.")
    assert progress.recall("exercises", "dot") == "wrong"
    hints = verdict.locator("summary", has_text="Hint")
    for place, key in enumerate(("Space", "Enter")):
        expect(verdict).not_to_contain_text(EXERCISES["dot"].hints[place], use_inner_text=True)
        hints.nth(place).focus()
        lesson.page.keyboard.press(key)
        expect(verdict).to_contain_text(EXERCISES["dot"].hints[place], use_inner_text=True)
    expect(hints.nth(2)).to_have_text("Hint 3 of 3")
    expect(verdict).not_to_contain_text(EXERCISES["dot"].hints[2], use_inner_text=True)
    write(lesson, "def dot", RIGHT)
    expect(output(lesson, "dot = check(dot)")).to_contain_text("dot: Right (1 of 1 point)")
    assert progress.recall("exercises", "dot") == "right"


def test_a_prediction_is_committed_and_replayed_beside_what_happened(lesson: Lab) -> None:
    prediction = output(lesson, "long_vector = predict").locator(".qkv-predict[data-ready]")
    prediction.get_by_text("A, because it points the same way").click()
    prediction.get_by_role("button", name="Commit").click()
    revealed = output(lesson, "long_vector.reveal")
    expect(revealed).to_contain_text("The product with A is 3, with B 12.")
    expect(output(lesson, "replay_predictions")).to_contain_text("A, because it points the same way")
    assert progress.recall("predictions", "01-long-vector")
