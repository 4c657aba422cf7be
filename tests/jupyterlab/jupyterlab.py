"""Run a real JupyterLab, only on this machine, with its own folders; and a page that drives it."""

from __future__ import annotations

import json
import os
import secrets
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import nbformat
from playwright.sync_api import Browser, Locator, Page

from qkvlib.app.lab import EXTENSIONS
from tests import shared_runs
from tests.browser import SETTLED

_START_SECONDS = 120
_LAB = "from jupyterlab import labapp; from tests import kernels; kernels.are_forked(); labapp.main()"
_IDLE = "#jp-main-statusbar >> text=| Idle"
_NO_FAULT = (
    "widget model not found",  # from ipywidgets; then the kit's late_models.js draws the widget again
    "/lab/api/workspaces",  # 500 if it lists the workspaces just as another page writes its own
    "/api/kernels?",  # 500 if it lists the kernels just as one of them ends
    "Canceled future",  # JupyterLab's error for a request to a kernel that has ended since
)


class Server:
    """One running JupyterLab. `folder` has its notebooks, its settings and its trust."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.notebooks = folder / "notebooks"
        self._token = secrets.token_hex(16)
        self._port = free_port()
        self._log = folder / f"server-{self._port}.log"
        self._process = subprocess.Popen(
            self._command(folder),
            cwd=folder,
            env=_environment(folder),
            stdout=self._log.open("w"),
            stderr=subprocess.STDOUT,
        )
        try:
            wait_for(self._process, lambda: self.ask("status"), self._log)
        except BaseException:
            self.stop()
            raise

    def address(self, notebook: str) -> str:
        """Return the address that opens a notebook in its own workspace."""
        workspace = f"lab/workspaces/w{secrets.token_hex(4)}/tree/{notebook}"
        return f"http://127.0.0.1:{self._port}/{workspace}?token={self._token}"

    def ask(self, path: str, method: str = "GET") -> Any:
        """Call the server's own API once."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self._port}/api/{path}",
            headers={"Authorization": f"token {self._token}"},
            method=method,
        )
        with urllib.request.urlopen(request, timeout=10) as reply:
            text = reply.read()
        return json.loads(text) if text else None

    def stop_kernels(self) -> None:
        for session in self.ask("sessions"):
            self.ask(f"sessions/{session['id']}", "DELETE")
        for kernel in self.ask("kernels"):
            self.ask(f"kernels/{kernel['id']}", "DELETE")

    def stop(self) -> None:
        end(self._process)

    def _command(self, folder: Path) -> list[str]:
        options = {
            "ServerApp.ip": "127.0.0.1",
            "ServerApp.port": self._port,
            "ServerApp.port_retries": 0,
            "ServerApp.open_browser": False,
            "ServerApp.root_dir": self.notebooks,
            "ServerApp.allow_root": True,
            "IdentityProvider.token": self._token,
            "LabApp.user_settings_dir": folder / "settings",
            "LabApp.workspaces_dir": folder / "workspaces",
            "LabApp.extra_labextensions_path": EXTENSIONS,
            "LabApp.expose_app_in_browser": True,
        }
        return [*(sys.executable, "-c", _LAB), *(f"--{name}={value}" for name, value in options.items())]


