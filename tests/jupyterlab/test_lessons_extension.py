"""Test what JupyterLab does otherwise in a lesson: its sidebar in a narrow window, and what stays in view."""

from __future__ import annotations

import nbformat
import pytest
from playwright.sync_api import Browser, expect

from tests.jupyterlab.jupyterlab import Lab, Server, write_notebook


@pytest.mark.sweep(keep=1)
@pytest.mark.parametrize(("width", "closed"), [(1199, True), (1200, False)])
def test_the_sidebar_is_closed_below_1200_pixels_and_opens_again(
    browser: Browser, server: Server, width: int, closed: bool
) -> None:
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("A lesson")])
    nbformat.write(notebook, server.notebooks / "narrow.ipynb")
    page = browser.new_page(viewport={"width": width, "height": 800})
    try:
        page.goto(server.address("narrow.ipynb"))
        page.get_by_role("paragraph").wait_for(timeout=60_000)
        collapsed = "jupyterapp.restored.then(() => jupyterapp.shell.leftCollapsed)"
        assert page.evaluate(collapsed) is closed
        page.keyboard.press("Control+b")
        page.wait_for_function(f"jupyterapp.shell.leftCollapsed === {str(not closed).lower()}")
    finally:
        page.close()


def test_what_is_read_stays_in_view_while_outputs_above_it_grow(lab: Lab, server: Server) -> None:
    cells = ["1", "import time; time.sleep(2); print('above\\n' * 15)", *["print('below\\n' * 15)"] * 5]
    write_notebook(server.notebooks / "growing.ipynb", cells)
    lab.open("growing.ipynb")
    lab.run_all()
    page = lab.page
    page.evaluate(
        """async () => {
          const { content } = jupyterapp.shell.currentWidget;
          content.widgets[1].outputArea.model.clear();
          content.activeCellIndex = 1;
          jupyterapp.commands.execute("notebook:run-cell");
          await content.scrollToItem(4, "start");
        }"""
    )
    page.wait_for_timeout(500)  # JupyterLab scrolls, too
    output, read = (
        page.locator(".jp-Cell").nth(1).locator(".jp-OutputArea-output"),
        page.locator(".jp-Cell").nth(4),
    )
    expect(output).to_have_count(0)
    before = read.bounding_box()
    output.wait_for(state="attached", timeout=30_000)
    page.wait_for_timeout(300)
    assert read.bounding_box() == before
