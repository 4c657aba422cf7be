"""What a page and its kernel say to each other, counted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Page


@dataclass
class Traffic:
    """What went over the kernel's socket."""

    sent: list[int] = field(default_factory=list)
    received: list[int] = field(default_factory=list)

    def listen(self, page: Page) -> None:
        page.on("websocket", self._open)

    def _open(self, socket: Any) -> None:
        socket.on("framesent", lambda payload: self.sent.append(len(payload)))
        socket.on("framereceived", lambda payload: self.received.append(len(payload)))

    @contextmanager
    def counted(self, page: Page) -> Iterator[dict[str, int]]:
        start = len(self.sent), len(self.received)
        found: dict[str, int] = {}
        yield found
        page.wait_for_timeout(300)
        sent, received = self.sent[start[0] :], self.received[start[1] :]
        found |= {"up": sum(sent), "down": sum(received), "messages": len(sent) + len(received)}
