"""Test that a widget is readable and gets its own keys in whatever page shows it.

A widget does not ask which host it is in. It asks what background is below it, and who listens to
keys. So each host is imitated by its answers to both. JupyterLab, Notebook 7, nbclassic, Voila and
marimo were examined while they ran. VS Code is known to put white below a widget in any theme. For
Colab and Kaggle we assume that an output is in a separate frame, with the theme's background and no
mark of the theme.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, Page

from qkvlib.widgets import Vectors
from qkvlib.widgets.kit.widget import Widget
from tests.page.host import Host, show
from tests.page.questions import HARD_TO_READ
from tests.page.views import tinted_lab

_LAB_LIGHT = (
    "--jp-layout-color0: white; --jp-content-font-color1: rgba(0, 0, 0, .87);"
    "--jp-content-font-color2: rgba(0, 0, 0, .54); --jp-border-color2: #e0e0e0"
)
_LAB_DARK = (
    "--jp-layout-color0: #111; --jp-content-font-color1: white;"
    "--jp-content-font-color2: rgba(255, 255, 255, .7); --jp-border-color2: #424242"
)
_ON_A_CELL = "#ground { background: var(--jp-layout-color0) }"
_BOOTSTRAP = """
svg:not(:root) { overflow: hidden }
sub, sup { position: relative; font-size: 75%; line-height: 0; vertical-align: baseline }
sup { top: -.5em } sub { bottom: -.25em }
label { display: inline-block; max-width: 100%; margin-bottom: 5px; font-weight: bold }
input[type=checkbox] { margin: 4px 0 0 }
"""

# Key listeners: each adds the keys that it hears to `window.heard`, unless it is told not to.
_ON_THE_WAY_UP = "document.addEventListener('keydown', (event) => heard.push(event.key))"
_ON_THE_WAY_DOWN = """document.addEventListener("keydown", (event) => {
  if (!event.target.closest("[data-lm-suppress-shortcuts]")) heard.push(event.key);
}, true)"""
# A frame passes on the keys heard on its window to the page around it.
_OUT_OF_A_FRAME = "window.addEventListener('keydown', (event) => heard.push(event.key))"

_INTO_A_SHADOW = """
  window.place = document.getElementById("widget");
  document.getElementById("ground").attachShadow({ mode: "open" }).append(place);"""


@dataclass(frozen=True)
class Imitation:
    """The page of a host: its styles, the marks on its body, and how it listens to keys."""

    dark: bool
    paper: str  # the background of the widget
    styles: str
    body: str = ""
    heeds: str = _ON_THE_WAY_UP
    system: bool | None = None  # whether the system is dark; None if it is like the page
    shadow: bool = False  # whether a widget is in a shadow tree


HOSTS = {
    "JupyterLab, light": Imitation(
        False,
        "white",
        f":root {{ {_LAB_LIGHT} }} body {{ background: #eee }} ",
        'data-jp-theme-light="true"',
        _ON_THE_WAY_DOWN,
        system=True,
    ),
    "JupyterLab and Notebook 7, dark": Imitation(
        True,
        "#111",
        f":root {{ {_LAB_DARK} }} body {{ background: #323232 }} {_ON_A_CELL}",
        'class="jp-ThemedContainer" data-jp-theme-light="false"',
        _ON_THE_WAY_DOWN,
        system=False,
    ),
    "nbclassic": Imitation(
        False,
        "white",
        ":root { --jp-layout-color0: white; --jp-content-font-color1: black;"
        " --jp-content-font-color2: #616161; --jp-border-color2: #e0e0e0 }"
        " body { background: #eee; color: #000; font: 13px/20px sans-serif }"
        f"{_ON_A_CELL} {_BOOTSTRAP}",
        'class="notebook_app command_mode"',
        system=True,
    ),
    "Voila": Imitation(
        True,
        "#111",
        f":root {{ {_LAB_DARK} }} body {{ background: #111 }}",
        'class="jp-Notebook theme-dark" data-jp-theme-light="false"',
    ),
    **{
        f"VS Code, {theme}": Imitation(
            False,
            "white",
            f":root {{ {_LAB_LIGHT}; --vscode-foreground: {ink} }}"
            f" body {{ background: transparent; color: {ink} }} #ground {{ background: white }}",
            f'class="vscode-{theme}" data-vscode-theme-kind="vscode-{theme}"',
            _OUT_OF_A_FRAME,
            system=theme == "dark",
        )
        for theme, ink in (("light", "#3b3b3b"), ("dark", "#cccccc"))
    },
    "Colab and Kaggle, light": Imitation(
        False,
        "white",
        "body { background: white; color: rgba(0, 0, 0, .7) }",
        heeds=_OUT_OF_A_FRAME,
        system=True,
    ),
    "Colab, dark": Imitation(
        True,
        "#383838",
        "html { background: #383838; color-scheme: dark } body { color: #e3e3e3 }",
        'theme="dark"',
        _OUT_OF_A_FRAME,
        system=False,
    ),
    "marimo, light": Imitation(
        False,
        "color(srgb 1 1 1)",
        "body { background: color(srgb 1 1 1) }",
        'class="light light-theme" data-theme="light"',
        system=True,
        shadow=True,
    ),
    "marimo, dark": Imitation(
        True,
        "color(srgb .09 .1 .11)",
        "body { background: color(srgb .09 .1 .11); color: #eee; color-scheme: dark }",
        'class="dark dark-theme" data-theme="dark"',
        system=False,
        shadow=True,
    ),
}

WIDGETS: dict[str, Callable[[], Widget]] = {
    "lab": lambda: tinted_lab("both"),
    "vectors": lambda: Vectors([1.0, 2.0], [[2.0, 0.0], [-1.0, -0.5]]),
}


def opened(browser: Browser, imitation: Imitation, widget: Widget) -> Host:
    """Open the host's page with the widget in it, and `window.heard`."""
    shadow = _INTO_A_SHADOW if imitation.shadow else ""
    looks = (
        f"<!doctype html><meta charset='utf-8'><style>{imitation.styles}</style>"
        f'<body {imitation.body}><div id="ground"><div id="widget"></div></div>'
        f"<script>window.heard = []; {imitation.heeds}; {shadow}</script>"
    )
    host = show(browser, widget, 1100, looks=looks)
    dark = imitation.dark if imitation.system is None else imitation.system
    host.page.emulate_media(color_scheme="dark" if dark else "light")
    host.page.evaluate("document.body.dataset.seen = ''")  # makes the widget look again at a changed page
    return host


