"""Runs in Pyodide when the site is built: archives of Python's text become archives of its code.

Code is for one version of Python, so that version compiles it. Each module comes from where a page
will find it, which errors and their lines go by.
"""

from __future__ import annotations

import importlib.util
import io
import sys
import zipfile
from collections.abc import Callable
from importlib._bootstrap_external import _code_to_hash_pyc  # type: ignore[attr-defined]

_A_DAY = (2020, 1, 1, 0, 0, 0)
# What learners import besides what the course does.
_ASKED_FOR = (
    "bisect.py",
    "fractions.py",
    "pprint.py",
    "statistics.py",
    "string/__init__.py",
    "timeit.py",
    "calendar.py",
    "_strptime.py",
)


def course(text: bytes, home: str) -> bytes:
    """All of the course's part, which the first check imports."""
    return _compiled(text, home, lambda name: True)


def library(text: bytes, home: str) -> bytes:
    """Of Python's own library what is loaded by now, and a little more; the rest stays text."""
    loaded = {getattr(module, "__file__", None) or "" for module in sys.modules.values()}
    wanted = {name.removeprefix(f"{home}/") for name in loaded} | set(_ASKED_FOR)
    return _compiled(text, home, wanted.__contains__)


def _compiled(text: bytes, home: str, wanted: Callable[[str], bool]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(text)) as old, zipfile.ZipFile(made, "w") as new:
        for name in sorted(old.namelist()):
            content = old.read(name)
            if name.endswith(".py") and wanted(name):
                code = compile(content, f"{home}/{name}", "exec", dont_inherit=True)
                stamp = importlib.util.source_hash(content)
                # Nobody is to look whether the text has changed: it is not there.
                name, content = f"{name}c", bytes(_code_to_hash_pyc(code, stamp, False))
            new.writestr(zipfile.ZipInfo(name, _A_DAY), content, zipfile.ZIP_DEFLATED)
    return made.getvalue()
