"""Stand in for the browser: pass in what it would send, and get back what it would receive."""

from __future__ import annotations

import base64
import json
from typing import Any

from comm.base_comm import BaseComm
from ipywidgets.widgets.widget import _put_buffers, _remove_buffers

from qkvlib.widgets.kit.widget import Widget


class _Recorder(BaseComm):  # type: ignore[misc]
    def __init__(self, sent: list[dict[str, Any]]) -> None:
        self.sent = sent
        super().__init__()

    def publish_msg(self, msg_type: str, data: Any = None, **rest: Any) -> None:
        if msg_type == "comm_msg":
            buffers = rest.get("buffers")
            self.sent.append({**data, "buffers": buffers} if buffers else dict(data))


def saved(state: dict[str, Any]) -> str:
    """Return a state as a notebook stores it, which is text: bytes are written in base64."""
    return json.dumps(state, default=lambda value: base64.b64encode(value).decode())


class Wire:
    """One browser's connection to one widget, without a browser."""

    def __init__(self, widget: Widget) -> None:
        self.sent: list[dict[str, Any]] = []
        self._bridge = widget.bridge
        self._bridge.close()  # otherwise the connection that it opened would be kept forever
        self._bridge.comm = _Recorder(self.sent)
        self._seq = 0

    def opening(self) -> dict[str, Any]:
        """Return the state that a new view is built from: JSON, with bytes where there are bytes."""
        state, paths, buffers = _remove_buffers(self._bridge.get_state())
        opening: dict[str, Any] = json.loads(json.dumps(state))
        _put_buffers(opening, paths, buffers)
        return opening

    def receive(self, content: dict[str, Any]) -> list[dict[str, Any]]:
        """Deliver a custom message, and return the messages that it causes."""
        before = len(self.sent)
        self._bridge._handle_custom_msg(content, [])
        return self.sent[before:]

    def rest(self, **moved: Any) -> dict[str, Any] | None:
        """A hand rests in a page that owns the numbers; the answer, if it says anything."""
        self._seq += 1
        (message,) = self.receive({"view": "test", "seq": self._seq, "rest": moved})
        answer: dict[str, Any] = message["content"]
        return None if answer == {"view": "test", "seq": self._seq} else answer

    def commit(self, choice: str | None, sure: str | None = None) -> None:
        """Commit a choice of a prediction, or withdraw it."""
        self.rest(choice=choice, sure=sure)

    def ask(self, **request: Any) -> dict[str, Any]:
        """Send one request of a view, and return its answer."""
        self._seq += 1
        (message,) = self.receive({"view": "test", "seq": self._seq, **request})
        answer: dict[str, Any] = message["content"]
        for name, packed in zip(answer.get("packed", []), message.get("buffers", []), strict=False):
            answer["state"][name] = packed
        return answer
