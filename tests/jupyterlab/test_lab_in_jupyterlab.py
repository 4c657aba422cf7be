"""Test the lab in a real JupyterLab: dragged, played on a slow kernel, saved and reopened."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.jupyterlab.jupyterlab import Lab, Server, write_notebook

CELL = """\
import torch
from qkvlib import AttentionLab

torch.manual_seed(3)
lab = AttentionLab(
    torch.randn(4, 4), *(0.6 * torch.randn(4, 3) for _ in range(3)), torch.randn(4, 3),
    tokens="the cat sat down",
)
lab"""
HELD = """\
from pathlib import Path
with lab.lock:
    while not Path("go").exists():
        time.sleep(0.05)"""
PRINTED = 'print(*(f"{number:.2f}" for number in lab.%s.flatten()))'


@pytest.fixture(autouse=True)
def notebook(server: Server) -> str:
    write_notebook(server.notebooks / "lab.ipynb", [CELL])
    return "lab.ipynb"


def grab(lab: Lab, at: str) -> tuple[float, float]:
    """Press the mouse on a weight, and return its position."""
    weight = lab.widget("lab").locator(f'[data-at="{at}"]')
    weight.scroll_into_view_if_needed()
    box = weight.bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    lab.page.mouse.move(x, y)
    lab.page.mouse.down()
    return x, y


def start_cell(lab: Lab, source: str) -> None:
    """Run a new last cell, and return as soon as it runs."""
    lab.start_cell(f"import time\nprint('it runs')\n{source}")
    expect(printed(lab, "it runs")).to_be_visible()


@pytest.fixture
def go(server: Server) -> Path:
    """Return the file that a cell of `HELD` waits for: the test creates it to free the kernel."""
    path = server.notebooks / "go"
    path.unlink(missing_ok=True)
    return path


def printed(lab: Lab, text: str) -> Locator:
    return lab.page.locator(".jp-OutputArea-output", has_text=text)


def numbers(widget: Locator, name: str) -> str:
    texts = widget.locator(f'[data-at^="{name} "] b').all_inner_texts()
    return " ".join(texts).replace("−", "-").replace("-0.00", "0.00")


def test_the_lab_in_view_is_painted_again_when_the_theme_changes(lab: Lab, notebook: str) -> None:
    lab.open(notebook)
    lab.run_all()
    widget = lab.widget("lab")
    light = widget.evaluate(_FIRST_COLOUR)
    lab.dark()
    lab.page.wait_for_function(f"(light) => ({_FIRST_COLOUR})() !== light", arg=light)
    assert widget.locator(".lab-wires path").nth(3).get_attribute("d"), "the wires are there again"


# The picture on the canvas of X.
_FIRST_COLOUR = """() => document.querySelector(".lab-m-x canvas").toDataURL()"""


def test_a_drag_while_the_kernel_is_busy_moves_everything_and_python_follows(
    lab: Lab, notebook: str, go: Path
) -> None:
    lab.open(notebook)
    lab.run_all()
    lab.widget("lab")
    widget = lab.page.locator(".qkv-lab")
    start_cell(lab, f"{HELD}\nprint('slept')")
    x, y = grab(lab, "w_k 2 0")
    seen = set()
    for step in range(1, 20):
        lab.page.mouse.move(x, y - 5 * step)
        seen.add(numbers(widget, "output"))
    lab.page.mouse.up()
    assert len(seen) > 10
    widget.get_by_role("button", name="Step", exact=True).click()
    line = widget.locator(".qkv-patience")
    expect(line).to_have_text("Python has not received this yet.")
    assert widget.locator("[aria-busy]").count() == 0
    shown = {name: numbers(widget, name) for name in ("w_k", "weights", "output")}
    expect(printed(lab, "slept")).to_have_count(0)
    go.touch()
    expect(printed(lab, "slept")).to_be_visible(timeout=30_000)
    lab.widget("lab")
    expect(line).to_be_hidden()
    for name, text in shown.items():
        assert lab.run_cell(PRINTED % name).replace("-0.00", "0.00") == text
    assert lab.run_cell("print(len(lab.losses))") == "3"


@pytest.mark.sweep
def test_the_chosen_head_stays_when_its_cell_runs_again(lab: Lab, notebook: str) -> None:
    lab.open(notebook)
    lab.run_all()
    lab.run_cell("two = AttentionLab(lab.x, *3 * [torch.ones(4, 6)], n_heads=2); print(0)")
    lab.run_cell("two")
    lab.widget("lab", 1).get_by_role("button", name="head 2").click()
    lab.run_cell("two")
    for index in (1, 2):
        chosen = lab.widget("lab", index).get_by_role("button", name="head 2")
        expect(chosen).to_have_attribute("aria-pressed", "true")


@pytest.mark.sweep
def test_a_saved_lab_reopens_as_it_was_left(lab: Lab, later_lab: Lab, server: Server) -> None:
    write_notebook(server.notebooks / "saved.ipynb", [CELL])
    lab.open("saved.ipynb")
    lab.run_all()
    lab.widget("lab").get_by_role("button", name="Step").click()
    widget = lab.widget("lab")
    expect(widget.locator(".lab-curve-text")).to_contain_text("1 move")
    loss = widget.locator(".lab-loss-number").inner_text()
    slope = lab.run_cell("print(f'{lab.gradients.d_output[0, 0]:.2f}')")
    lab.save()
    lab.leave()
    # What the lab needs to run without Python, and its still picture with the gradients: 63 kB.
    size = (server.notebooks / "saved.ipynb").stat().st_size
    assert size < 70_000
    later_lab.open("saved.ipynb")
    expect(later_lab.page.locator(".lab-loss-number")).to_have_text(loss)
    later_lab.page.get_by_role("button", name="Gradients").click()
    expect(later_lab.page.locator(".lab-m-x .lab-title")).to_have_text("dX")
    shown = later_lab.page.locator('[data-at="output 0 0"] b').inner_text()
    assert float(shown.replace("−", "-")) == float(slope)
    # No kernel has this lab, but it works.
    later_lab.page.get_by_role("button", name="Step", exact=True).click()
    expect(later_lab.page.locator(".lab-curve-text")).to_contain_text("2 moves")
    later_lab.page.get_by_role("button", name="Reset").click()
    expect(later_lab.page.locator(".lab-curve-text")).to_contain_text("no moves yet")
