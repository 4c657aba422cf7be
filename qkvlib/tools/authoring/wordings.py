"""Two wordings of one sentence: a notebook's, and a page's, where nobody runs a cell.

    {notebook: Put the cursor in the cell below and press Shift+Enter. Then drag|page: Drag} a tip.

Both stand in the source, so that whoever mends one sees the other. A page's wording may be empty.
"""

from __future__ import annotations

import re

_TWO = re.compile(r"\{notebook: (.*?)\|page: ?(.*?)\}", re.DOTALL)
_HALF = re.compile(r"\{notebook:|\|page:")


def in_notebook(text: str) -> str:
    """Return the text in a notebook's words; a ValueError quotes an incomplete pair of wordings."""
    words = _TWO.sub(lambda found: found[1], text)
    if half := _HALF.search(words):
        here = words[half.start() : half.start() + 40]
        raise ValueError(f"this is half of two wordings: {here!r}; write both, {{notebook: ...|page: ...}}")
    return words


def on_page(text: str) -> str:
    """Return the text in a page's words."""
    return _TWO.sub(lambda found: found[2], text)
