"""Whatever a widget writes can be read on what is behind it, light and dark."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import pytest
import torch
from playwright.sync_api import Browser, expect

from qkvlib.figures import matrix
from qkvlib.masks import causal_mask
from qkvlib.widgets import AttentionLab, Vectors
from qkvlib.widgets.kit.widget import Widget
from tests.page.host import show
from tests.widgets.makers import MAKERS

# Every text whose contrast with its ground is below WCAG's 4.5, or 3 where it is large. Of a
# hatched ground the worse of its two colours counts. What stands back on purpose, because it is
# disabled or not lit, is not asked.
HARD_TO_READ = """(root) => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const channels = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  };
  const over = ([r, g, b, a], below) =>
    [r, g, b].map((channel, k) => channel * a + below[k] * (1 - a)).concat(1);
  const luminance = (colour) => {
    const [red, green, blue] = colour.map((c) =>
      c / 255 <= 0.04045 ? c / 3294.6 : ((c / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (one, other) => {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const outside = (element) => element.parentElement ?? element.getRootNode().host;
  const grounds = (element) => {
    if (!element) return [[255, 255, 255, 1]];
    const style = getComputedStyle(element);
    const stripes = style.backgroundImage.match(/(rgba?|color)\\([^)]*\\)/g) ?? [];
    const own = [style.backgroundColor, ...stripes].map(channels);
    const solid = stripes.length && stripes.every((stripe) => channels(stripe)[3] === 1);
    const covers = own[0][3] === 1;
    const below = covers ? [[0, 0, 0, 1]] : grounds(outside(element));
    const first = below.map((ground) => over(own[0], ground));
    const striped = first.flatMap((ground) => own.slice(1).map((stripe) => over(stripe, ground)));
    return solid ? striped : [...first, ...striped];
  };
  const dimmed = (element) =>
    element && (Number(getComputedStyle(element).opacity) < 0.99 || dimmed(element.parentElement));
  const found = new Set();
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode.textContent.trim();
    const element = texts.currentNode.parentElement;
    const style = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    const seen = text && box.width > 1 && box.height > 1 && style.visibility === "visible";
    if (!seen || dimmed(element) || element.closest(":disabled, option, .qkv-spoken")) continue;
    const ink = channels(element.closest("svg") ? style.fill : style.color);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.6 && Number(style.fontWeight) >= 600);
    for (const ground of grounds(element)) {
      const ratio = contrast(over(ink, ground), ground);
      if (ratio < (large ? 3 : 4.5)) found.add(`${text.slice(0, 30)}: ${ratio.toFixed(2)}`);
    }
  }
  return [...found];
}"""

# Behind each text that is forced the browser lays a plate of the page's colour. A widget's own
# choice of that same colour for the letters would be lost on it.
_ON_ITS_OWN_PLATE = """(root) => {
  const plate = document.createElement("i");
  plate.style.color = "Canvas";
  root.append(plate);
  const lost = [...root.querySelectorAll("*")].filter((one) => {
    const { color, forcedColorAdjust } = getComputedStyle(one);
    return one !== plate && one.checkVisibility() && !one.closest("svg, :disabled") &&
      forcedColorAdjust !== "none" && color === getComputedStyle(plate).color;
  });
  plate.remove();
  return lost.map((one) => one.outerHTML.slice(0, 80));
}"""


JUPYTERLAB = {
    "no theme": "body { background: #fff }",
    "light": "body { background: #fff; --jp-layout-color0: white;"
    " --jp-content-font-color1: rgba(0, 0, 0, 0.87) }",
    "dark": "body { background: #111; color: #fff; --jp-layout-color0: #111111;"
    " --jp-content-font-color1: rgba(255, 255, 255, 1) }",
}


def a_lab(view: str = "weights") -> AttentionLab:
    """Tints of every strength: scores from -4 to 4, weights from 0 to 1, some of them hidden."""
    ramp = torch.linspace(-2, 2, 8)[:, None]
    x = torch.cat([ramp, ramp.flip(0) ** 3 / 4], dim=1)
    ws = [torch.tensor([[1.0, 0.3], [-0.2, 0.8]]) * size for size in (1.0, 0.9, -0.7)]
    mask = causal_mask(8) if view == "both" else None
    words = "The Law will never be perfect but its"
    return AttentionLab(x, *ws, torch.zeros(8, 2), tokens=words, mask=mask, view=view)


LOOKS: dict[str, Callable[[], Widget]] = {
    **MAKERS,
    **{
        f"lab, {view}": lambda view=view: a_lab(view)
        for view in ("weights", "both", "gradients", "backward")
    },
    "regions": lambda: Vectors([1.0, 2.0], [[2.0, 0.0], [-1.0, -0.5]], regions=True),
}


@pytest.mark.parametrize("name", JUPYTERLAB)
@pytest.mark.parametrize("weights", [False, True])
def test_a_matrix_follows_the_theme_and_can_be_read(
    browser: Browser, name: str, weights: bool
) -> None:
    low = 0 if weights else -1
    figure = matrix(torch.linspace(low, 1, 11)[None], ["r"], [*"abcdefghijk"], weights=weights)
    page = browser.new_page()
    page.set_content(f"<style>{JUPYTERLAB[name]}</style><body>{figure.html}")
    assert page.locator("body").evaluate(HARD_TO_READ) == []
    page.close()


@pytest.mark.parametrize("dark", [False, pytest.param(True, marks=pytest.mark.sweep)])
@pytest.mark.parametrize("name", LOOKS)
def test_every_text_can_be_read(browser: Browser, home: object, name: str, dark: bool) -> None:
    host = show(browser, LOOKS[name](), 1100, dark=dark)
    host.settle()
    assert host.page.locator(".qkv").evaluate(HARD_TO_READ) == []
    host.close()


@pytest.mark.sweep(keep=5)
@pytest.mark.parametrize("palette", ["light", pytest.param("dark", marks=pytest.mark.sweep)])
@pytest.mark.parametrize("name", LOOKS)
def test_every_text_can_be_read_where_the_system_forces_its_colours(
    browser: Browser, home: object, name: str, palette: Literal["light", "dark"]
) -> None:
    """Whatever theme JupyterLab has: here it has the other one."""
    host = show(browser, LOOKS[name](), 1100, dark=palette == "light")
    host.page.emulate_media(forced_colors="active", color_scheme=palette)
    root = host.page.locator(".qkv")
    expect(root).to_have_attribute("data-theme", palette)
    host.settle()
    assert root.evaluate(HARD_TO_READ) == []
    assert root.evaluate(_ON_ITS_OWN_PLATE) == []
    host.close()
