"""Lines of a program to put in order, each with the shape of its result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from qkvlib.figures.still import table
from qkvlib.widgets.kit.widget import Widget

Watch = Callable[[Sequence[str]], Iterable[tuple[str, str]]]


class Lines(Widget):
    """Lines of code, by letter, and the program that the learner makes of them.

    Drag a line, or press Enter on it. The page looks up the result of each line in `table`; `watch` runs the
    program for the still picture. The widget does not say whether the program is right.

        puzzle("order_the_heads").order     the letters of the present program
    """

    front_end = "lines"

    def __init__(
        self, lines: Mapping[str, str], watch: Watch, table: Mapping[str, Any], order: str = ""
    ) -> None:
        super().__init__()
        self._lines, self._watch, self._table = dict(lines), watch, table
        self.order = order

    def setup(self) -> dict[str, Any]:
        return {"lines": list(self._lines.items()), "table": self._table}

    def pack(self) -> dict[str, Any]:
        return {"order": self.order}

    def receive(self, rest: dict[str, Any]) -> bool:
        self.order = rest["order"]
        return False

    def static_html(self) -> str:
        lines = table(["", "line"], [[letter, code] for letter, code in self._lines.items()])
        return lines + table(["", "program", "makes the shape"], self._rows()) if self.order else lines

    def __repr__(self) -> str:
        rows = self._rows() or [[letter, code, ""] for letter, code in self._lines.items()]
        wide = max(len(code) for code in self._lines.values())
        return "\n".join(f"{letter}  {code:{wide}}  {made}".rstrip() for letter, code, made in rows)

    def _rows(self) -> list[list[str]]:
        """Return what has run: the letter, the code, and its result or what stopped it."""
        return [[letter, self._lines[letter], made] for letter, made in self._watch(self.order)]
