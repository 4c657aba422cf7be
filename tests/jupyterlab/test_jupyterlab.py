"""Test the widgets in a real JupyterLab: run, drag, save, reopen, lose the kernel."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.jupyterlab.jupyterlab import Lab, Server, write_notebook

VECTORS = """\
from qkvlib.widgets import Goal, Prefers, Vectors

vectors = Vectors(
    [2.0, 1.0],
    [[2.0, 0.5], [-1.0, 2.0], [0.5, 2.0]],
    names=["law", "old", "spirit"],
    goal=Goal("lab-goal", "Prefer spirit.", [Prefers(2)], touch=["query"], keep_lengths=True),
)
vectors"""
PREDICTION = """\
from qkvlib import predict, replay_predictions

predict("66-lab", "Which key wins?", ["law", "old"], answer=0, because="It points the same way.")"""
RECAP = 'replay_predictions("66")'


@pytest.fixture(autouse=True)
def notebook(server: Server) -> str:
    write_notebook(server.notebooks / "widgets.ipynb", [VECTORS, PREDICTION, RECAP])
    return "widgets.ipynb"


ALONE = "Python has not received this yet."


def drag_query(lab: Lab, right: float, down: float) -> Locator:
    """Drag the query's tip by this many pixels; return the widget once it has settled."""
    vectors = lab.widget("vectors")
    vectors.scroll_into_view_if_needed()
    box = vectors.get_by_role("slider", name="query q").bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    lab.page.mouse.move(x, y)
    lab.page.mouse.down()
    lab.page.mouse.move(x + right, y + down, steps=10)
    lab.page.mouse.up()
    return lab.widget("vectors")


def test_typing_in_a_widget_does_not_delete_its_cell(lab: Lab, notebook: str) -> None:
    lab.open(notebook)
    lab.run_all()
    cells = lab.page.locator(".jp-CodeCell").count()
    lab.widget("vectors").get_by_role("slider", name="query q").focus()
    for key in ("d", "d", "x", "a"):
        lab.page.keyboard.press(key)
    lab.page.keyboard.press("ArrowLeft")
    expect(lab.widget("vectors").locator(".vec-query-row")).not_to_contain_text("2.00, 1.00")
    assert lab.page.locator(".jp-CodeCell").count() == cells


OTHERS = """\
import torch
from qkvlib import Cache, NextToken, Shapes, Turning, puzzle
from qkvlib.widgets import ReadAloud

cache = Cache(["The", "law", "will"])
following = NextToken({"it": torch.arange(4.0)}, ["a", "b", "c", "d"])
display(cache, following, Shapes(), Turning([2, 0], [1.5, 0]), puzzle("order_the_heads"), ReadAloud("law"))"""


@pytest.mark.sweep
def test_each_widget_stands_beside_the_others_at_its_own_width(lab: Lab, server: Server) -> None:
    write_notebook(server.notebooks / "all.ipynb", [VECTORS, PREDICTION, RECAP, OTHERS])
    lab.open("all.ipynb")
    lab.run_all()
    names = ("vectors", "predict", "recap", "cache", "next", "shapes", "turning", "lines", "aloud")
    widths = {
        name: lab.widget(name).evaluate("(element) => getComputedStyle(element).maxWidth") for name in names
    }
    assert [widths[name] for name in names[:3]] == ["1000px", "720px", "760px"]
    assert widths["shapes"] == "1200px"
    lab.widget("cache").get_by_role("button", name="All words").click()
    lab.widget("next").get_by_role("slider", name="top-k").press("Home")
    lab.page.wait_for_selector(".qkv-next[data-waiting='0']")
    assert lab.run_cell("print(cache.arrived, following.probabilities)") == "3 {'it': {'d': 1.0}}"


