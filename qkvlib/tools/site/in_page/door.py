"""The interface between a page's JavaScript and its Python: JSON goes in, JSON comes out.

It imports everything that a check needs, so that a snapshot of this Python's memory, taken before the first
check, contains it. JavaScript is connected later, because a snapshot cannot contain it.
"""

from __future__ import annotations

import functools
import json
from pkgutil import get_data
from typing import Any

from qkvlib.checking import probes  # noqa: F401  (a verdict asks for it when something is wrong)
from qkvlib.tools.site.in_page.judge import Judge, Stop


def check(question: str) -> str:
    """Check an answer: pass `{name, sources, stops}` to `Judge.record`, and return its record."""
    asked: dict[str, Any] = json.loads(question)
    stops = {name: Stop(**told) for name, told in asked.get("stops", {}).items()}
    sources = [(name, text) for name, text in asked["sources"]]
    return json.dumps(_judge().record(asked["name"], sources, stops).to_json())


@functools.cache
def _judge() -> Judge:
    import qkv_owner  # type: ignore[import-not-found]  # JavaScript, under this name

    return Judge(qkv_owner, json.loads(get_data(__package__, "lessons.json") or b"{}"))
