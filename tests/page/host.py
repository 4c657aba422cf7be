"""Show one widget on a page without Jupyter; the widget's real Python answers it."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
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

# The model takes ten lines: it has only what anywidget promises.
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
    """A page that is reused for one widget after another: opening it takes longer than many tests."""

    free: ClassVar[list[_Stage]] = []

    def __init__(self, browser: Browser, screen: Mapping[str, Any]) -> None:
        self.screen = screen
        self.page = browser.new_page(**screen)
        self.host: Host | None = None
        self.page.on("pageerror", lambda error: self._host().complaints.append(str(error)))
        self.page.expose_function("kernel", lambda content: self._host().answer(content))

    def clear(self) -> None:
        """Remove all traces of the last widget: scripts, timers, and anything pressed or pointed at.

        The mouse moves first: if it moved on the empty page, the next widget would not receive the move.
        """
        self.page.mouse.up()
        self.page.mouse.move(0, 0)
        self.page.goto("about:blank")
        self.page.emulate_media(forced_colors="null", reduced_motion="null", color_scheme="null")

    def _host(self) -> Host:
        assert self.host
        return self.host


class Host:
    """A page with a widget. A test can cut its kernel off, or delay the kernel's answers."""

    def __init__(
        self, stage: _Stage, widget: Widget, lost: bool = False, alone: bool = False, looks: str = _PAGE
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
        """Wait until the widget is drawn, and each request is answered or known to be unanswerable."""
        self.page.wait_for_selector(f".qkv[data-ready]{SETTLED}")

    def release(self) -> None:
        """Answer the oldest delayed message, or the next that comes."""
        for _ in range(100):
            if self.held:
                break
            self.page.wait_for_timeout(20)
        for message in self.wire.receive(self.held.pop(0)):
            self.page.evaluate("(message) => window.deliver(message)", _as_json(message))

    def let_go(self) -> None:
        """Answer all delayed messages and all that follow: a slow page may send twice."""
        self.holding = False
        while self.held:
            self.release()
        self.settle()

    def lose(self) -> None:
        """Cut the connection: ipywidgets marks the view, and sends nothing more."""
        self.silent = True
        self.page.evaluate("document.getElementById('widget').classList.add('jupyter-widgets-disconnected')")

    def let_time_stand(self) -> None:
        """Stop the page's clock; from here on `page.clock.run_for` moves it."""
        self._own_time = True
        self.page.clock.install(time=0)
        self.page.clock.pause_at(1000)

    def close(self) -> None:
        """Leave the page to the next test, but close it if its clock was stopped."""
        if self._own_time:
            self.page.close()
        else:
            self._stage.clear()
            _Stage.free.append(self._stage)
        assert not self.complaints, self.complaints

    def push_from_python(self) -> None:
        """Deliver what the widget has sent by itself, after a change from Python."""
        for message in [one for one in self.wire.sent if one.get("method") == "update"]:
            self.page.evaluate("(message) => window.deliver(message)", _as_json(message))

    def answer(self, content: dict[str, Any]) -> list[dict[str, Any]]:
        if self.holding:
            self.held.append(content)
        if self.holding or self.silent:
            return []
        # On a separate thread, as in Jupyter: an error of torch's would end the process of a greenlet.
        messages = self._thread.submit(self.wire.receive, content).result()
        return [_as_json(message) for message in messages]


def _as_json(message: dict[str, Any]) -> dict[str, Any]:
    """Return a message whose binary buffers, if any, are text."""
    return {**message, "buffers": [_as_text(buffer) for buffer in message.get("buffers", [])]}


def _as_text(buffer: bytes) -> str:
    return base64.b64encode(buffer).decode()


Show = Callable[..., Host]  # the fixture `show`, which closes at a test's end what it has opened


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
    """Open a page of this width on the widget: with Python, cut off at once, or written without it.

    `screen` holds Playwright's settings: touch or not, and pixel density. `looks` is the HTML of the
    page; the widget is put into its `#widget`, or into `window.place`.
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
    """Drag the tip of this name with the mouse to a point of a plane that extends to `limit`."""
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
