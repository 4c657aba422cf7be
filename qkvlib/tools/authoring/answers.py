"""Take the answers out of a lesson's questions: `ask(name, question, choices)` is what stays."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

_KEPT = ("answer", "because", "unless")


def of_questions(code: str) -> dict[str, dict[str, Any]]:
    """Return the answers in some code, by the names of their questions."""
    return {
        ast.literal_eval(call.args[0]): {
            given.arg: ast.literal_eval(given.value) for given in call.keywords if given.arg in _KEPT
        }
        for call in _questions(code)
    }


def without(code: str) -> str:
    """Return the code without its answers, and otherwise unchanged."""
    lines = code.encode().splitlines(keepends=True)  # ast counts bytes
    starts = [sum(map(len, lines[:i])) for i in range(len(lines))]
    text = b"".join(lines)
    for call in sorted(_questions(code), key=lambda call: -call.lineno):
        last, end = call.args[-1], call.end_lineno or 0
        after = starts[(last.end_lineno or 0) - 1] + (last.end_col_offset or 0)
        bracket = starts[end - 1] + (call.end_col_offset or 0) - 1
        text = text[:after] + (b",\n" if b"\n" in text[after:bracket] else b"") + text[bracket:]
    return text.decode()


def _questions(code: str) -> Iterator[ast.Call]:
    """The calls of `ask` that have an answer."""
    for node in ast.walk(ast.parse(code)):
        match node:
            case ast.Call(func=ast.Name(id="ask"), keywords=[*given]):
                if "answer" in [keyword.arg for keyword in given]:
                    yield node
