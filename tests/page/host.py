"""A page that shows one widget without Jupyter; the widget's real Python answers it."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ClassVar

from ipywidgets.widgets.widget import _remove_buffers
from playwright.sync_api import Browser

from qkvlib.widgets.kit.widget import Widget
from tests.browser import SETTLED
from tests.wire import Wire

_PAGE = """<!doctype html><meta charset="utf-8"><title>host</title>
<style>body { margin: 8px; background: #fff; font-family: sans-serif }
body[data-jp-theme-light="false"] { background: #111; color: #eee;
  --jp-layout-color0: #111; --jp-content-font-color1: #eee; --jp-content-font-color2: #aaa;
  --jp-border-color2: #444 }</style>
<body data-jp-theme-light="true"><div id="widget"></div>"""

# The model is ten lines: what anywidget promises and no more.
_SHOW = """async ([esm, values, paths, texts, alone]) => {
  const listeners = {};
  const bytes = (text) =>
    new DataView(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer);
  const put = (state, paths, texts) => paths.forEach((path, i) => {
    path.slice(0, -1).reduce((part, key) => part[key], state)[path.at(-1)] = bytes(texts[i]);
  });
  const fire = (event, ...given) => (listeners[event] ?? []).slice().forEach((f) => f(...given));
  const model = {
    get widget_manager() { return window.manager; },
    get: (name) => values[name],
    set: (name, value) => { values[name] = value; fire("change:" + name); },
    on: (event, f) => (listeners[event] ??= []).push(f),
    off: (event, f) => { listeners[event] = (listeners[event] ?? []).filter((g) => g !== f); },
    send: (content) => {
      window.sent.push(content);
      window.kernel(content).then((messages) => messages.forEach(window.deliver));
    },
  };
  if (alone) model.alone = true;
  window.sent = [];
  window.deliver = (message) =>
    message.method === "update"
      ? (put(message.state, message.buffer_paths, message.buffers),
        Object.entries(message.state).forEach(([name, value]) => model.set(name, value)))
      : fire("msg:custom", message.content, (message.buffers ?? []).map(bytes));
  window.listening = () => Object.values(listeners).flat().length;
  put(values, paths, texts);
  const url = URL.createObjectURL(new Blob([esm], { type: "text/javascript" }));
  const module = await import(url);
  const el = window.place ?? document.getElementById("widget");
  window.unmount = module.default.render({ model, el });
  window.again = () => module.default.render({ model, el });
}"""


class _Stage:
    """A page that shows one widget after another: to open one takes longer than many a test."""

    free: ClassVar[list[_Stage]] = []

    def __init__(self, browser: Browser, screen: Mapping[str, Any]) -> None:
        self.screen = screen
        self.page = browser.new_page(**screen)
        self.host: Host | None = None
        self.page.on("pageerror", lambda error: self._host().complaints.append(str(error)))
        self.page.expose_function("kernel", lambda content: self._host().answer(content))

    def clear(self) -> None:
        """Leave nothing of what was shown: no script, no timer, nothing pressed or pointed at.

        The mouse goes first: moved on the empty page, it would not reach what is shown next.
        """
        self.page.mouse.up()
        self.page.mouse.move(0, 0)
        self.page.goto("about:blank")
        self.page.emulate_media(forced_colors="null", reduced_motion="null", color_scheme="null")

    def _host(self) -> Host:
        assert self.host
        return self.host


class Host:
    """A page with a widget. Its kernel can be lost, or hold its answers back."""

    def __init__(
        self,
        stage: _Stage,
        widget: Widget,
        lost: bool = False,
        alone: bool = False,
        looks: str = _PAGE,
    ) -> None:
        self._stage = stage
        self._stage.host = self
        self.page = page = stage.page
        self.wire = Wire(widget)
        self._thread = ThreadPoolExecutor(1)
        self.silent = False
        self.holding = False
        self.held: list[dict[str, Any]] = []
        self.complaints: list[str] = []
        self._own_time = False
        page.set_content(looks)
        if lost:
            self.lose()
        opening = self.wire.opening()
        values, paths, buffers = _remove_buffers(opening)
        texts = [_as_text(buffer) for buffer in buffers]
        page.evaluate(_SHOW, [values.pop("_esm"), values, paths, texts, alone])
        self.settle()

    def settle(self) -> None:
        """Wait until the widget is drawn, and all is answered or known to be for nobody."""
        self.page.wait_for_selector(f".qkv[data-ready]{SETTLED}")

    def release(self) -> None:
        """Answer the oldest message that was held back, or the next that comes."""
        for _ in range(100):
            if self.held:
                break
            self.page.wait_for_timeout(20)
        for message in self.wire.receive(self.held.pop(0)):
            self.page.evaluate("(message) => window.deliver(message)", _as_json(message))

    def let_go(self) -> None:
        """Answer all that was held back and all that comes: a slow page may send twice."""
        self.holding = False
        while self.held:
            self.release()
        self.settle()

    def lose(self) -> None:
        """Cut the connection: ipywidgets marks the view, and sends nothing more."""
        self.silent = True
        self.page.evaluate("document.getElementById('widget').classList.add('jupyter-widgets-disconnected')")

    def let_time_stand(self) -> None:
        """From here on the page's clock is the test's: `page.clock.run_for` moves it."""
        self._own_time = True
        self.page.clock.install(time=0)
        self.page.clock.pause_at(1000)

    def close(self) -> None:
        """Leave the page to the next test, unless its clock stands; one that failed keeps it."""
        if self._own_time:
            self.page.close()
        else:
            self._stage.clear()
            _Stage.free.append(self._stage)
        assert not self.complaints, self.complaints

    def push_from_python(self) -> None:
        """Deliver what the widget has sent on its own, after a change from Python."""
        for message in [one for one in self.wire.sent if one.get("method") == "update"]:
            self.page.evaluate("(message) => window.deliver(message)", _as_json(message))

    def answer(self, content: dict[str, Any]) -> list[dict[str, Any]]:
        if self.holding:
            self.held.append(content)
        if self.holding or self.silent:
            return []
        # On a thread of its own, as in Jupyter: an error of torch's would end a greenlet's process.
        messages = self._thread.submit(self.wire.receive, content).result()
        return [_as_json(message) for message in messages]


def _as_json(message: dict[str, Any]) -> dict[str, Any]:
    """A message whose binary buffers, if any, are text."""
    return {**message, "buffers": [_as_text(buffer) for buffer in message.get("buffers", [])]}


def _as_text(buffer: bytes) -> str:
    return base64.b64encode(buffer).decode()


def show(
    browser: Browser,
    widget: Widget,
    width: int = 900,
    dark: bool = False,
    lost: bool = False,
    alone: bool = False,
    screen: Mapping[str, Any] | None = None,
    looks: str = _PAGE,
) -> Host:
    """Open a page of this width on the widget: with Python, lost at once, or written without it.

    `screen` is what Playwright knows of one: whether it is touched, and how dense its pixels are.
    The page `looks` as it is told; in it the widget has an element of that name, or `window.place`.
    """
    screen = screen or {}
    _Stage.free[:] = [
        stage for stage in _Stage.free if stage.page.context.browser == browser and stage.screen == screen
    ]
    stage = _Stage.free.pop() if _Stage.free else _Stage(browser, screen)
    stage.page.set_viewport_size({"width": width, "height": 800})
    host = Host(stage, widget, lost, alone, looks)
    if dark:
        stage.page.evaluate("document.body.dataset.jpThemeLight = 'false'")
    return host


def drag_tip(host: Host, plane: str, name: str, x: float, y: float, limit: float = 3.0) -> None:
    """Drag the tip of this name with the mouse to a point of a plane that reaches to its limit."""
    box = host.page.get_by_role("slider", name=name).bounding_box()
    room = host.page.locator(plane).bounding_box()
    assert box
    assert room
    host.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    host.page.mouse.down()
    host.page.mouse.move(
        room["x"] + room["width"] * (1 + x / limit) / 2,
        room["y"] + room["height"] * (1 - y / limit) / 2,
        steps=5,
    )
    host.page.mouse.up()
    host.settle()
