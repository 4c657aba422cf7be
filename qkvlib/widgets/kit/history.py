"""What Undo goes back to, one step for each gesture; `history.js` is the same in a page."""

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

    def back(self) -> Past | None:
        """Where one stood before the last step."""
        if not self._past:
            return None
        self._gesture = None
        return self._past.pop()

    def __len__(self) -> int:
        return len(self._past)