def test_a_widget_whose_kernel_was_restarted_says_so(lab: Lab, notebook: str) -> None:
    lab.open(notebook)
    lab.run_all()
    lab.widget("vectors")
    lab.restart()
    drag_query(lab, -30, -30)
    expect(lab.page.get_by_text(ALONE)).to_be_visible()
    expect(lab.widget("vectors").locator(".vec-query-row")).not_to_contain_text("2.00, 1.00")
    lab.run_all()
    drag_query(lab, -30, -30)
    expect(lab.page.get_by_text(ALONE)).to_be_hidden()


def test_a_saved_notebook_reopens_as_it_was_left(lab: Lab, later_lab: Lab, server: Server) -> None:
    write_notebook(server.notebooks / "saved.ipynb", [VECTORS, PREDICTION])
    lab.open("saved.ipynb")
    lab.run_all()
    left = drag_query(lab, -70, -60).locator(".vec-table").inner_text()
    lab.save()
    lab.leave()
    later_lab.open("saved.ipynb")
    assert later_lab.widget("vectors").locator(".vec-table").inner_text() == left
    expect(later_lab.widget("predict")).to_contain_text("Which key wins?")
    expect(later_lab.page.get_by_text("Error displaying widget")).to_have_count(0)
    drag_query(later_lab, 20, 20)
    expect(later_lab.page.get_by_text(ALONE)).to_be_visible()


def test_a_click_in_the_margin_leaves_a_widget_whole(lab: Lab, notebook: str) -> None:
    lab.open(notebook)
    lab.run_all()
    box = lab.widget("vectors").bounding_box()
    assert box
    lab.page.mouse.click(box["x"] - 40, box["y"] + 60)
    expect(lab.page.locator(".jp-mod-outputsScrolled")).to_have_count(0)


@pytest.mark.sweep
def test_a_widget_that_is_saved_after_a_restart_lives_on_in_the_next_page(
    own_lab: Lab, server: Server
) -> None:
    write_notebook(server.notebooks / "restarted.ipynb", [VECTORS, PREDICTION])
    own_lab.open("restarted.ipynb")
    own_lab.run_all()
    own_lab.widget("vectors")
    own_lab.save()
    states = saved_states(server, "restarted.ipynb")
    own_lab.restart()
    own_lab.page.wait_for_selector("text=| Idle")
    left = drag_query(own_lab, -70, -60).locator(".vec-table").inner_text()
    own_lab.save()
    own_lab.page.reload()
    own_lab.rest()
    assert own_lab.widget("vectors").locator(".vec-table").inner_text() == left
    expect(own_lab.page.get_by_text("Error displaying widget")).to_have_count(0)
    own_lab.run_all()
    own_lab.widget("vectors")
    own_lab.save()
    assert saved_states(server, "restarted.ipynb") == states, "those of the earlier kernels are gone"


def saved_states(server: Server, notebook: str) -> int:
    """Return how many widget models were saved in a notebook."""
    metadata = json.loads((server.notebooks / notebook).read_text())["metadata"]
    return len(metadata["widgets"]["application/vnd.jupyter.widget-state+json"]["state"])


@pytest.mark.sweep
def test_a_saved_widget_that_jupyterlab_gave_up_on_is_drawn_after_all(
    browser: Browser, lab: Lab, server: Server
) -> None:
    for name, cell in (("lost", VECTORS), ("other", "1")):
        write_notebook(server.notebooks / f"{name}.ipynb", [cell])
    lab.open("lost.ipynb")
    lab.run_all()
    lab.widget("vectors")
    lab.save()
    lab.leave()
    with Lab(browser, server) as other:
        other.open("other.ipynb")
        # A renderer looks for its model every 100 ms for two seconds. Here one step is made so long that
        # the model arrives within it, as on a busy machine.
        other.page.evaluate(
            """() => {
              const wait = window.setTimeout;
              const long = (ms) => (ms === 100 ? 3000 : ms);
              window.setTimeout = (then, ms, ...rest) => wait(then, long(ms), ...rest);
            }"""
        )
        with other.page.expect_console_message(lambda said: "model not found" in said.text):
            other.command("docmanager:open", {"path": "lost.ipynb"})
        drag_query(other, 20, 20)