@pytest.fixture(scope="module", params=WIDGETS)
def widget(request: pytest.FixtureRequest) -> Widget:
    made: Widget = WIDGETS[request.param]()
    return made


@pytest.fixture(scope="module", params=HOSTS)
def imitation(request: pytest.FixtureRequest) -> Imitation:
    return HOSTS[request.param]


@pytest.fixture(scope="module")
def host(browser: Browser, imitation: Imitation, widget: Widget) -> Iterator[Host]:
    host = opened(browser, imitation, widget)
    yield host
    host.close()


def drawn(page: Page, colour: str) -> list[int]:
    """Return the red, green and blue of a colour."""
    channels: list[int] = page.evaluate(
        """(colour) => {
          const pen = new OffscreenCanvas(1, 1).getContext("2d");
          pen.fillStyle = colour;
          pen.fillRect(0, 0, 1, 1);
          return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3);
        }""",
        colour,
    )
    return channels


@pytest.mark.sweep(keep=5)
def test_the_paper_is_the_hosts_and_every_text_can_be_read(host: Host, imitation: Imitation) -> None:
    root = host.page.locator(".qkv")
    assert root.get_attribute("data-theme") == ("dark" if imitation.dark else "light")
    assert root.evaluate(HARD_TO_READ) == []
    own = root.evaluate("(root) => getComputedStyle(root).getPropertyValue('--qkv-paper')")
    lightness = [sum(drawn(host.page, colour)) / 765 for colour in (own, imitation.paper)]
    assert abs(lightness[0] - lightness[1]) < 0.25, "a widget is another world in its page"


@pytest.mark.sweep(keep=5)
def test_the_widgets_keys_are_its_own_and_commands_are_the_hosts(host: Host, widget: Widget) -> None:
    hand = host.page.locator('.qkv :is([role="slider"], [role="spinbutton"])').first
    before = hand.evaluate("(hand) => [hand.ariaValueNow, hand.ariaValueText].join()")
    hand.focus()
    for key in ("ArrowUp", "d", "x", "Escape", "Control+s", "Shift+Enter"):
        host.page.keyboard.press(key)
    host.settle()
    heard = host.page.evaluate("heard")
    assert [key for key in heard if key not in {"Control", "Shift"}] == ["s", "Enter"]
    after = hand.evaluate("(hand) => [hand.ariaValueNow, hand.ariaValueText].join()")
    assert after != before


@pytest.mark.sweep(keep=5)
def test_no_style_of_the_host_reaches_into_a_widget(host: Host) -> None:
    index = host.page.locator(".qkv :is(sub, sup)").first
    if index.count():
        assert index.evaluate("(one) => getComputedStyle(one).position") == "static"
    cut = host.page.locator(".qkv .lab-curve")
    if cut.count():
        assert cut.evaluate("(one) => getComputedStyle(one).overflow") == "visible"
    for label in host.page.locator(".qkv label").all():
        assert label.evaluate("(one) => getComputedStyle(one).marginBottom") == "0px"
