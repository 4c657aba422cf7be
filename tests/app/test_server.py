"""Test that an installed Jupyter finds the server extension and that it switches the delay off."""

from __future__ import annotations

import subprocess
import sys
from types import SimpleNamespace

import pytest

from qkvlib.app import server

pytestmark = pytest.mark.whole


class UsualConnection:
    """Stand in for the connection that Jupyter would use, and record what was done to its socket."""

    def __init__(self) -> None:
        self.done: list[object] = []
        self.websocket_handler = SimpleNamespace(set_nodelay=self.done.append)

    async def connect(self) -> str:
        self.done.append("connected")
        return "connected"


def test_every_connection_asks_for_no_delay_before_it_connects() -> None:
    web_app = SimpleNamespace(settings={})
    app = SimpleNamespace(kernel_websocket_connection_class=UsualConnection, web_app=web_app)
    server._load_jupyter_server_extension(app)
    connection = web_app.settings["kernel_websocket_connection_class"]()
    with pytest.raises(StopIteration, match="connected"):
        connection.connect().send(None)  # by hand: a browser test may own this thread's event loop
    assert connection.done == [True, "connected"]


def test_an_installed_jupyter_enables_the_extension_by_itself() -> None:
    command = [sys.executable, "-m", "jupyter", "server", "extension", "list"]
    listed = subprocess.run(command, capture_output=True, text=True, check=True)
    lines = [line for line in (listed.stdout + listed.stderr).splitlines() if "qkvlib" in line]
    assert any("enabled" in line for line in lines), listed.stderr
    assert any("OK" in line for line in lines), listed.stderr
