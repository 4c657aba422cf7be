"""What Undo goes back to where the page no longer remembers: as far as Python has seen it."""

from __future__ import annotations

from typing import Generic, TypeVar

Past = TypeVar("Past")

_MOST = 100


class History(Generic[Past]):
    """The places one has been at, the last of them last."""

    def __init__(self) -> None:
        self._past: list[Past] = []

    def remember(self, here: Past) -> None:
        """Before a change from a cell: where one stands."""
        self._past = [*self._past, here][-_MOST:]

    def follow(self, here: Past, steps: int) -> None:
        """After a move in a page, which counts so many steps: where one stood before it.

        Of several steps since the last rest, what lies between is the page's alone.
        """
        new = max(steps - len(self._past), 0)
        self._past = [*self._past[: max(steps, 0)], *[here] * new][-_MOST:]

    def back(self) -> Past | None:
        """Where one stood before the last step."""
        return self._past.pop() if self._past else None

    def __len__(self) -> int:
        return len(self._past)
