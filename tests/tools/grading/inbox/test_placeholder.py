"""A lesson that was handed in as it came has no answer in words."""

from __future__ import annotations

import json

from qkvlib.tools.grading.inbox.notebook_file import UNANSWERED, read_notebook
from tests.tools.grading.classroom import notebook


def test_words_beside_the_placeholder_are_an_answer() -> None:
    cell = f"<!-- answer: why, 2 points -->\n{UNANSWERED}\n\nBecause it is long."
    (answer,) = read_notebook(json.dumps(notebook([("markdown", cell)])).encode()).answers
    assert answer.text.endswith("long.")
