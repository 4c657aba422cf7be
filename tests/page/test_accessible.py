"""Test that axe, which looks for barriers to accessibility, finds none in any widget."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.page.host import show
from tests.widgets.makers import MAKERS

AXE = Path(__file__).parents[2] / "node_modules/axe-core/axe.min.js"

# The violations and their elements; the page around the widget is not its responsibility.
_LOOK = """async () => {
  const { violations } = await axe.run(".qkv");
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join("; ")}`);
}"""


@pytest.mark.sweep(keep=4)  # each widget is asked on the pages of the site, too
@pytest.mark.parametrize("dark", [False, pytest.param(True, marks=pytest.mark.sweep)])
@pytest.mark.parametrize("name", MAKERS)
def test_nobody_is_kept_out(browser: Browser, home: object, name: str, dark: bool) -> None:
    host = show(browser, MAKERS[name](), 984, dark=dark)
    host.page.add_script_tag(path=AXE)
    assert host.page.evaluate(_LOOK) == []
    host.close()
