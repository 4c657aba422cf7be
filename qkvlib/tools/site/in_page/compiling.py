"""Compile archives of Python source. This runs in Pyodide when the site is built.

Compiled code works in only one version of Python, so that version compiles it. Each module gets the path at
which a page will find it, because error messages name it.
"""

from __future__ import annotations

import importlib.util
import io
import sys
import zipfile
from collections.abc import Callable
from importlib._bootstrap_external import _code_to_hash_pyc  # type: ignore[attr-defined]

_A_DAY = (2020, 1, 1, 0, 0, 0)
# What learners import in addition to what the course imports.
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
    """Compile the course's part, all of which the first check imports."""
    return _compiled(text, home, lambda name: True)


def library(text: bytes, home: str) -> bytes:
    """Compile those modules of Python's library that are loaded by now, and a few more; the rest stays
    source."""
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
                # No one should check whether the source has changed, because it is not there.
                name, content = f"{name}c", bytes(_code_to_hash_pyc(code, stamp, False))
            new.writestr(zipfile.ZipInfo(name, _A_DAY), content, zipfile.ZIP_DEFLATED)
    return made.getvalue()