RUN = """\
from qkvlib import Heads, Replay
from qkvlib.models import MultiHead
from qkvlib.tasks import TwoQuestions
from qkvlib.training import adam, train

task = TwoQuestions()
model = MultiHead(task.n_tokens, task.n_answers, n_heads=2)
run = train(model, task, 500, adam(0.01))
"""


@pytest.mark.sweep
def test_a_saved_run_reopens_as_a_film(lab: Lab, later_lab: Lab, server: Server) -> None:
    write_notebook(server.notebooks / "run.ipynb", [f"{RUN}Replay(run)"])
    lab.open("run.ipynb")
    lab.run_all()
    replay = lab.widget("replay")
    lab.page.wait_for_selector(".qkv-replay[data-loaded]")
    replay.get_by_label("Example").select_option(index=2)
    words = replay.locator(".map-columns").first.inner_text()
    lab.save()
    lab.leave()
    saved = (server.notebooks / "run.ipynb").stat().st_size
    assert saved < 84_000  # the widget and the rest of the notebook
    later_lab.open("run.ipynb")
    expect(later_lab.page.get_by_text("moments of it are saved here")).to_be_visible()
    replay = later_lab.widget("replay")
    expect(replay.locator(".rep-where")).to_have_text("step 0 of 500")
    expect(replay.locator(".map-cell").first).not_to_be_empty()
    assert replay.locator(".map-columns").first.inner_text() == words
    for key in ("End", "PageDown"):
        replay.get_by_role("slider", name="step").press(key)
    replay.locator(".rep-play").click()
    expect(replay.locator(".rep-where")).to_have_text("step 500 of 500")


@pytest.mark.sweep
def test_what_heads_and_shapes_have_in_view_is_saved(lab: Lab, later_lab: Lab, server: Server) -> None:
    cells = [f"{RUN}heads = Heads.of(model, task)\nheads", "from qkvlib import Shapes\nShapes()"]
    write_notebook(server.notebooks / "view.ipynb", cells)
    lab.open("view.ipynb")
    lab.run_all()
    heads, shapes = lab.widget("heads"), lab.widget("shapes")
    heads.get_by_role("button", name="Map").click()
    heads.locator(".heads-pick").nth(1).click()
    heads.get_by_role("button", name="Silence head 2").click()
    expect(heads.locator(".heads-title")).to_have_text("head 2, silenced")
    shapes.get_by_label("merge, reshape alone").check()
    lab.save()
    lab.leave()
    later_lab.open("view.ipynb")
    heads, shapes = later_lab.widget("heads"), later_lab.widget("shapes")
    expect(heads.locator(".heads-title")).to_have_text("head 2, silenced")
    expect(heads.locator(".heads-map")).to_be_visible()
    expect(shapes.locator(".shapes-verdict")).to_contain_text("✗ Wrong")
    expect(shapes.get_by_label("merge, reshape alone")).to_be_checked()


@pytest.mark.sweep
def test_a_page_that_reloads_on_a_living_kernel_shows_the_head_it_had(own_lab: Lab, server: Server) -> None:
    write_notebook(server.notebooks / "reload.ipynb", [f"{RUN}heads = Heads.of(model, task)\nheads"])
    own_lab.open("reload.ipynb")
    own_lab.run_all()
    own_lab.widget("heads")
    own_lab.save()
    own_lab.widget("heads").locator(".heads-pick").nth(1).click()  # after the notebook was saved
    expect(own_lab.widget("heads").locator(".heads-title")).to_have_text("head 2")
    assert own_lab.run_cell("print(heads.bridge.shown['chosen'])") == "1"
    own_lab.page.reload()
    expect(own_lab.widget("heads").locator(".heads-title")).to_have_text("head 2")
