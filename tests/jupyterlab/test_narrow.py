"""Test that JupyterLab's sidebar closes in a narrow window, to leave its width to the lesson."""

from __future__ import annotations

import nbformat
import pytest
from playwright.sync_api import Browser

from tests.jupyterlab.jupyterlab import Server


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
