"""Write the files with which a page runs Python to the site's assets; the first check loads them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from qkvlib.tools.site.assets import Assets
from qkvlib.tools.site.in_page.compiled import compiled
from qkvlib.tools.site.in_page.pack import archive
from qkvlib.widgets.kit.envelope import STATIC

_PYODIDE = Path(__file__).parents[4] / "node_modules" / "pyodide"
_ITS_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")


def add_checker(assets: Assets, lessons: Path) -> dict[str, str]:
    """Write the files, and return the addresses with which a page starts its Python.

    Each file is gzipped, and the page unpacks it, because few servers compress what they send.
    """
    if not _PYODIDE.exists():
        raise FileNotFoundError(f"{_PYODIDE} is missing: `python -m tests.npm install` gets it")
    contents = {name: (_PYODIDE / name).read_bytes() for name in _ITS_FILES}
    lock = json.loads((_PYODIDE / "pyodide-lock.json").read_bytes())
    contents["lock.json"] = json.dumps({"info": lock["info"], "packages": {}}).encode()
    course, library = compiled(archive(lessons), contents["python_stdlib.zip"])
    contents |= {"course.zip": course, "python_stdlib.zip": library}
    addresses = {
        name: assets.add(f"{name}.bin", gzip.compress(content, mtime=0)) for name, content in contents.items()
    }
    worker = assets.add("worker.js", (STATIC / "worker.js").read_bytes())
    return {"worker": worker, **addresses}
