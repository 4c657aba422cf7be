"""Read a submitted notebook in whatever state it is: its code cells and its free-text answers.

Trusted code, untrusted bytes. The file is decoded and parsed as JSON, and nothing more: no cell is parsed as
Python here, and neither metadata nor outputs are trusted.
"""

from __future__ import annotations

import codecs
import json
import re
from dataclasses import dataclass
from typing import Any, TypeAlias

from qkvlib.tools.grading.results import JsonObject, WrittenAnswer

Cell: TypeAlias = dict[str, Any]  # as any editor may have written it: each field may be anything

LARGEST_FILE = 64 << 20
_MOST_BRACKETS, _MOST_COMMAS = 1_000_000, 4_000_000  # a few bytes of JSON can make many objects
_LARGEST_CELL = 1 << 20
_MOST_CELLS = 4_000
_LONGEST_COMMENT = 300

# An answer in words is in a text cell that begins like this; the comment is invisible in the notebook.
_ANSWER = re.compile(r"<!--\s*answer:\s*([\w.-]{1,60})\s*(?:,\s*(\d{1,3}) points?)?\s*-->")
UNANSWERED = "*Your answer.*"  # what every lesson has in the place of an answer


class NotANotebookError(Exception):
    """The file cannot be read as a notebook; the message tells the sender why."""


@dataclass(frozen=True)
class SubmittedNotebook:
    """The parts of a submitted notebook that matter."""

    cells: tuple[str, ...]
    answers: tuple[WrittenAnswer, ...]


def read_notebook(data: bytes) -> SubmittedNotebook:
    """Return the notebook in `data`, in any encoding, or raise NotANotebookError."""
    if len(data) > LARGEST_FILE:
        raise NotANotebookError(f"it has more than {LARGEST_FILE >> 20} MB")
    cells = [cell for cell in _cells(_parsed(_decoded(data))) if type(cell) is dict]
    if len(cells) > _MOST_CELLS:
        raise NotANotebookError(f"it has {len(cells)} cells; the most is {_MOST_CELLS}")
    code = tuple(_text(cell) for cell in cells if cell.get("cell_type") == "code")
    found = [_free_text(_text(cell)) for cell in cells if cell.get("cell_type") == "markdown"]
    answers = tuple(answer for answer in found if answer is not None)
    return SubmittedNotebook(code, answers)


def _decoded(data: bytes) -> str:
    if not data.strip(b"\0 \t\r\n"):
        raise NotANotebookError("it is empty")
    try:
        return data.decode(json.detect_encoding(data))
    except UnicodeDecodeError:  # to replace what is broken takes a minute for the largest file in UTF-16
        return data.removeprefix(codecs.BOM_UTF8).decode("latin-1")


def _parsed(text: str) -> JsonObject:
    """Return the JSON object at the start of the text, without what an editor or sync tool left after it."""
    if text.count("[") + text.count("{") > _MOST_BRACKETS or text.count(",") > _MOST_COMMAS:
        raise NotANotebookError("it holds more lists and numbers than a notebook has")
    try:
        notebook, _ = json.JSONDecoder(strict=False).raw_decode(text.lstrip("\ufeff \t\r\n"))
    except (ValueError, RecursionError, MemoryError) as error:
        raise NotANotebookError(f"it is not JSON: {str(error)[:120]}") from None
    if type(notebook) is not dict:
        raise NotANotebookError("it is JSON, but not a notebook")
    return notebook


def _cells(notebook: JsonObject) -> list[Any]:
    if type(notebook.get("cells")) is not list:
        raise NotANotebookError("it is JSON, but has no cells")
    return list(notebook["cells"])


def _text(cell: Cell) -> str:
    source = cell.get("source", "")
    if type(source) is list:
        source = "".join(line for line in source if type(line) is str)
    if type(source) is not str or len(source) > _LARGEST_CELL:
        return ""
    return source.replace("\r\n", "\n").replace("\r", "\n").lstrip("\ufeff")


def _free_text(text: str) -> WrittenAnswer | None:
    text = text.lstrip()
    found = _ANSWER.match(text[:_LONGEST_COMMENT])  # a failed match takes time quadratic in the length
    if not found:
        return None
    words = text[found.end() :].strip()
    words = "" if words == UNANSWERED else words
    return WrittenAnswer(found[1], int(found[2] or 1), words[:20_000])
