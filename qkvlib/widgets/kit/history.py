"""The states that Undo goes back to when the page no longer remembers them, as far as Python has seen
them."""

from __future__ import annotations

from typing import Generic, TypeVar

Past = TypeVar("Past")

_MOST = 100


class History(Generic[Past]):
    """The earlier states, the most recent one last."""

    def __init__(self) -> None:
        self._past: list[Past] = []

    def remember(self, here: Past) -> None:
        """Remember the present state, before a change from a cell."""
        self._past = [*self._past, here][-_MOST:]

    def follow(self, here: Past, steps: int) -> None:
        """Remember the state before a move in a page that counts as this many steps.

        Only the page remembers the states in between.
        """
        new = max(steps - len(self._past), 0)
        self._past = [*self._past[: max(steps, 0)], *[here] * new][-_MOST:]

    def back(self) -> Past | None:
        """Return the state before the last step."""
        return self._past.pop() if self._past else None

    def __len__(self) -> int:
        return len(self._past)
