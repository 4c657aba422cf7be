"""What Undo goes back to where the page no longer remembers: as far as Python has seen it."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

Past = TypeVar("Past")

_MOST = 100


class History(Generic[Past]):
    """The places one has been at, the last of them last."""

    def __init__(self) -> None:
        self._past: list[Past] = []
        self._gesture: Any = None

    def goes_on(self, gesture: Any) -> bool:
        """Whether an edit goes on with the last gesture."""
        return gesture is not None and gesture == self._gesture

    def remember(self, here: Past, gesture: Any = None) -> None:
        """Before a change: where one stands. A gesture is one step, however many edits it sends."""
        if not self.goes_on(gesture):
            self._past = [*self._past, here][-_MOST:]
        self._gesture = gesture

    def follow(self, here: Past, steps: int) -> None:
        """After a move in a page, which counts so many steps: where one stood before it.

        Of several steps since the last rest, what lies between is the page's alone.
        """
        new = max(steps - len(self._past), 0)
        self._past = [*self._past[: max(steps, 0)], *[here] * new][-_MOST:]
        self._gesture = None

    def back(self) -> Past | None:
        """Where one stood before the last step."""
        if not self._past:
            return None
        self._gesture = None
        return self._past.pop()

    def __len__(self) -> int:
        return len(self._past)
