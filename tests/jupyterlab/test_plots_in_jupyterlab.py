"""Figures that answer a pointer, in a real JupyterLab: what they say, in which ink, what plays."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from tests.jupyterlab.jupyterlab import Lab, Server, write_notebook

SEEDS = """\
from qkvlib.figures import seeds

seeds({"two tables": [1.0] * 9 + [0.5], "one table": [0.41, 0.43]}, "right", chance=0.125)"""
JOURNEY = """\
import torch
from qkvlib.figures import journey
from qkvlib.training import Recording, Settings

table = torch.tensor([[[2.0, 0.0], [0.0, 1.0]], [[1.0, 0.0], [0.0, -1.0]]])
kept = torch.zeros(2)
settings = Settings("a model", "a task", "finished")
steps, weights = torch.tensor([0, 10]), {"embedding": table}
journey(Recording(steps, kept, kept, weights, {}, {}, [], [], settings), ["king", "queen"])"""


@pytest.fixture(autouse=True)
def notebook(server: Server) -> str:
    write_notebook(server.notebooks / "plots.ipynb", [SEEDS, JOURNEY])
    return "plots.ipynb"


def plots(lab: Lab, notebook: str) -> tuple[Locator, Locator]:
    lab.open(notebook)
    lab.run_all()
    drawn = lab.page.locator(".js-plotly-plot")
    expect(drawn).to_have_count(2, timeout=30_000)
    return drawn.nth(0), drawn.nth(1)


def test_every_seed_is_drawn_and_says_which_it_is(lab: Lab, notebook: str) -> None:
    figure, _ = plots(lab, notebook)
    expect(figure.locator(".scatterlayer .point")).to_have_count(12)
    figure.locator(".scatterlayer .point").nth(9).hover(force=True)
    expect(figure.locator(".hoverlayer")).to_contain_text("seed 9: 50.0%")
    offered = figure.locator(".modebar-btn").evaluate_all("all => all.map(e => e.dataset.title)")
    assert "Zoom" in offered
    assert not [words for words in offered if "Share" in words or "loud" in words]


@pytest.mark.sweep
def test_names_and_numbers_have_the_ink_of_the_theme(lab: Lab, notebook: str) -> None:
    figure, _ = plots(lab, notebook)
    names = figure.get_by_text("two tables", exact=True)
    number = figure.get_by_text("75%", exact=True)
    ink = "e => getComputedStyle(e).fill"
    light = [words.evaluate(ink) for words in (names, number)]
    assert light == ["rgba(0, 0, 0, 0.87)"] * 2
    lab.dark()
    expect(names).to_have_css("fill", "rgb(255, 255, 255)")
    expect(number).to_have_css("fill", "rgb(255, 255, 255)")


@pytest.mark.sweep
def test_play_goes_through_the_steps(lab: Lab, notebook: str) -> None:
    _, figure = plots(lab, notebook)
    figure.scroll_into_view_if_needed()
    step = figure.locator(".slider-label").first
    expect(step).to_have_text("step 10")
    king = figure.get_by_text("king", exact=True)
    before = king.bounding_box()
    figure.locator(".slider-rail-touch-rect").click(position={"x": 3, "y": 5})
    expect(step).to_have_text("step 0")
    after = king.bounding_box()
    assert before
    assert after
    assert after["x"] > before["x"] + 20
    figure.get_by_text("Play", exact=True).click()
    expect(step).to_have_text("step 10")