@contextmanager
def running_server(folder: Path) -> Iterator[Server]:
    """Start a server on `folder`; a later one on the same folder finds the same notebooks and trust."""
    for name in ("notebooks", "config", "data", "runtime"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    server = Server(folder)
    try:
        yield server
    finally:
        server.stop()


class Lab:
    """A page on a server; leaving it fails on any console error and on any request to another host.

    JupyterLab takes longer to load than most tests take, so one page serves many of them: `leave`
    closes the notebook and its kernel, and the next `open` finds no other notebook open.
    """

    def __init__(self, browser: Browser, server: Server) -> None:
        self.server = server
        self.watch(browser)

    def watch(self, browser: Browser) -> None:
        """Open the page, and record every error."""
        self.page: Page = browser.new_page(viewport={"width": 1400, "height": 900})
        self.complaints: list[str] = []
        self.page.on("console", self._listen)
        self.page.on("pageerror", lambda error: self._complain(f"page error: {error}"))
        self.page.on("request", lambda request: self._watch(request.url))
        self.page.on("websocket", lambda socket: self._watch(socket.url))

    def __enter__(self) -> Lab:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.page.close()
        self.server.stop_kernels()
        if kind is None:
            self.check()

    def check(self) -> None:
        assert not self.complaints, "\n".join(self.complaints)

    def leave(self) -> None:
        """Close the notebook, if one is open, without saving, in the light theme, for the next test."""
        self._let_the_splash_go()
        self.page.evaluate(
            """async () => {
              const { commands, shell } = window.jupyterapp;
              const { currentWidget } = shell;
              if (currentWidget?.context) {
                currentWidget.context.model.dirty = false; // or it would ask
                currentWidget.close();
              }
              await commands.execute("apputils:change-theme", { theme: "JupyterLab Light" });
            }"""
        )
        self.page.wait_for_selector(".jp-Notebook", state="detached")
        self.page.wait_for_selector('body[data-jp-theme-light="true"]', state="attached")
        self.server.stop_kernels()

    def open(self, notebook: str) -> None:
        """Open a notebook and wait until its kernel answers."""
        if self.page.url == "about:blank":
            self.page.goto(self.server.address(notebook))
        else:
            self.command("docmanager:open", {"path": notebook})
        self.rest()

    def rest(self) -> None:
        """Wait until a notebook is open and its kernel answers."""
        self.page.wait_for_selector(".jp-Notebook", timeout=60_000)
        self.page.wait_for_selector(_IDLE, timeout=60_000)

    def command(self, name: str, arguments: dict[str, Any] | None = None) -> None:
        """Run one of JupyterLab's commands, such as "docmanager:save", to its end."""
        self.page.evaluate(
            "async ([name, given]) => { await window.jupyterapp.commands.execute(name, given); }",
            [name, arguments or {}],
        )

    def run_all(self) -> None:
        """Run every cell and wait until the kernel is idle again."""
        self.command("notebook:run-all-cells")
        self.page.wait_for_function(
            "() => ![...document.querySelectorAll('.jp-InputArea-prompt')]"
            ".some((prompt) => prompt.textContent.includes('*'))",
            timeout=120_000,
        )
        self.page.wait_for_selector(_IDLE, timeout=120_000)

    def start_cell(self, source: str) -> int:
        """Start a new last cell, and return its index."""
        place: int = self.page.evaluate(
            """(source) => {
              const { content } = window.jupyterapp.shell.currentWidget;
              const place = content.widgets.length;
              content.model.sharedModel.insertCell(place, { cell_type: "code", source });
              content.activeCellIndex = place;
              window.jupyterapp.commands.execute("notebook:run-cell");
              return place;
            }""",
            source,
        )
        return place

    def run_cell(self, source: str) -> str:
        """Run a new last cell, and return the text it printed."""
        place = self.start_cell(source)
        return self.page.locator(".jp-Cell").nth(place).locator(".jp-OutputArea-output").inner_text().strip()

    def restart(self) -> None:
        """Restart the kernel, as the menu does once its question is answered."""
        self.page.evaluate(
            "() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()"
        )

    def save(self) -> None:
        self.command("docmanager:save")

    def dark(self) -> None:
        self._let_the_splash_go()
        self.command("apputils:change-theme", {"theme": "JupyterLab Dark"})
        self.page.wait_for_selector('body[data-jp-theme-light="false"]', state="attached")

    def _let_the_splash_go(self) -> None:
        """A theme shows JupyterLab's splash; a second within 0.2 s makes it remove one twice."""
        self.page.wait_for_selector("#jupyterlab-splash", state="detached")

    def widget(self, name: str, index: int = 0) -> Locator:
        """Return a widget on the page, once it is drawn and the kernel has answered it."""
        widget = self.page.locator(f".qkv-{name}[data-ready]{SETTLED}").nth(index)
        widget.wait_for(timeout=60_000)
        return widget

    def _listen(self, message: Any) -> None:
        if message.type == "error":
            self._complain(f"console: {message.text} ({message.location.get('url')})")

    def _complain(self, said: str) -> None:
        if not any(words in said for words in _NO_FAULT):
            self.complaints.append(said)

    def _watch(self, url: str) -> None:
        if not url.startswith(("http://127.0.0.1:", "ws://127.0.0.1:", "blob:", "data:")):
            self.complaints.append(f"a request left the machine: {url}")


def wait_for(process: subprocess.Popen[Any], ask: Callable[[], object], log: Path) -> None:
    """Wait until a server that has just been started answers."""
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            ask()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError(f"the server did not start:\n{log.read_text()[-3000:]}")


def end(process: subprocess.Popen[Any]) -> None:
    """Ask a server to end, with everything that it has started, and kill it if it does not."""
    process.terminate()
    try:
        process.wait(timeout=20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def write_notebook(path: Path, cells: Sequence[str]) -> None:
    """Write a notebook with these code cells."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(notebook, path)


def free_port() -> int:
    """Return a port of this machine on which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _environment(folder: Path) -> dict[str, str]:
    """Return this process's environment, with the user's own Jupyter folders out of reach.

    The course's settings are the ones that its installation left in the environment. Kernels share
    their training runs.
    """
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith("JUPYTER")},
        "JUPYTER_CONFIG_DIR": str(folder / "config"),
        "JUPYTER_DATA_DIR": str(folder / "data"),
        "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
        "IPYTHONDIR": str(folder / "ipython"),
        **shared_runs.for_kernels(),
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]),
    }
