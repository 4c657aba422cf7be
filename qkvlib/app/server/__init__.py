"""A Jupyter server extension that answers a widget at once.

Small messages otherwise wait up to 40 ms: the system holds them back in the hope of sending more
together (Nagle's algorithm against delayed acknowledgements), and the Jupyter server never asks it
not to. While a weight is dragged, that is most of the delay a learner would feel.
"""

from __future__ import annotations

from typing import Any


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": "qkvlib.app.server"}]


def _load_jupyter_server_extension(app: Any) -> None:
    """Make every kernel connection of this server send its messages without delay."""
    usual = app.kernel_websocket_connection_class

    class PromptConnection(usual):  # type: ignore[misc, valid-type]
        async def connect(self) -> Any:
            self.websocket_handler.set_nodelay(True)
            return await super().connect()

    app.web_app.settings["kernel_websocket_connection_class"] = PromptConnection
