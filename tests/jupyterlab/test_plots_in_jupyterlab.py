"""Test interactive figures in a real JupyterLab: their words, their colours, and Play."""

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

LANDSCAPE = """\
from qkvlib.figures import landscape

landscape(lambda a, b: 10 + a * a + b * b, ("of W_Q", "of W_K"))"""


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


@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize("way", ["wheel", "finger"])
def test_the_page_scrolls_under_a_drawing_in_space_until_that_is_clicked(
    lab: Lab, server: Server, way: str
) -> None:
    page = lab.page
    write_notebook(server.notebooks / "space.ipynb", ["1", LANDSCAPE, r"print('below\n' * 80)"])
    lab.open("space.ipynb")
    lab.run_all()
    canvas = page.locator(".js-plotly-plot .gl-container canvas")
    expect(canvas).to_be_visible()
    canvas.hover()
    start = scrolled(lab)
    turn(lab, canvas, way)
    page.wait_for_function(f"(start) => ({_SCROLLED})() > start + 40", arg=start)
    canvas.click()
    there, before = scrolled(lab), canvas.screenshot()
    turn(lab, canvas, way)
    page.wait_for_timeout(300)
    assert scrolled(lab) == there
    assert canvas.screenshot() != before, "it is the drawing that moves"
    page.locator(".jp-OutputArea-output", has_text="below").click(position={"x": 5, "y": 5})
    canvas.hover()
    there = scrolled(lab)
    turn(lab, canvas, way)
    page.wait_for_function(f"(there) => ({_SCROLLED})() > there + 40", arg=there)


_SCROLLED = "() => document.querySelector('.jp-WindowedPanel-outer').scrollTop"


def scrolled(lab: Lab) -> float:
    down: float = lab.page.evaluate(_SCROLLED)
    return down


def turn(lab: Lab, over: Locator, way: str) -> None:
    """Turn the wheel over an element, or swipe upwards on it."""
    if way == "wheel":
        lab.page.mouse.wheel(0, 60)
        return
    box = over.bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    touch = lab.page.context.new_cdp_session(lab.page)
    moves = [("touchStart", 0), *(("touchMove", 20 * k) for k in range(1, 9))]
    for kind, up in moves:
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y - up}]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
